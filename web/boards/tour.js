// The first game of a kind: a few steps that show what is where. It stands beside the board, over
// nothing, and comes once in a browser.

import { byId, make, write } from "../shared/elements.js";

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
 * Whether this browser has noted it.
 * @param {string} key
 */
export function wasSeen(key) {
  try {
    return localStorage.getItem(key) === "seen";
  } catch {
    return true; // pages without storage would show it each time
  }
}

/** @param {string} key */
export function saveSeen(key) {
  try {
    localStorage.setItem(key, "seen");
  } catch {
    // as above
  }
}
