// What stands beside the map of Slime Mind: whose turn it is, the slime that is told what to do, and
// how the orders are sent.

import { button, make, mark, write } from "../shared/elements.js";
import { toOneDecimal } from "../viewer/formats.js";
import { refuse } from "./page.js";
import { wasSeen } from "./tour.js";

/** @import { MapShown, OrderAhead, PositionWith, SlimeShown } from "./types.d.ts" */
/** @import { Premoves } from "./slime_mind_orders.js" */

/**
 * @typedef {object} PanelActions
 * @property {(order: OrderAhead) => void} order
 * @property {() => void} everybodyEats
 * @property {() => void} clear
 * @property {() => void} send
 * @property {() => void} next
 * @property {(isDirect: boolean) => void} changeDirect
 */

/** @type {[order: string, sign: string, place: string][]} */
const PAD = [
  ["UP", "↑", "up"],
  ["LEFT", "←", "left"],
  ["WAIT", "Wait", "middle"],
  ["RIGHT", "→", "right"],
  ["DOWN", "↓", "down"],
];
/** @type {[order: string, words: string][]} */
const SPECIAL = [
  ["EAT", "Eat what is near"],
  ["SPLIT", "Split"],
  ["MERGE", "Merge"],
];
/** @type {Record<string, string>} */
const WORDS = {
  EAT: "eats what is near", SPLIT: "splits", MERGE: "merges", WAIT: "waits",
  LEFT: "goes left", RIGHT: "goes right", UP: "goes up", DOWN: "goes down",
  BITELEFT: "bites left", BITERIGHT: "bites right", BITEUP: "bites up", BITEDOWN: "bites down",
};

export class SlimePanel {
  /** @type {SlimeShown | undefined} */
  #held;

