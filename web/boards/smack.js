// How Smack! is played on the board: which pieces can be moved where comes with the position.

import { deliverAct, deliverOrder, deliverTakeBack, failureReason, lateReason, waitingOrder } from "./deliveries.js";
import { make, mark, write } from "../shared/elements.js";
import { GameBoard } from "./game_board.js";
import { refuse, say } from "./page.js";
import { playOn } from "./play.js";
import { HalfPanel } from "./smack_half.js";

/** @import { Delivery, EventText, Item } from "../shared/types.d.ts" */
/** @import { OrderingLayer } from "./ordering.js" */
/** @import { SignName } from "./signs.js" */
/** @import { GamePage, OrderingListener, PlayedBoard, PositionWith, ShownBoards, ShownHalf, TourStep } from "./types.d.ts" */
/** @typedef {{ board: number, square: string }} Square */

/** @type {TourStep[]} */
const TOUR = [
  ["#stage", "Two boards, and on both you play the same color: nerds on one, bullies on the other. Who sends more of the other’s pieces to the nurse’s office wins."],
  [".half", "A panel for each board: whose turn it is there, the points, and a yellow frame when it is yours."],
  ["#stage", "Click one of your pieces, or drag it: dots are where it can go, red rings are captures. The arrow keys and Enter do the same."],
  ["#deck", "Look back at any moment here, with ← and →, or by a click on a move. “Back to now” returns."],
  ["[data-action=help]", "How the pieces move stands behind this question mark, in four pictures."],
];

/**
 * @extends {GameBoard<ShownBoards>}
 * @implements {PlayedBoard<ShownBoards>}
 */
class SmackBoard extends GameBoard {
  tour = TOUR;
  // The piece that was picked up.
  /** @type {Square | null} */
  held = null;
  /** @type {Square | null} */
  pointed = null;
  // On a phone: the buttons that show one of the boards, and the number of the shown one.
  #tabs = [1, 2].map((number) => make("button", { type: "button", click: () => this.showBoard(number) }));
  #shown = 0;

