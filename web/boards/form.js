// The page of a game without a board of its own: its text, and a button for each legal order.

import { deliverOrder, lateReason, outboxOf, reasonOf } from "./deliveries.js";
import { byId, make, write } from "../shared/elements.js";
import { connect, refuse, say } from "./page.js";

const main = byId("board");
const { id } = main.dataset;
const turn = make("h2", { id: "turn" });
const teams = make("ul", { class: "teams" });
const text = make("pre", { class: "text card", tabindex: 0, "aria-label": "The board" });
const choices = make("div", { class: "choices" });
main.replaceChildren(turn, teams, text, choices);
const outbox = outboxOf(id);
outbox.when("order", async (item, answer) => {
  await refresh();
  refuse(lateReason(item, answer));
});
const refresh = connect(id, show);

function show(position) {
  const words = turnWords(position);
  if (turn.textContent !== words) say(words);
  write(turn, words);
  teams.replaceChildren(
    ...position.seats.map(({ team, name }) =>
      make("li", {}, `${name}: ${position.scores[team - 1]} points, ${position.board.left[team - 1]}`),
    ),
  );
  write(text, position.board.text);
  const open = position.board.choices.filter((choice) => !askOf(position, choice)?.is_answered);
  choices.replaceChildren(...open.map((choice) => form(position, choice)));
}

function turnWords({ turn: number, outcome, board, seats }) {
  if (outcome) {
    const winner = seats.find((seat) => seat.team === outcome.winner);
    return `Over: ${winner ? `${winner.name} won` : "a draw"} (${outcome.reason})`;
  }
  return `Turn ${number}: ${board.choices.length ? "your turn" : "the others think"}`;
}

const askOf = ({ asks }, { team, piece }) => asks.find((ask) => ask.team === team && ask.piece === piece);

function form(position, choice) {
  const { team, piece } = choice;
  const name = [`team ${team}`, ...(piece ? [`piece ${piece}`] : [])].join(", ");
  const { step } = askOf(position, choice);
  const order = async (value) => {
    refuse("");
    const answer = await deliverOrder(id, `${wordsOf(value)} for ${name}`, { step, team, piece, order: value });
    refuse(reasonOf(answer));
    if (!answer.isWaiting) await refresh();
  };
  return make(
    "section",
    { "aria-label": name },
    make("h3", {}, name),
    make("div", { class: "buttons" }, ...choice.orders.map((each) => make("button", { type: "button", click: () => order(each) }, wordsOf(each)))),
  );
}

const wordsOf = (order) => (typeof order === "object" ? JSON.stringify(order) : String(order));