  /** @param {PanelActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.refused = make("p", { class: "refused", role: "alert" });
    this.turn = make("h2");
    this.count = make("p", { class: "turn" });
    this.points = make("p", { class: "scores" });
    this.chosen = make("p", { class: "chosen-slime" });
    this.pad = make("div", { class: "pad", role: "group", "aria-label": "A step, or a bite of what stands there" }, ...PAD.map(([order, sign, place]) => this.#padButton(order, sign, place)));
    this.special = make("div", { class: "acts" }, ...SPECIAL.map(([order, words]) => button(words, () => actions.order(order), { "data-order": order })));
    this.bites = make("div", { class: "acts" }, ...Object.keys(WORDS).filter((order) => /LEFT|RIGHT|UP|DOWN/.test(order)).map((order) => button(WORDS[order], () => actions.order(order), { "data-order": order })));
    this.commands = make("div", { class: "commands" }, this.pad, make("div", { class: "beside" }, this.chosen, this.special));
    this.more = make("details", {}, make("summary", {}, "All steps and bites"), make("p", { class: "quiet" }, "Also where nothing is to be done there now: the slimes before may change it."), this.bites);
    this.sendButton = button("Send", actions.send, { class: "primary" });
    this.eatButton = button("Others eat", actions.everybodyEats);
    this.eatButton.hidden = !wasSeen("played slime_mind"); // the first game is to be played, not to be looked at
    this.clearButton = button("Clear", actions.clear);
    this.nextButton = button("Next", actions.next);
    /** @type {HTMLInputElement} */
    this.direct = make("input", { type: "checkbox", change: () => actions.changeDirect(this.direct.checked) });
    this.doing = make("div", { class: "sending" }, make("div", { class: "acts" }, this.sendButton, this.eatButton, this.nextButton, this.clearButton), make("label", { class: "direct" }, this.direct, " Send each order at once"));
    this.node = make(
      "section",
      { class: "card slimes", "aria-label": "Your slimes" },
      make("div", { class: "head" }, make("div", { class: "words" }, this.turn, this.count), this.points),
      this.refused,
      this.commands,
      this.doing,
      this.more,
    );
  }

  /**
   * @param {PositionWith<MapShown>} position
   * @param {SlimeShown[]} waiting
   * @param {SlimeShown | undefined} held
   * @param {Premoves} ahead
   */
  show(position, waiting, held, ahead) {
    const { board, outcome, seats } = position;
    const isPlaying = seats.some((seat) => seat.is_yours) && !outcome;
    write(this.turn, `Turn ${board.turn} of ${board.last_turn}`);
    write(this.count, outcome ? "The game is over." : waiting.length ? this.countWords(waiting, ahead) : this.#othersWords(position));
    this.node.classList.toggle("mine", isPlaying && waiting.length > 0);
    write(this.points, board.scores.map(toOneDecimal).join(" : "));
    for (const part of [this.commands, this.doing, this.more]) part.hidden = !isPlaying;
    this.#showHeld(held, ahead);
    const given = waiting.filter((slime) => ahead.get(slime)).length;
    write(this.sendButton, given && given < waiting.length ? `Send ${given} of ${waiting.length}` : waiting.length > 1 ? `Send all ${waiting.length}` : "Send");
    mark(this.sendButton, "aria-disabled", String(given === 0));
    mark(this.eatButton, "aria-disabled", String(given === waiting.length));
    mark(this.clearButton, "aria-disabled", String(given === 0));
    mark(this.nextButton, "aria-disabled", String(waiting.length < 2));
    this.direct.checked = ahead.isDirect;
  }

  /**
   * Say how many slimes have orders.
   * @param {SlimeShown[]} waiting
   * @param {Premoves} ahead
   */
  countWords(waiting, ahead) {
    const given = waiting.filter((slime) => ahead.get(slime)).length;
    const slimes = waiting.length === 1 ? "slime waits" : "slimes wait";
    return given ? `${given} of ${waiting.length} ${waiting.length === 1 ? "slime has an order" : "slimes have orders"}` : `${waiting.length} ${slimes} for your orders`;
  }

  /** @param {PositionWith<MapShown>} position */
  #othersWords({ seats, asks }) {
    const asked = seats.find((seat) => seat.team === asks[0]?.team);
    if (!asked) return "";
    return `${asked.name} ${asked.kind !== "person" ? "is thinking" : "orders"}`;
  }

  /**
   * @param {SlimeShown | undefined} held
   * @param {Premoves} ahead
   */
  #showHeld(held, ahead) {
    const order = held && ahead.get(held);
    const is = order ? `, ${this.describeOrder(order)}` : "";
    write(this.chosen, held ? `Slime ${held.id}: level ${held.level}, ${held.hp} of ${held.max_hp} hp, ${held.xp} xp${is}` : "Choose one of your slimes, or drag it.");
    this.#held = held;
    for (const each of this.node.querySelectorAll("[data-order]")) {
      const meant = this.#withBite(each.getAttribute("data-order") ?? "", each.hasAttribute("data-side"));
      mark(each, "aria-pressed", String(held !== undefined && meant === order));
      mark(each, "aria-disabled", String(!held));
      const why = held?.no_effect[meant];
      mark(each, "aria-description", why && `does nothing as it is now: ${why}`);
      each.classList.toggle("idle", Boolean(why));
    }
  }

  /**
   * Return what a button orders: one for a side bites what stands there.
   * @param {string} order
   * @param {boolean} isSide
   */
  #withBite(order, isSide) {
    const bite = `BITE${order}`;
    return isSide && Object.values(this.#held?.sides ?? {}).includes(bite) ? bite : order;
  }

  /** @param {OrderAhead} order */
  describeOrder(order) {
    return typeof order === "string" ? WORDS[order] : `goes to ${order[1]}, ${order[2]}`;
  }

  /** @param {string} words */
  refuse(words) {
    refuse(words, this.refused);
  }

  /**
   * @param {string} order
   * @param {string} sign
   * @param {string} place
   */
  #padButton(order, sign, place) {
    const isSide = order !== "WAIT";
    const label = isSide ? `A step or a bite ${order.toLowerCase()}` : null;
    const click = () => this.actions.order(this.#withBite(order, isSide));
    return make("button", { type: "button", class: place, "data-order": order, "data-side": isSide, "aria-label": label, click }, sign);
  }
}