  /** @param {GamePage} page */
  constructor(page) {
    super(page);
    const { root, outbox } = page;
    root.before(make("div", { id: "boards", role: "group", "aria-label": "Boards" }, ...this.#tabs));
    this.panels = [1, 2].map((number) => new HalfPanel(number, {
      order: (half, move) => this.order(half, move),
      act: async (each) => this.onAnswer(await deliverAct(this.id, this.position, each)),
      takeBack: (half) => this.takeBack(half),
      waitingMove: (half) => this.waitingMove(half),
    }));
    outbox.when("order", (item, answer) => this.tellLate(item, answer));
    outbox.when("act", (item, answer) => this.tellLate(item, answer));
    /** @type {OrderingListener} */
    this.listener = {
      isOpen: () => this.panels.some((panel) => panel.isMine),
      choose: (board, square) => this.choose(board, square),
      lift: (board, square) => this.lift(board, square),
      carry: (board, square) => this.pickUp(board, square),
      drop: (board, square, target) => this.drop(board, square, target),
      point: (board, square) => this.point(board, square),
      key: (event) => this.onKey(event),
    };
  }

  /** @param {OrderingLayer} layer */
  start(layer) {
    super.start(layer);
    for (const panel of this.panels) panel.picture = (name) => layer.makePicture(name);
    this.root.replaceChildren(...this.panels.map((panel) => panel.node));
  }

  /**
   * @param {PositionWith<ShownBoards>} position
   * @param {EventText[]} happened
   */
  show(position, happened) {
    const before = this.take(position);
    const { halves } = position.board;
    if (this.held && !(this.held.square in halves[this.held.board - 1].moves)) this.held = null;
    for (const panel of this.panels) panel.show(position);
    this.showTabs(before?.board.halves);
    if (!before) this.enter(halves);
    this.showLooks();
    this.showWaiting();
    happened.forEach((each) => this.tell(each));
    this.tellTurns(before);
    if (before) this.sound(before, halves);
  }

  /**
   * Mark the board that waits for the reader; one that ends leaves its room to the other.
   * @param {ShownHalf[]} [before]
   */
  showTabs(before) {
    const { halves } = this.position.board;
    if (!before || before.some(({ ending }, index) => !ending !== !halves[index].ending)) {
      const open = this.panels.filter(({ half }) => !half.ending);
      const next = open.find(({ number }) => number === this.#shown) ?? open.find((panel) => panel.isWaitingForMe) ?? open[0];
      this.showBoard(next?.number ?? (this.#shown || 1));
    }
    this.panels.forEach(({ half: { ending, points }, isWaitingForMe }, index) => {
      const tab = this.#tabs[index];
      tab.className = isWaitingForMe ? "waits" : ending ? "over" : "";
      write(tab, `${ending ? "✓ " : ""}Board ${index + 1}${isWaitingForMe ? ": your turn" : ""}, ${points.join("\u00a0:\u00a0")}`);
    });
  }

  /** @param {number} number */
  showBoard(number) {
    this.#shown = number;
    this.#tabs.forEach((tab, index) => mark(tab, "aria-pressed", `${index + 1 === number}`));
    for (const panel of this.panels) panel.node.classList.toggle("behind", panel.number !== number);
    const isAlone = this.panels.filter(({ half }) => !half.ending).length === 1;
    document.body.classList.toggle("alone", isAlone);
    this.layer.viewer.showPart(number - 1, isAlone);
  }

  /**
   * Let hear what happened on both boards, and that it is the reader's turn.
   * @param {PositionWith<ShownBoards>} before
   * @param {ShownHalf[]} halves
   */
  sound(before, halves) {
    const { sounds } = this.layer.viewer;
    const moved = halves.filter((half, index) => half.ply > before.board.halves[index].ply);
    if (moved.length) sounds.play(moved.some((half) => half.captured.length) ? "capture" : "move");
    /** @param {PositionWith<ShownBoards>} position */
    const canMove = (position) => position.board.halves.some((half) => Object.keys(half.moves).length);
    if (canMove(this.position) && !canMove(before)) sounds.play("turn");
  }

  /**
   * Let Tab lead to a piece that can be moved.
   * @param {ShownHalf[]} halves
   */
  enter(halves) {
    for (const half of halves) {
      const [first] = Object.keys(half.moves);
      if (first) this.layer.enterAt(half.number, first);
    }
  }

  /** Let the pieces of moves that wait to be sent stand where they go. */
  showWaiting() {
    for (const panel of this.panels) {
      const parts = panel.waitingMove && parseMove(panel.waitingMove);
      if (parts) this.layer.move(panel.number, parts.source, parts.target);
    }
  }

  // ---- squares

  showLooks() {
    for (const half of this.position.board.halves) this.layer.show(half.number, this.makeLooks(half));
  }

  /** @param {ShownHalf} half */
  makeLooks(half) {
    const { number, moves, nerds, bullies } = half;
    const held = this.held?.board === number ? this.held.square : null;
    const targets = (held && moves[held]) || {};
    const victims = (this.pointed?.board === number && targets[this.pointed.square]) || [];
    /** @type {Map<string, { words: string[], signs: SignName[] }>} */
    const looks = new Map();
    /** @type {(square: string, sign: SignName | "", ...words: string[]) => void} */
    const add = (square, sign, ...words) => {
      const look = looks.get(square) ?? { words: [square], signs: [] };
      if (sign) look.signs.push(sign);
      look.words.push(...words);
      looks.set(square, look);
    };
    for (const square of nerds) add(square, "", this.pieceName(half, "nerd"));
    for (const square of bullies) add(square, "", this.pieceName(half, "bully"));
    for (const square of half.captured) add(square, "captured");
    for (const square of Object.keys(moves)) {
      if (square === held) add(square, "held", "picked up");
      else add(square, "movable", "can be moved");
    }
    for (const [square, captured] of Object.entries(targets)) {
      if (captured.length) add(square, "captures", `captures ${captured.join(", ")}`);
      else add(square, "can", "can go here");
    }
    for (const square of victims) add(square, "victim");
    return new Map([...looks].map(([square, { words, signs }]) => [square, { label: words.join(", "), signs }]));
  }

  /**
   * @param {ShownHalf} half
   * @param {"nerd" | "bully"} kind
   */
  pieceName(half, kind) {
    const team = (kind === "nerd") === (half.nerds_team === 1) ? 1 : 2;
    return `${this.panels[0].possessive(team)} ${kind}`;
  }

  // ---- what the reader does

  /**
   * Pick up what stands here, or put what is held down here.
   * @param {number} board
   * @param {string} square
   */
  choose(board, square) {
    const { moves } = this.position.board.halves[board - 1];
    const panel = this.panels[board - 1];
    if (this.held?.board === board && this.held.square === square) this.putBack();
    else if (square in moves) this.pickUp(board, square);
    else if (this.held?.board === board) this.move(board, this.held.square, square);
    else panel.refuse(panel.whyNot(square));
  }

  /**
   * @param {number} board
   * @param {string} square
   */
  lift(board, square) {
    const isMovable = square in this.position.board.halves[board - 1].moves;
    return isMovable && this.panels[board - 1].isMine;
  }

  /**
   * @param {number} board
   * @param {string} square
   * @param {string} target
   */
  drop(board, square, target) {
    if (target && target !== square) this.move(board, square, target);
    else this.showLooks();
  }

  /**
   * @param {number} board
   * @param {string} square
   */
  pickUp(board, square) {
    this.panels[board - 1].refuse("");
    this.held = { board, square };
    this.showLooks();
    const count = Object.keys(this.position.board.halves[board - 1].moves[square]).length;
    say(`${square} picked up, ${count} ${count === 1 ? "move" : "moves"}.`);
  }

  putBack() {
    if (this.held) say(`${this.held.square} put back.`);
    this.held = null;
    this.showLooks();
  }

  /**
   * Order a move; the piece stands on its target until the server answers.
   * @param {number} board
   * @param {string} source
   * @param {string} target
   */
  async move(board, source, target) {
    const half = this.position.board.halves[board - 1];
    if (target in (half.moves[source] ?? {})) this.layer.move(board, source, target);
    if (await this.panels[board - 1].order(`${source}-${target}`)) this.held = null;
    else this.layer.settle();
    this.showLooks();
  }

  /**
   * @param {number} board
   * @param {string} square
   */
  point(board, square) {
    this.pointed = board ? { board, square } : null;
    if (this.held) this.showLooks();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key !== "Escape" || !this.held) return false;
    this.putBack();
    return true;
  }

  // ---- the server

  /** @param {ShownHalf} half */
  currentAsk(half) {
    const step = this.position.asks.find((ask) => ask.piece === half.number)?.step ?? this.position.step;
    return { step, team: half.team_to_move, piece: half.number };
  }

  /**
   * Order a move; return "" if the server takes it, or it waits; otherwise the reason why not.
   * @param {ShownHalf} half
   * @param {string} move
   */
  async order(half, move) {
    const words = `${move} on board ${half.number}`;
    return this.onAnswer(await deliverOrder(this.id, words, { ...this.currentAsk(half), order: move }));
  }

  /** @param {ShownHalf} half */
  async takeBack(half) {
    const words = `take back the move on board ${half.number}`;
    return this.onAnswer(await deliverTakeBack(this.id, words, this.currentAsk(half)));
  }

  /**
   * Return the move of a half that waits to be sent.
   * @param {ShownHalf} half
   */
  waitingMove(half) {
    return /** @type {string | undefined} */ (waitingOrder(this.id, this.currentAsk(half))?.body?.order);
  }

  /**
   * Ask for the position, should the stream not bring it; return why something was refused.
   * @param {Delivery} answer
   */
  async onAnswer(answer) {
    if (answer.isWaiting) this.showAgain();
    else if (answer.status) await this.refresh();
    return failureReason(answer);
  }

  showAgain() {
    for (const panel of this.panels) panel.show(this.position);
    this.layer.settle();
    this.showLooks();
    this.showWaiting();
  }

  /**
   * Show what came of something that had to wait.
   * @param {Item} item
   * @param {Delivery} answer
   */
  async tellLate(item, answer) {
    if (answer.status) await this.refresh();
    if (this.newest) this.showAgain();
    const reason = lateReason(item, answer);
    const panel = item.body?.piece && this.panels[item.body.piece - 1];
    if (panel) panel.refuse(reason);
    else if (reason) refuse(reason);
  }

  // ---- readers of the screen

  /** @param {EventText} event */
  tell({ team, words, piece }) {
    const who = team ? `${this.panels[0].playerName(team)}: ` : "";
    const where = piece ? `Board ${piece}. ` : "";
    const move = parseMove(words);
    const captured = move?.captured.length ? `, captures ${move.captured.join(", ")}` : "";
    say(where + who + (move ? `${move.source} to ${move.target}${captured}` : words));
  }

  /** @param {PositionWith<ShownBoards> | null} before */
  tellTurns(before) {
    this.panels.forEach((panel, index) => {
      const half = this.position.board.halves[index];
      const was = before?.board.halves[index];
      const isNew = !was || was.ply !== half.ply || !Object.keys(was.moves).length;
      if (panel.isMine && isNew) say(`Board ${half.number}. ${panel.turnWords}.`);
    });
  }
}

/**
 * Return source, target and captured squares of a move such as `G7-F6xE5,E6`; null of others.
 * @param {string} move
 */
function parseMove(move) {
  const parts = /^([A-P]\d+)-([A-P]\d+)(?:x([A-P\d,]+))?$/.exec(move);
  if (!parts) return null;
  const [, source, target, captured] = parts;
  return { source, target, captured: captured ? captured.split(",") : [] };
}

playOn(SmackBoard);
