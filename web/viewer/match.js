// The match as a whole: its result, and the command that repeats it.
import { byId, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { toOneDecimal } from "./formats.js";

// `isKnown`: whether the result may be told.
export function showMatch(replay, isKnown) {
  byId("match").replaceChildren();
  const rows = [
    ...(!isKnown ? [] : replay.ending ? [["scores", replay.ending.scores.map(toOneDecimal).join(" : ")]] : []),
    ...(replay.isGrowing || !isKnown ? [] : [["ended", replay.ending ? `${replay.ending.reason}, in turn ${replay.lastTurn}` : `not: the record stops in turn ${replay.lastTurn}`]]),
    ["seed", replay.seed ?? "is shown after the end"],
    ...(replay.seedHash ? [["SHA-256 of the seed", replay.seedHash]] : []),
    ...(replay.key ? [["match", replay.key]] : []),
  ];
  byId("match").append(
    make("h2", {}, isKnown ? verdict(replay) : "The result is hidden until it is seen"),
    make("dl", { class: "facts" }, ...rows.map(([name, value]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, value)),
    )),
  );
  if (isKnown) byId("match").append(...replay.disclosures.map(disclosure));
  if (replay.again) byId("match").append(make("h3", {}, "repeat this match"), command(replay.again));
}

// Return `player_one (team 1) won`.
function verdict({ teams, ending, isGrowing }) {
  if (isGrowing) return "The match is being played";
  if (!ending) return "The match was interrupted";
  const names = ending.winners.map((team) => `${teams[team - 1].name} (team ${team})`);
  return names.length ? `${names.join(" and ")} won` : "A draw";
}

// A longer text, folded until it is opened.
function disclosure({ title, text }) {
  return make("details", {}, make("summary", {}, title), make("pre", { tabindex: 0 }, text));
}

function command(text) {
  const words = make("code", { tabindex: 0 }, text);
  const copy = make("button", { type: "button", class: "tool", title: "Copy", "aria-label": "Copy the command" }, icon("copy"));
  copy.addEventListener("click", async () => {
    getSelection().selectAllChildren(words);
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
