// What both boards of Smack! share: the teams, the tabs of a phone, the moves, and the result.

import { make, mark, write } from "../shared/elements.js";
import { linksAfter } from "./page.js";
import { COLORS } from "./smack_half.js";
import { picture } from "./smack_figures.js";

const HELP =
  "To move, drag a piece, or choose it and then its square: by touch, by mouse, or with the arrow " +
  "keys and Enter. Or type the move.";

export class MatchPanel {
  /**
   * @param {HalfPanel[]} panels of both boards
   * @param {{choose: (number: number) => void}} listener which board a phone shows
   */
  constructor(panels, listener) {
    this.panels = panels;
    this.teams = make("div", { class: "teams" });
    this.buttons = panels.map(({ number }) =>
      make("button", { type: "button", click: () => listener.choose(number) }),
    );
    this.tabs = make("nav", { class: "tabs", "aria-label": "Boards" }, ...this.buttons);
    this.lists = panels.map(({ number }) =>
      make("ol", { class: "moves", tabindex: 0, "aria-label": `Moves of board ${number}` }),
    );
    this.result = make("div", { class: "result", hidden: true });
    this.seed = make("p", { class: "seed" });
    this.help = make("p", { class: "help" }, HELP);
    const moves = panels.map(({ number }, index) =>
      make("section", { class: "record", "data-number": number }, make("h3", {}, `Moves of board ${number}`), this.lists[index]),
    );
    this.notes = make("aside", { class: "notes", "aria-label": "Moves and result" }, this.result, ...moves, this.help, this.seed);
  }

  /** Return what a team is called. */
  nameOf(team) {
    return this.panels[0].nameOf(team);
  }

  show(position) {
    this.teams.replaceChildren(...position.seats.map((seat) => teamCard(seat, position)));
    this.showTabs(position);
    position.board.halves.forEach((half, index) => showMoves(this.lists[index], half));
    if (position.outcome && this.result.hidden) {
      this.result.append(...summaryOf(position), linksAfter(this.teams.closest("main").dataset.id));
      this.result.hidden = false;
    }
    mark(this.help, "hidden", position.outcome !== null || !position.seats.some((seat) => seat.is_yours));
    write(this.seed, position.seed ? `Seed: ${position.seed}` : `Seed’s hash: ${position.seed_hash}`);
  }

  /** Show on the tabs which board a phone shows. */
  choose(number) {
    this.buttons.forEach((button, index) => mark(button, "aria-current", index + 1 === number && "true"));
  }

  showTabs({ board }) {
    board.halves.forEach((half, index) => {
      const panel = this.panels[index];
      const call = panel.isShared ? `${COLORS[half.team_to_move - 1]} to move` : "your turn";
      const state = half.ending ? "over" : panel.isWaitingForMe ? call : "waiting";
      const button = this.buttons[index];
      button.replaceChildren(make("b", {}, `Board ${half.number}`), make("span", {}, state));
      button.className = panel.isWaitingForMe ? `tab team-${half.team_to_move} calls` : "tab";
    });
  }
}

/** Show who won and why, over the page. */
export function showResult(position, id) {
  const close = () => dialog.close();
  const dialog = make(
    "dialog",
    { class: "result", "aria-labelledby": "result", close: () => dialog.remove() },
    ...resultOf(position),
    linksAfter(id, make("button", { type: "button", click: close }, "See the boards")),
  );
  document.body.append(dialog);
  dialog.showModal();
}

function teamCard(seat, position) {
  const isShared = position.seats.every((each) => each.is_yours);
  const color = COLORS[seat.team - 1];
  const isNamedYou = seat.name === "You";
  const who = seat.kind === "bot" ? "bot, " : seat.is_yours && !isShared && !isNamedYou ? "you, " : "";
  return make(
    "div",
    { class: `card team team-${seat.team}` },
    picture("nerd", seat.team),
    make("div", { class: "words" }, make("b", {}, seat.name), make("span", {}, who + color)),
    make("b", { class: "score" }, make("span", { class: "unseen" }, "points: "), `${position.scores[seat.team - 1]}`),
  );
}

function showMoves(list, half) {
  while (list.childElementCount > Math.ceil(half.history.length / 2)) list.lastElementChild.remove();
  for (let ply = 0; ply < half.history.length; ply += 2) {
    const item = list.children[ply / 2] ?? list.appendChild(make("li", {}, make("span"), make("span")));
    write(item.children[0], half.history[ply]);
    write(item.children[1], half.history[ply + 1] ?? "");
  }
  if (list.plies !== half.history.length) list.scrollTop = list.scrollHeight;
  list.plies = half.history.length;
}

function resultOf(position) {
  const { outcome, board, seats } = position;
  const rows = board.halves.map((half) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, `Board ${half.number}`),
      ...half.points.map((points) => make("td", {}, `${points}`)),
      make("td", {}, half.ending),
    ),
  );
  const head = seats.map((seat) =>
    make("th", { scope: "col" }, make("span", { class: `chip team-${seat.team}` }, seat.name)),
  );
  const total = make("tr", { class: "total" }, make("th", { scope: "row" }, "Together"), ...outcome.scores.map((score) => make("td", {}, `${score}`)), make("td"));
  return [
    make("h2", { id: "result" }, headline(position)),
    make("p", { class: "quiet" }, `It ended because ${outcome.reason}.`),
    make("table", {}, make("thead", {}, make("tr", {}, make("td"), ...head, make("th", { scope: "col" }, "Why"))), make("tbody", {}, ...rows, total)),
  ];
}

/** Return the result in a few lines. */
function summaryOf(position) {
  const lines = position.board.halves.map(({ number, points, ending }) =>
    make("p", { class: "quiet" }, `Board ${number}: ${points.join(" : ")}, ${ending}`),
  );
  return [make("h2", {}, headline(position)), ...lines];
}

function headline({ outcome, seats }) {
  const [first, second] = outcome.scores;
  const score = `${Math.max(first, second)}\u00a0:\u00a0${Math.min(first, second)}`;
  if (outcome.winner === null) return `A draw, ${score}`;
  const winner = seats.find((seat) => seat.team === outcome.winner);
  const isYou = winner.is_yours && !seats.every((seat) => seat.is_yours);
  return `${isYou ? "You" : winner.name} won, ${score}`;
}
