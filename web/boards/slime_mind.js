// How Slime Mind is played on the map: each slime is told what to do, one by one or all together.
// What an order to a square comes to is told by the server; the page knows no rule.

import { GameBoard } from "./game_board.js";
import { say } from "./page.js";
import { playOn } from "./play.js";
import { Premoves } from "./slime_mind_orders.js";
import { SlimePanel } from "./slime_mind_panel.js";

/** @import { EventText } from "../shared/types.d.ts" */
/** @import { OrderingLayer } from "./ordering.js" */
/** @import { GamePage, Look, MapShown, OrderAhead, OrderingListener, PlayedBoard, PositionWith, SignWithText, SlimeShown, TourStep } from "./types.d.ts" */

const MAP = 1; // the number of the only board

// Of orders that lead to no square beside the slime as the board is now.
/** @type {Record<string, string>} */
const LETTERS = {
  EAT: "E", SPLIT: "S", MERGE: "M", WAIT: "–", LEFT: "←", RIGHT: "→", UP: "↑", DOWN: "↓",
  BITELEFT: "⇐", BITERIGHT: "⇒", BITEUP: "⇑", BITEDOWN: "⇓",
};

/** @type {TourStep[]} */
const TOUR = [
  ["#stage", "Your slimes eat plants and grow. The higher the levels of all your slimes at the end, the more points you have."],
  ["#stage", "Each slime with a ring waits for an order. Click it, then a square beside it: a dot is a step, a red ring a bite. A square farther away is where it goes, turn by turn."],
  [".slimes", "Or order here: eat what is near, split, merge, wait."],
  [".slimes .sending", "Orders are kept as you give them, and played when you send them."],
  ["[data-action=help]", "The aim and the orders stand behind this question mark, in four pictures."],
];

/**
 * @extends {GameBoard<MapShown>}
 * @implements {PlayedBoard<MapShown>}
 */
class SlimeMindBoard extends GameBoard {
  tour = TOUR;
  speed = 1; // half the usual one
  // The slime that is told what to do.
  /** @type {number | null} */
  held = null;
  pointed = "";

  /** @param {GamePage} page */
  constructor(page) {
    super(page);
    const { id, outbox, refresh } = page;
    this.ahead = new Premoves({ id, outbox, refresh, changed: () => this.render(), refuse: (words) => this.panel.refuse(words) });
    this.panel = new SlimePanel({
      order: (order) => this.order(order),
      everybodyEats: () => this.everybodyEats(),
      clear: () => this.clear(),
      send: () => this.send(),
      next: () => this.next(),
      changeDirect: (isDirect) => this.changeDirect(isDirect),
    });
    /** @type {OrderingListener} */
    this.listener = {
      isOpen: () => this.waiting.length > 0,
      choose: (_, square) => this.choose(square),
      lift: (_, square) => this.waiting.some((slime) => slime.square === square),
      carry: (_, square) => this.hold(this.slimeOn(square)?.id ?? null),
      drop: (_, square, target) => this.drop(square, target),
      point: (_, square) => this.point(square),
      key: (event) => this.onKey(event),
    };
  }

  /** @param {OrderingLayer} layer */
  start(layer) {
    super.start(layer);
    this.root.replaceChildren(this.panel.node);
  }

  /**
   * @param {PositionWith<MapShown>} position
   * @param {EventText[]} happened
   */
  show(position, happened) {
    const before = this.take(position);
    const isNewTurn = before?.turn !== position.turn;
    this.ahead.show(position);
    if (!this.waiting.some((slime) => slime.id === this.held)) this.held = null;
    if (isNewTurn) this.panel.refuse("");
    if (isNewTurn || this.ahead.isDirect) this.holdNext();
    for (const { words } of happened) say(words);
    if (isNewTurn && this.waiting.length) {
      say(`Turn ${position.turn}. ${this.panel.countWords(this.waiting, this.ahead)}`);
      if (before) this.layer.viewer.sounds.play("turn");
    }
    const [first] = this.waiting;
    if (!before && first) this.layer.enterAt(MAP, first.square);
    this.render();
  }

  /** The own slimes that have yet to act in this turn. */
  get waiting() {
    if (!this.newest || this.newest.outcome) return [];
    return this.newest.board.slimes.filter((slime) => slime.is_waiting);
  }

  /** @param {string} square */
  slimeOn(square) {
    return this.position.board.slimes.find((slime) => slime.square === square);
  }

  get heldSlime() {
    return this.waiting.find((slime) => slime.id === this.held);
  }

  render() {
    const { board } = this.position;
    this.panel.show(this.position, this.waiting, this.heldSlime, this.ahead);
    /** @type {Map<string, Look>} */
    const looks = new Map();
    for (const [square, words] of Object.entries(board.others)) looks.set(square, { label: `${square}, ${words}` });
    for (const slime of board.slimes) looks.set(slime.square, this.makeLook(slime));
    const held = this.heldSlime;
    for (const [square, command] of Object.entries(held?.sides ?? {})) {
      const isBite = command.startsWith("BITE");
      const label = `${looks.get(square)?.label ?? square}, ${isBite ? "can be bitten" : "can go here"}`;
      looks.set(square, { label, signs: [isBite ? "captures" : "can"] });
    }
    if (held && this.pointed && !looks.get(this.pointed)?.signs) {
      looks.set(this.pointed, { label: looks.get(this.pointed)?.label ?? this.pointed, signs: ["aimed"] });
    }
    this.layer.show(MAP, looks);
  }

