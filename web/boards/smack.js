// The page of a game of Smack!: two boards, who plays, what is said, and how it ends.

import { deliverAct, deliverOrder, deliverTakeBack } from "./deliveries.js";
import { lateReason, outboxOf, reasonOf, waitingOrder } from "./deliveries.js";
import { byId } from "../shared/elements.js";
import { connect, refuse, say } from "./page.js";
import { figures } from "./smack_figures.js";
import { HalfPanel } from "./smack_half.js";
import { MatchPanel, showResult } from "./smack_match.js";
import { partsOf } from "./smack_squares.js";

const main = byId("board");
const { id } = main.dataset;
const panels = [1, 2].map((number) => new HalfPanel(number, { order, act, takeBack, waitingMove }));
const match = new MatchPanel(panels, { choose: chooseBoard });
let position = null;

const outbox = outboxOf(id);
outbox.when("order", (item, answer) => tellLate(panels[item.body.piece - 1], item, answer));
outbox.when("act", (item, answer) => tellLate(panels[item.body.piece - 1], item, answer));
const refresh = connect(id, show);

/** Show a position, and say what happened since the last one. */
function show(next, happened) {
  const before = position;
  position = next;
  if (!before) begin();
  for (const panel of panels) panel.show(position);
  match.show(position);
  happened.forEach(tell);
  tellTurns(before);
  if (before && !before.outcome && position.outcome) showResult(position, id);
}

function begin() {
  main.replaceChildren(figures(), match.teams, match.tabs, ...panels.map((panel) => panel.node), match.notes);
  const first = position.board.halves.find((half) => Object.keys(half.moves).length);
  chooseBoard(first?.number ?? 1);
}

/** Phones show one board at a time. */
function chooseBoard(number) {
  main.dataset.shown = number;
  match.choose(number);
}

function tell({ team, words, piece }) {
  const who = team ? `${match.nameOf(team)}: ` : "";
  const where = piece ? `Board ${piece}. ` : "";
  say(where + who + spoken(words));
}

function spoken(words) {
  const move = partsOf(words);
  if (!move) return words;
  const captured = move.captured.length ? `, captures ${move.captured.join(", ")}` : "";
  return `${move.source} to ${move.target}${captured}`;
}

function tellTurns(before) {
  for (const [index, panel] of panels.entries()) {
    const half = position.board.halves[index];
    const wasMine = before && Object.keys(before.board.halves[index].moves).length > 0;
    const isNew = before?.board.halves[index].ply !== half.ply;
    if (panel.isMine && (!wasMine || isNew)) say(`Board ${half.number}. ${panel.turnWords}.`);
  }
}

/** Return the step at which the order was asked for that a half waits for. */
function stepOf(half) {
  return position.asks.find((ask) => ask.piece === half.number)?.step ?? position.step;
}

const askOf = (half) => ({ step: stepOf(half), team: half.team_to_move, piece: half.number });

/** Order a move; return "" if the server takes it, or it waits; otherwise the reason why not. */
async function order(half, move) {
  const words = `${move} on board ${half.number}`;
  return answered(await deliverOrder(id, words, { ...askOf(half), order: move }));
}

async function takeBack(half) {
  const words = `take back the move on board ${half.number}`;
  return answered(await deliverTakeBack(id, words, askOf(half)));
}

/** Return the move of a half that waits to be sent. */
function waitingMove(half) {
  return waitingOrder(id, askOf(half))?.body.order;
}

async function act(each) {
  return answered(await deliverAct(id, position, each));
}

/** Ask for the position, should the stream not bring it; return why something was refused. */
async function answered(answer) {
  if (answer.isWaiting) showAgain();
  else if (answer.status) await refresh();
  return reasonOf(answer);
}

function showAgain() {
  for (const panel of panels) panel.show(position);
  match.show(position);
}

/** Show what came of something that had to wait. */
async function tellLate(panel, item, answer) {
  if (answer.status) await refresh();
  showAgain();
  const reason = lateReason(item, answer);
  if (panel) panel.refuse(reason);
  else if (reason) refuse(reason);
}
