// How a game without a page of its own is played: by clicks on the squares that its legal orders
// touch, or by a button for each. The server says what may be ordered; the page knows no rule.

import { make, write } from "../shared/elements.js";
import { deliverAct, deliverOrder, deliverTakeBack, failureReason, lateReason, waitingOrder } from "./deliveries.js";
import { GameBoard } from "./game_board.js";
import { refuse, say } from "./page.js";
import { playOn } from "./play.js";

/** @import { OrderingLayer } from "./ordering.js" */
/** @import { Delivery, Item, OpenAsk } from "../shared/types.d.ts" */
/** @import { Choice, Form, GamePage, Look, OrderingListener, PlayedBoard, PositionWith, SignName } from "./types.d.ts" */
// A legal order; `steps` are the squares to click, each with the number of its board before its name.
/** @typedef {{ choice: Choice, order: unknown, words: string, steps: string[][] }} Option */

/**
 * @extends {GameBoard<Form>}
 * @implements {PlayedBoard<Form>}
 */
class FormBoard extends GameBoard {
  // The squares that were clicked for an order that takes several.
  /** @type {string[]} */
  clicked = [];
  pointed = "";

  /** @param {GamePage} page */
  constructor(page) {
    super(page);
    const { outbox, refresh } = page;
    this.turn = make("h2");
    this.choices = make("div", { class: "choices" });
    this.left = make("p", { class: "quiet" });
    this.text = make("pre", { tabindex: 0, "aria-label": "The board in letters" });
    /** @type {(item: Item, answer: Delivery) => Promise<void>} */
    const tellLate = async (item, answer) => {
      await refresh();
      refuse(lateReason(item, answer));
    };
    outbox.when("order", tellLate);
    outbox.when("act", tellLate);
    /** @type {OrderingListener} */
    this.listener = {
      isOpen: () => this.options.some(({ steps }) => steps.length),
      choose: (board, name) => this.choose(`${board} ${name}`),
      lift: (board, name) => this.after([`${board} ${name}`]).some(({ steps }) => steps.length > 1),
      carry: (board, name) => this.hold([`${board} ${name}`]),
      drop: (board, name, target) => this.drop(`${board} ${name}`, target && `${board} ${target}`),
      point: (board, name) => {
        this.pointed = `${board} ${name}`;
        if (this.listener.isOpen()) this.showLooks();
      },
      key: ({ key }) => {
        const isTaken = key === "Escape" && this.clicked.length > 0;
        if (isTaken) this.hold([]);
        return isTaken;
      },
      arrive: () => this.newest && this.render(),
    };
  }

  /** @param {OrderingLayer} layer */
  start(layer) {
    super.start(layer);
    const words = make("details", {}, make("summary", {}, "The board in letters"), this.text);
    this.root.replaceChildren(make("section", { class: "card" }, this.turn, this.choices, this.left, words));
  }

  /** @param {PositionWith<Form>} position */
  show(position) {
    const before = this.take(position);
    if (before?.step !== position.step) this.clicked = [];
    const words = this.turnWords;
    if (this.turn.textContent !== words) say(words);
    write(this.turn, words);
    write(this.text, position.board.text);
    write(this.left, position.board.left.map((words, place) => `${position.seats[place].name}: ${words}`).join(", "));
    this.render();
    const [first] = this.options.flatMap(({ steps }) => steps[0]?.[0] ?? []);
    if (!before && first) this.layer.enterAt(...splitSquare(first));
    if (before && this.options.length && before.step !== position.step) this.layer.viewer.sounds.play("turn");
  }

  showWaiting = () => this.render();

  /** What may be ordered now: asks whose order is given, or waits to be sent, are left out. */
  get options() {
    if (!this.newest) return [];
    return this.newest.board.choices
      .filter((choice) => this.position.asks.some((ask) => isOf(ask, choice) && !ask.is_answered && !waitingOrder(this.id, ask)))
      .flatMap((choice) =>
        choice.orders.map((order, place) => ({
          choice,
          order,
          words: choice.words[place],
          steps: choice.squares[place].map((step) => step.map(([board, name]) => `${board} ${name}`)),
        })),
      );
  }

  /** @param {Choice} choice */
  findAsk(choice) {
    return this.position.asks.find((ask) => isOf(ask, choice));
  }

  /**
   * Return the orders for which these squares are clicked first.
   * @param {string[]} squares
   */
  after(squares) {
    return this.options.filter(({ steps }) => squares.every((square, place) => steps[place]?.includes(square)));
  }

  get turnWords() {
    const { turn: number, outcome, board, seats } = this.position;
    if (outcome) {
      const winner = seats.find((seat) => seat.team === outcome.winner);
      return winner ? `${winner.name} won` : "A draw";
    }
    if (!board.choices.length) return `Turn ${number}: the others think`;
    return `Turn ${number}: ${this.options.length ? "your turn" : "your order is in"}`;
  }