  /**
   * @param {SlimeShown} slime
   * @returns {Look}
   */
  makeLook(slime) {
    const order = this.ahead.get(slime);
    const state = !slime.is_waiting ? "has acted" : order ? this.panel.describeOrder(order) : "waits for an order";
    const label = `${slime.square}, your slime ${slime.id}, level ${slime.level}, ${slime.hp} of ${slime.max_hp} hp, ${state}`;
    /** @type {Look["signs"]} */
    const signs = [];
    if (slime.is_waiting) signs.push(order ? this.signFor(order, slime) : "waits", "movable");
    if (slime.id === this.held) signs.push("held");
    signs.push(["level", String(slime.level)]);
    return { label, signs };
  }

  /**
   * Return the sign of an order: a line to where it goes, or a letter.
   * @param {OrderAhead} order
   * @param {SlimeShown} slime
   * @returns {SignWithText}
   */
  signFor(order, slime) {
    const square =
      typeof order === "string"
        ? Object.keys(slime.sides).find((side) => slime.sides[side] === order)
        : `${order[1]}, ${order[2]}`;
    if (!square) return ["told", LETTERS[String(order)]];
    const grid = this.layer.grids[MAP - 1];
    const [[fromX, fromY], [toX, toY]] = [grid.squareCenter(slime.square), grid.squareCenter(square)];
    return [String(order).startsWith("BITE") ? "bites" : "goes", `${toX - fromX} ${toY - fromY}`];
  }

  // ---- what the reader does

  /**
   * Take up a slime, or tell the one that is held what to do there.
   * @param {string} square
   */
  choose(square) {
    const slime = this.slimeOn(square);
    if (slime?.is_waiting) this.hold(slime.id === this.held ? null : slime.id);
    else if (this.heldSlime) this.orderTo(this.heldSlime, square);
    else if (slime) this.panel.refuse(`Slime ${slime.id} has acted in this turn.`);
    else this.panel.refuse("Choose one of your slimes first.");
  }

  /**
   * @param {string} square
   * @param {string} target
   */
  drop(square, target) {
    const slime = this.slimeOn(square);
    if (slime && target && target !== square) this.orderTo(slime, target);
    this.layer.settle();
  }

  /** @param {number | null} id */
  hold(id) {
    this.held = id;
    this.panel.refuse("");
    const slime = this.heldSlime;
    if (slime) say(`Slime ${id} chosen.`);
    this.render();
  }

  /**
   * Order what a click on a square means: a step, a bite, or to go there.
   * @param {SlimeShown} slime
   * @param {string} square
   */
  orderTo(slime, square) {
    const [x, y] = square.split(", ").map(Number);
    this.held = slime.id;
    this.order(slime.sides[square] ?? ["GO", x, y]);
  }

  /** @param {OrderAhead} order */
  order(order) {
    const slime = this.heldSlime;
    if (!slime) {
      this.panel.refuse("Choose one of your slimes first.");
      return;
    }
    const why = typeof order === "string" ? slime.no_effect[order] : undefined;
    this.panel.refuse(why ? `As it is now, this does nothing: ${why}.` : "");
    say(`Slime ${slime.id}: ${this.panel.describeOrder(order)}.`);
    this.ahead.set([slime], order);
    this.holdNext(slime);
    this.render();
  }

  /**
   * Hold the next slime without an order: the one that is asked, then those after the last one.
   * @param {SlimeShown} [last]
   */
  holdNext(last) {
    const left = this.waiting.filter((slime) => !this.ahead.get(slime));
    const asked = left.find((slime) => slime.id === this.position.board.acting);
    const after = left.find((slime) => last && slime.id > last.id);
    this.held = ((this.ahead.isDirect && asked) || after || left[0])?.id ?? null;
  }

  next() {
    const place = this.waiting.findIndex((slime) => slime.id === this.held);
    this.hold(this.waiting[(place + 1) % this.waiting.length]?.id ?? null);
    const slime = this.heldSlime;
    if (slime) this.layer.focus(MAP, slime.square);
  }

  everybodyEats() {
    this.ahead.set(this.waiting.filter((slime) => !this.ahead.get(slime)), "EAT");
    this.held = null;
    this.render();
  }

  clear() {
    this.ahead.clear(this.waiting);
    this.holdNext();
    this.render();
  }

  send() {
    if (!this.waiting.some((slime) => this.ahead.get(slime))) this.panel.refuse("No slime has an order yet.");
    else this.ahead.send();
  }

  /** @param {boolean} isDirect */
  changeDirect(isDirect) {
    this.ahead.isDirect = isDirect;
    this.render();
  }

  /** @param {string} square */
  point(square) {
    if (this.pointed === square) return;
    this.pointed = square;
    if (this.held !== null) this.render();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const order = { e: "EAT", s: "SPLIT", m: "MERGE", w: "WAIT" }[event.key.toLowerCase()];
    if (order && this.heldSlime) this.order(order);
    else if (event.key === "n") this.next();
    else if (event.key === "Escape" && this.held !== null) this.hold(null);
    else return false;
    return true;
  }
}

playOn(SlimeMindBoard);
