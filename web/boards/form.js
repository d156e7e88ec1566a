// How a game without signs of its own is played on the board: by a button for each legal order.

import { make, write } from "../shared/elements.js";
import { deliverOrder, lateReason, failureReason } from "./deliveries.js";
import { refuse, say } from "./page.js";
import { playOn } from "./play.js";

/** @import { Order } from "./deliveries.js" */
/** @import { OrderingLayer } from "./ordering.js" */
/** @import { Choice, Form, GamePage, OrderingListener, PlayedBoard, PositionWith } from "./types.d.ts" */

/** @implements {PlayedBoard<Form>} */
class GameBoard {
  /** @type {OrderingLayer | null} */
  layer = null;

  /** @param {GamePage} page */
  constructor({ id, root, outbox, refresh }) {
    this.id = id;
    this.root = root;
    this.refresh = refresh;
    this.turn = make("h2");
    this.choices = make("div", { class: "choices" });
    this.text = make("pre", { tabindex: 0, "aria-label": "The board in letters" });
    outbox.when("order", async (item, answer) => {
      await refresh();
      refuse(lateReason(item, answer));
    });
    /** @type {OrderingListener} */
    this.listener = { isOpen: () => false, choose: () => {}, point: () => {}, key: () => false };
  }

  /** @param {OrderingLayer} layer */
  start(layer) {
    this.layer = layer;
    const words = make("details", {}, make("summary", {}, "The board in letters"), this.text);
    this.root.replaceChildren(make("section", { class: "card" }, this.turn, this.choices, words));
  }

  /** @param {PositionWith<Form>} position */
  show(position) {
    const words = turnWords(position);
    if (this.turn.textContent !== words) say(words);
    write(this.turn, words);
    write(this.text, position.board.text);
    const open = position.board.choices.filter((choice) => !findAsk(position, choice)?.is_answered);
    this.choices.replaceChildren(...open.map((choice) => this.form(position, choice)));
  }

  /**
   * @param {PositionWith<Form>} position
   * @param {Choice} choice
   */
  form(position, { team, piece, orders }) {
    const name = [`team ${team}`, ...(piece ? [`piece ${piece}`] : [])].join(", ");
    const step = findAsk(position, { team, piece })?.step ?? position.step;
    const buttons = orders.map((order) =>
      make("button", { type: "button", click: () => this.order({ step, team, piece, order }, name) }, formatOrder(order)),
    );
    return make("section", { "aria-label": name }, make("h3", {}, name), make("div", { class: "acts" }, ...buttons));
  }

  /**
   * @param {Order} body
   * @param {string} name
   */
  async order(body, name) {
    refuse("");
    const answer = await deliverOrder(this.id, `${formatOrder(body.order)} for ${name}`, body);
    refuse(failureReason(answer));
    if (!answer.isWaiting) await this.refresh();
  }
}

/** @param {PositionWith<Form>} position */
function turnWords({ turn: number, outcome, board, seats }) {
  if (outcome) {
    const winner = seats.find((seat) => seat.team === outcome.winner);
    return winner ? `${winner.name} won` : "A draw";
  }
  return `Turn ${number}: ${board.choices.length ? "your turn" : "the others think"}`;
}

/**
 * @param {PositionWith<Form>} position
 * @param {{ team: number, piece: number }} choice
 */
const findAsk = ({ asks }, { team, piece }) => asks.find((ask) => ask.team === team && ask.piece === piece);

/** @param {unknown} order */
const formatOrder = (order) => (typeof order === "object" ? JSON.stringify(order) : String(order));

playOn(GameBoard);
