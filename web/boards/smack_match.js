// How a game of Smack! ended.

import { make } from "../shared/elements.js";
import { linksAfter } from "./page.js";

/** @import { PositionWith, ShownBoards } from "./types.d.ts" */
/** @typedef {NonNullable<PositionWith<ShownBoards>["outcome"]>} Outcome */

/**
 * Show who won and why, over the page.
 * @param {PositionWith<ShownBoards>} position
 * @param {Outcome} outcome
 * @param {string} id
 */
export function showResult(position, outcome, id) {
  const close = () => dialog.close();
  /** @type {HTMLDialogElement} */
  const dialog = make(
    "dialog",
    { class: "match-result", "aria-labelledby": "match-result", close: () => dialog.remove() },
    ...makeResultTable(position, outcome),
    linksAfter(id, make("button", { type: "button", click: close }, "See the boards")),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {PositionWith<ShownBoards>} position
 * @param {Outcome} outcome
 */
function makeResultTable(position, outcome) {
  const { board, seats } = position;
  const rows = board.halves.map((half) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, `Board ${half.number}`),
      ...half.points.map((points) => make("td", {}, `${points}`)),
      make("td", {}, half.ended),
    ),
  );
  const head = seats.map((seat) =>
    make("th", { scope: "col" }, make("span", { class: `chip team-${seat.team}` }, seat.name)),
  );
  const total = make("tr", { class: "total" }, make("th", { scope: "row" }, "Together"), ...outcome.scores.map((score) => make("td", {}, `${score}`)), make("td"));
  return [
    make("h2", { id: "match-result" }, headline(position, outcome)),
    make("table", {}, make("thead", {}, make("tr", {}, make("td"), ...head, make("th", { scope: "col" }, "Why"))), make("tbody", {}, ...rows, total)),
  ];
}

/**
 * Return the result in a few lines, and where one may go from there.
 * @param {PositionWith<ShownBoards>} position
 * @param {Outcome} outcome
 * @param {string} id
 */
export function summary(position, outcome, id) {
  const lines = position.board.halves.map(({ number, points, ended }) =>
    make("p", { class: "quiet" }, `Board ${number}: ${points.join(" : ")}, ${ended}`),
  );
  return make("section", { class: "card match-result", "aria-label": "Result" }, make("h2", {}, headline(position, outcome)), ...lines, linksAfter(id));
}

/**
 * @param {PositionWith<ShownBoards>} position
 * @param {Outcome} outcome
 */
function headline({ seats }, outcome) {
  const [first, second] = outcome.scores;
  const score = `${Math.max(first, second)}\u00a0:\u00a0${Math.min(first, second)}`;
  if (outcome.winner === null) return `A draw, ${score}`;
  const winner = seats.find((seat) => seat.team === outcome.winner);
  const isYou = winner?.is_yours && !seats.every((seat) => seat.is_yours);
  return `${isYou ? "You" : winner?.name} won, ${score}`;
}
