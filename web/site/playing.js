// Says what is being played now, and goes on saying it as long as somebody looks at the page.

import { make } from "../shared/elements.js";
import { SITE } from "../shared/site.js";
import { follow } from "../shared/stream.js";

/** @import { PlayingMatch } from "../shared/types.d.ts" */

const MAX_LISTED = 12;

const section = document.getElementById("playing");
const { topic, bot } = section?.dataset ?? {};
if (topic?.startsWith("ladders/")) {
  follow(topic, {
    playing({ matches }) {
      showPlaying(matches.filter(({ seats }) => !bot || seats.some((seat) => seat.bot === bot)));
    },
  });
}

/**
 * Show what is being played; what is there already stays, so that nothing is taken from a keyboard.
 * @param {PlayingMatch[]} matches
 */
export function showPlaying(matches) {
  const list = document.querySelector("#playing ul");
  const empty = /** @type {HTMLElement | null} */ (document.querySelector("#playing p"));
  if (!list || !empty) return;
  /** @type {Map<string | null | undefined, HTMLLIElement>} */
  const known = new Map([...list.querySelectorAll("li")].map((row) => [row.querySelector("a")?.getAttribute("href"), row]));
  const rows = matches.slice(0, MAX_LISTED).map((match) => {
    const row = known.get(SITE + match.path) ?? makeRow(match);
    const state = row.querySelector(":scope > span");
    if (state) state.textContent = describeState(match);
    return row;
  });
  for (const row of known.values()) if (!rows.includes(row)) row.remove();
  rows.forEach((row, place) => {
    if (list.children[place] !== row) list.insertBefore(row, list.children[place] ?? null);
  });
  empty.hidden = matches.length > 0;
}

/** @param {PlayingMatch} match */
function makeRow(match) {
  const names = match.seats.map(({ name }) => name).join(" against ");
  const link = make("a", { href: SITE + match.path }, "Watch", make("span", { class: "unseen" }, ` ${names}`));
  const seats = match.seats.flatMap(({ name, rating }, place) => [
    place ? " against " : " ",
    make("strong", {}, name),
    ...(rating === null ? [] : [" ", make("small", {}, `${rating}`)]),
  ]);
  return make("li", {}, link, ...seats, " ", make("span", { class: "quiet" }, describeState(match)));
}

/** @param {PlayingMatch} match */
function describeState({ turn, is_shown_late }) {
  if (is_shown_late) return "shown once it is over";
  return turn === null ? "it begins" : `turn ${turn}`;
}
