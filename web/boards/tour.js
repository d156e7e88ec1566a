// The first game of a kind: a few steps that show what is where. It stands beside the board, over
// nothing, and comes once in a browser.

import { byId, make, write } from "../shared/elements.js";
import { browserStorage } from "../shared/storage.js";

/** @import { TourStep } from "./types.d.ts" */

/**
 * Show what is where, unless this browser has seen it.
 * @param {string} name  of the kind of game
 * @param {TourStep[]} steps
 */
export function showTour(name, steps) {
  const key = `tour ${name}`;
  if (!steps.length || wasSeen(key)) return;
  const words = make("p", { role: "status" });
  const next = make("button", { type: "button", class: "primary", click: () => go(at + 1) }, "Next");
  const skip = make("button", { type: "button", click: end }, "Skip");
  const count = make("span", { class: "quiet" });
  const card = make("section", { id: "tour", class: "card", "aria-label": "What is where" }, words, make("div", { class: "acts" }, next, skip, count));
  let at = 0;
  /** @type {Element | null} */
  let shown = null;
  byId("orders").before(card);
  go(0);

  /** @param {number} step */
  function go(step) {
    shown?.classList.remove("toured");
    at = step;
    if (at === steps.length) return end();
    const [selector, says] = steps[at];
    shown = document.querySelector(selector);
    shown?.classList.add("toured");
    write(words, says);
    write(count, `${at + 1} of ${steps.length}`);
    write(next, at + 1 === steps.length ? "Done" : "Next");
    return undefined;
  }

  function end() {
    shown?.classList.remove("toured");
    card.remove();
    saveSeen(key);
  }
}

/**
 * Return whether this browser has noted it, or can note nothing and would show it each time.
 * @param {string} key
 */
export const wasSeen = (key) => browserStorage.load(key) !== null;
/** @param {string} key */
export const saveSeen = (key) => browserStorage.save(key, "seen");
