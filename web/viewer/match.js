// The match as a whole: its result, and the command that repeats it.
import { byId, factRows, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { toOneDecimal } from "./formats.js";

/** @import { Replay } from "./replay.js" */

/**
 * `isKnown`: whether the result may be told; it is folded until it is seen.
 * @param {Replay} replay
 * @param {boolean} isKnown
 * @param {boolean} isSeen
 */
export function showMatch(replay, isKnown, isSeen) {
  byId("match").replaceChildren();
  const { ending, lastTurn } = replay;
  const how = ending ? `${ending.why} (${ending.reason}, in turn ${lastTurn})` : `not: the record stops in turn ${lastTurn}`;
  /** @type {[name: string, value: string][]} */
  const ends = [];
  /** @type {[name: string, value: string][]} */
  const rows = [];
  if (ending) ends.push(["scores", ending.scores.map(toOneDecimal).join(" : ")]);
  ends.push(["ended", how]);
  rows.push(["seed", replay.seed ?? "is shown after the end"]);
  if (replay.seedHash) rows.push(["SHA-256 of the seed", replay.seedHash]);
  if (replay.key) rows.push(["match", replay.key]);
  const said = make("h2", {}, isKnown ? verdict(replay) : "The result is hidden until it is seen");
  if (replay.isGrowing || !isKnown) byId("match").append(said);
  else {
    byId("match").append(make(
      "details", { id: "result", open: isSeen },
      make("summary", {}, "How it ended"), said, make("dl", { class: "facts" }, ...factRows(ends)),
    ));
  }
  const isPlayed = document.body.classList.contains("ordered"); // by people, who need not see how it is checked
  const facts = make("dl", { class: "facts" }, ...factRows(rows));
  byId("match").append(isPlayed ? make("details", {}, make("summary", {}, "Details"), facts) : facts);
  const longer = replay.disclosures.map(({ title, text }) => make("details", {}, make("summary", {}, title), make("pre", { tabindex: 0 }, text)));
  if (isKnown) byId("match").append(...longer);
  if (replay.again) byId("match").append(make("h3", {}, "repeat this match"), command(replay.again));
}

/**
 * Return `Learned wins`.
 * @param {Replay} replay
 */
function verdict({ ending, isGrowing }) {
  if (isGrowing) return "The match is being played";
  if (!ending) return "The match was interrupted";
  return ending.who;
}

/** @param {string} text */
function command(text) {
  const words = make("code", { tabindex: 0 }, text);
  const copy = make("button", { type: "button", class: "tool", title: "Copy", "aria-label": "Copy the command" }, icon("copy"));
  copy.addEventListener("click", async () => {
    getSelection()?.selectAllChildren(words);
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      document.execCommand("copy");  // pages from a disk may have no clipboard
    }
    copy.classList.add("done");
    setTimeout(() => copy.classList.remove("done"), 1200);
  });
  return make("div", { class: "command" }, words, copy);
}
