// Says what is being played now, and goes on saying it as long as somebody looks at the page.

import { make } from "../shared/elements.js";

/** @typedef {{ name: string, bot: string | null, rating: number | null }} Seat */
/** @typedef {{ path: string, seats: Seat[], turn: number | null, is_shown_late: boolean }} Match */

const POLL_MS = 3_000;
const MAX_POLL_MS = 60_000; // where the server does not answer, it is asked less and less often

const section = document.getElementById("playing");
if (section) poll(section, POLL_MS);

/**
 * Ask again and again, but not while the page is hidden.
 * @param {HTMLElement} section
 * @param {number} wait
 */
function poll(section, wait) {
  setTimeout(async () => {
    const found = document.hidden ? null : await playing(section.dataset.source ?? "");
    if (found) show(section, found);
    poll(section, found || document.hidden ? POLL_MS : Math.min(2 * wait, MAX_POLL_MS));
  }, wait);
}

/**
 * Return what is being played; null if the server does not say so now.
 * @param {string} address
 * @returns {Promise<Match[] | null>}
 */
async function playing(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? (await answer.json()).matches : null;
  } catch {
    return null;
  }
}

/**
 * Show what is being played; what is there already stays, so that nothing is taken from a keyboard.
 * @param {HTMLElement} section
 * @param {Match[]} matches
 */
function show(section, matches) {
  const list = section.querySelector("ul");
  const empty = section.querySelector("p");
  if (!list || !empty) return;
  const site = section.dataset.site ?? "";
  /** @type {Map<string | null | undefined, HTMLLIElement>} */
  const known = new Map([...list.querySelectorAll("li")].map((row) => [row.querySelector("a")?.getAttribute("href"), row]));
  const rows = matches.map((match) => {
    const row = known.get(site + match.path) ?? makeRow(site, match);
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

/**
 * @param {string} site
 * @param {Match} match
 */
function makeRow(site, match) {
  const names = match.seats.map(({ name }) => name).join(" against ");
  const link = make("a", { href: site + match.path }, "Watch", make("span", { class: "unseen" }, ` ${names}`));
  const seats = match.seats.flatMap(({ name, rating }, place) => [
    place ? " against " : " ",
    make("strong", {}, name),
    ...(rating === null ? [] : [" ", make("small", {}, `${rating}`)]),
  ]);
  return make("li", {}, link, ...seats, " ", make("span", { class: "quiet" }, describeState(match)));
}

/** @param {Match} match */
function describeState({ turn, is_shown_late }) {
  if (is_shown_late) return "shown once it is over";
  return turn === null ? "it begins" : `turn ${turn}`;
}