  render() {
    const given = this.position.board.choices.filter((choice) => this.findAsk(choice)?.is_answered);
    this.choices.replaceChildren(
      ...this.position.board.choices.map((choice) => this.section(choice)),
      ...given.map((choice) => {
        const words = `take back the order of ${this.name(choice)}`;
        return button(words, async () => this.finish(await deliverTakeBack(this.id, words, this.askBody(choice))));
      }),
      ...this.position.acts.map((act) => button(`${act.name}${act.piece ? `, ${act.piece}` : ""}`, async () => this.finish(await deliverAct(this.id, this.position, act)))),
    );
    this.showLooks();
  }

  showLooks() {
    for (const { number } of this.layer.grids) this.layer.show(number, this.looks(number, this.after(this.clicked)));
  }

  /** @param {Choice} choice */
  section(choice) {
    const options = this.after(this.clicked).filter((option) => option.choice === choice);
    if (!options.length) return "";
    const buttons = options.map((option) => button(option.words, () => this.order(option)));
    const parts = [make("h3", {}, this.name(choice)), make("div", { class: "acts" }, ...buttons)];
    return make("section", { "aria-label": this.name(choice) }, ...parts);
  }

  /** @param {Choice} choice */
  name({ team, piece }) {
    return [`team ${team}`, ...(piece ? [`piece ${piece}`] : [])].join(", ");
  }

  /**
   * Return what each square of a board shows: what may be clicked next, and what was clicked.
   * @param {number} board
   * @param {Option[]} options
   */
  looks(board, options) {
    /** @type {Map<string, Look>} */
    const looks = new Map();
    for (const [name, thing] of this.layer.thingsOn(board)) looks.set(name, { label: `${name}, ${this.describe(thing)}` });
    /** @type {(square: string, words: string, sign?: SignName) => void} */
    const add = (square, words, sign) => {
      const [number, name] = splitSquare(square);
      if (number !== board) return;
      const { label = name, signs = [] } = looks.get(name) ?? {};
      looks.set(name, { label: words ? `${label}, ${words}` : label, signs: sign && !signs.includes(sign) ? [...signs, sign] : signs });
    };
    for (const { steps, words } of options) {
      const next = steps[this.clicked.length] ?? [];
      const isLast = steps.length === this.clicked.length + 1;
      next.forEach((square, place) => add(square, isLast ? words : "", place ? undefined : "can"));
      if (next.includes(this.pointed)) add(next[0], "", "chosen");
    }
    this.clicked.forEach((square) => add(square, "chosen", "held"));
    return looks;
  }

  /** @param {import("../viewer/types.d.ts").Appearance} thing */
  describe({ kind: number, facts = [] }) {
    const { title, facts: names } = this.layer.viewer.replay.kinds[number];
    const team = facts[names.indexOf("team")];
    return team ? `${title} of team ${team}` : title;
  }

  // ---- what the reader does

  /**
   * Take a click: it goes on with what was clicked before, or begins another order.
   * @param {string} square
   */
  choose(square) {
    const isLast = this.clicked.at(-1) === square;
    const clicked = [[...this.clicked, square], [square]].find((squares) => this.after(squares).length);
    if (!clicked || isLast) {
      this.hold([]);
      if (!isLast) refuse("Nothing can be ordered there: choose a square with a dot.");
      return;
    }
    const options = this.after(clicked);
    if (options.length === 1 && options[0].steps.length === clicked.length) this.order(options[0]);
    else this.hold(clicked);
    // Several orders touch these squares alone: buttons say which.
    if (options.length > 1 && options.every(({ steps }) => steps.length === clicked.length)) {
      say("Choose one of the orders beside the board.");
      this.choices.querySelector("button")?.focus();
    }
  }

  /** @param {string[]} squares */
  hold(squares) {
    refuse("");
    this.clicked = squares;
    this.render();
  }

  /**
   * @param {string} square
   * @param {string} target
   */
  drop(square, target) {
    this.hold(target ? [square] : []);
    if (target && target !== square) this.choose(target);
    this.layer.settle();
  }

  /** @param {Option} option */
  async order({ choice, order, words }) {
    this.hold([]);
    const body = { ...this.askBody(choice), order };
    await this.finish(await deliverOrder(this.id, `${words} for ${this.name(choice)}`, body));
  }

  /** @param {Choice} choice */
  askBody(choice) {
    const { team, piece } = choice;
    return { team, piece, step: this.findAsk(choice)?.step ?? this.position.step };
  }

  /** @param {Delivery} answer */
  async finish(answer) {
    refuse(failureReason(answer));
    if (answer.isWaiting) this.render();
    else await this.refresh();
  }
}

/** @type {(square: string) => [board: number, name: string]} */
const splitSquare = (square) => [Number.parseInt(square, 10), square.slice(square.indexOf(" ") + 1)];
/** @type {(ask: OpenAsk, choice: Choice) => boolean} */
const isOf = (ask, choice) => ask.team === choice.team && ask.piece === choice.piece;
/** @type {(words: string, click: () => unknown) => HTMLElement} */
const button = (words, click) => make("button", { type: "button", click }, `${words[0].toUpperCase()}${words.slice(1)}`);

playOn(FormBoard);
