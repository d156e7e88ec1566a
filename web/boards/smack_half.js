// The panel of one board of Smack!: whose turn it is, typed moves and acts.

import { make, mark, write } from "../shared/elements.js";
import { present } from "./game_board.js";
import { ANSWERS } from "./offers.js";
import { askToConfirm, refuse } from "./page.js";

/** @import { PossibleAct, Seat } from "../shared/types.d.ts" */
/** @import { PositionWith, ShownBoards, ShownHalf } from "./types.d.ts" */

/**
 * What may be asked of the server: a promise of "" or of the reason why not; and the move of a half
 * that waits to be sent.
 * @typedef {object} HalfServer
 * @property {(half: ShownHalf, move: string) => Promise<string>} order
 * @property {(act: PossibleAct) => Promise<string>} act
 * @property {(half: ShownHalf) => Promise<string>} takeBack
 * @property {(half: ShownHalf) => string | undefined} waitingMove
 */

const UNSHOWN = "No position has been shown yet.";
const FEW_LEFT = 20; // moves, before which one is warned
/** @type {Record<string, string>} */
const ACTS = {
  resign: "Resign",
  "offer to end": "Offer to end",
  claim: "Claim: overdue",
  "take back my move": "Take back my move",
};

export class HalfPanel {
  isMine = false;
  declined = "";
  shownActs = "";
  /** @type {string | undefined} */
  waitingMove;
  // Of a piece, once the board is there that has them.
  /** @type {(name: string) => Node | string} */
  picture = () => "";
  /** @type {{ position: PositionWith<ShownBoards>, half: ShownHalf } | null} */
  #shown = null;

  /**
   * @param {number} number of the half
   * @param {HalfServer} server
   */
  constructor(number, server) {
    this.number = number;
    this.server = server;
    this.token = make("div", { class: "token" });
    this.turn = make("p", { class: "turn" });
    this.points = make("p", { class: "half-points" });
    this.heading = make("h2", { id: `half-${number}` }, `Board ${number}`);
    this.refused = make("p", { class: "refused", role: "alert" });
    this.notice = make("p", { class: "notice" });
    this.limits = make("p", { class: "limits quiet" });
    this.acts = make("div", { class: "acts" });
    this.typed = make("input", {
      id: `typed-${number}`, placeholder: "F1-G2", autocomplete: "off", autocapitalize: "characters",
      spellcheck: "false", enterkeyhint: "send", maxlength: 60, size: 9,
    });
    this.form = make(
      "form",
      { class: "typed", submit: (event) => this.onTyped(event) },
      make("label", { for: `typed-${number}` }, "Move"),
      this.typed,
      make("button", {}, "Play"),
    );
    this.node = make(
      "section",
      { class: "half card", "data-number": number, "aria-labelledby": `half-${number}` },
      make("div", { class: "head" }, this.token, make("div", { class: "words" }, this.heading, this.turn), this.points),
      this.refused,
      this.notice,
      this.limits,
      make("div", { class: "doing" }, this.form, this.acts),
    );
  }

  get position() {
    return present(this.#shown, UNSHOWN).position;
  }

  get half() {
    return present(this.#shown, UNSHOWN).half;
  }

  /** @param {PositionWith<ShownBoards>} position */
  show(position) {
    const before = this.#shown?.half;
    const half = position.board.halves[this.number - 1];
    this.#shown = { position, half };
    if (before?.ply !== half.ply) this.refuse("");
    this.node.dataset.ply = String(half.ply);
    this.isMine = Object.keys(half.moves).length > 0;
    this.waitingMove = this.isMine && !this.isSealed ? this.server.waitingMove(half) : undefined;
    write(this.heading, `Board ${half.number}: ${this.sides}`);
    this.showTurn();
    this.showPoints();
    this.showOffers(before);
    this.showLimits();
    this.showActs();
  }

  showTurn() {
    const { half } = this;
    const kind = half.side === "nerds" ? "nerd" : "bully";
    write(this.turn, this.turnWords);
    this.node.classList.toggle("mine", this.isWaitingForMe);
    this.token.className = half.ending ? "token over" : `token team-${half.team_to_move}`;
    this.token.replaceChildren(half.ending ? "✓" : this.picture(`${kind}_${half.team_to_move}`));
  }

  /** What the turn token says. */
  get turnWords() {
    const { half } = this;
    if (half.ending) return `Over: ${half.ended}`;
    const seat = this.findSeat(half.team_to_move);
    if (this.isSealed) return "Your move is in";
    if (this.waitingMove) return "Your move waits to be sent";
    const piece = half.side === "nerds" ? "a nerd" : "a bully";
    if (!this.isMine) return `${seat.name} ${seat.kind !== "person" ? "is thinking" : "to move"}`;
    return `${this.isShared ? this.playerName(half.team_to_move) : "Your turn"}: move ${piece}`;
  }

  /** Who plays which side here. */
  get sides() {
    const { nerds_team: team } = this.half;
    const yours = this.position.seats.filter((seat) => seat.is_yours);
    if (yours.length === 1) return `you play ${yours[0].team === team ? "nerds" : "bullies"}`;
    return `Team ${team} plays nerds`;
  }

  /** Whether the order of this board is given and not played yet. */
  get isSealed() {
    const { half, position } = this;
    return this.isMine && position.asks.some((ask) => ask.piece === half.number && ask.is_answered);
  }

  /** Whether the reader must order a move here. */
  get isWaitingForMe() {
    return this.isMine && !this.isSealed && !this.waitingMove;
  }

  /** Whether one person sits at both seats. */
  get isShared() {
    return this.position.seats.every((seat) => seat.is_yours);
  }

  /** @param {number} team */
  findSeat(team) {
    return /** @type {Seat} */ (this.position.seats.find((seat) => seat.team === team));
  }

  /**
   * Return what a team is called here: "You", a name, or a number where one plays both.
   * @param {number} team
   */
  playerName(team) {
    const seat = this.findSeat(team);
    if (this.isShared) return `Team ${team}`;
    return seat.is_yours ? "You" : seat.name;
  }

  /** @param {number} team */
  possessive(team) {
    const name = this.playerName(team);
    return name === "You" ? "your" : `${name}’s`;
  }

  showPoints() {
    const [first, second] = this.half.points;
    this.points.replaceChildren(
      make("span", { class: "unseen" }, "Points on this board: team 1 "),
      make("b", { class: "chip team-1" }, `${first}`),
      make("span", { class: "unseen" }, ", team 2 "),
      make("b", { class: "chip team-2" }, `${second}`),
    );
  }

  /**
   * Say whose offer stands, and that one was not taken.
   * @param {ShownHalf | undefined} before
   */
  showOffers(before) {
    const [first, second] = this.half.points;
    const { half } = this;
    if (half.ply !== before?.ply) this.declined = "";
    const lapsed = half.ending ? [] : (before?.offered_by ?? []).filter((team) => !half.offered_by.includes(team));
    for (const team of lapsed) {
      const other = this.playerName(3 - team);
      const whose = this.playerName(team) === "You" ? "your offer" : `the offer of ${this.playerName(team)}`;
      this.declined = `${other} did not take ${whose} to end this board.`;
    }
    const isAsked = this.position.acts.some(({ piece, name }) => piece === this.number && name === ANSWERS[0]);
    const offers = (isAsked ? [] : this.half.offered_by).map((team) => { // who is asked reads it above the board
      const who = this.playerName(team);
      return `${who} ${who === "You" ? "offer" : "offers"} to end this board at ${first} : ${second}.`;
    });
    write(this.notice, offers.join(" ") || this.declined || "");
  }

  /** Count moves, and warn before they end the half. */
  showLimits() {
    const { ply, quiet, ending } = this.half;
    const { ply_limit: most, no_capture_limit: mostQuiet } = this.position.board;
    const left = Math.min(most - ply, mostQuiet - quiet);
    const warning = left === most - ply ? `this board ends after ${left} more.` : `it ends after ${left} more without a capture.`;
    write(this.limits, ending ? "" : `Move ${ply + 1} of ${most}, ${quiet} of ${mostQuiet} without a capture${left <= FEW_LEFT ? `: ${warning}` : "."}`);
    this.limits.classList.toggle("few", left <= FEW_LEFT);
  }

  showActs() {
    const acts = this.position.acts.filter(({ piece, name }) => piece === this.number && !ANSWERS.includes(name));
    const key = JSON.stringify([acts, this.isSealed]);
    if (this.shownActs === key) return; // a button that has the focus keeps it
    this.shownActs = key;
    const buttons = acts.map((each) => this.actButton(each));
    if (this.isSealed) {
      const takeBack = async () => this.refuse(await this.server.takeBack(this.half));
      buttons.push(make("button", { type: "button", click: takeBack }, "Take the move back"));
    }
    this.acts.replaceChildren(...buttons);
    mark(this.form, "hidden", Boolean(this.half.ending) || !this.position.seats.some((seat) => seat.is_yours));
  }

  /** @param {PossibleAct} each */
  actButton(each) {
    const words = ACTS[each.name] ?? each.name;
    return make(
      "button",
      { type: "button", class: each.name === "claim" ? "primary" : "", click: () => this.act(each) },
      this.isShared ? `${this.playerName(each.team)}: ${words.toLowerCase()}` : words,
    );
  }

  /** @param {PossibleAct} each */
  async act(each) {
    const question = `${ACTS[each.name] ?? each.name} on board ${this.number}?`;
    const consequence = `The game on this board ends at once, and ${this.playerName(3 - each.team)} gets all its points.`;
    if (each.name === "resign" && !(await askToConfirm(question, consequence, "Resign"))) return;
    this.refuse(await this.server.act(each));
  }

  /**
   * Order a move, and say beside the board why it was refused.
   * @param {string} move
   */
  async order(move) {
    if (!this.isMine) {
      this.refuse(this.whyNot());
      return false;
    }
    this.node.classList.add("sending");
    const reason = await this.server.order(this.half, move);
    this.node.classList.remove("sending");
    this.refuse(reason);
    return !reason;
  }

  /** Return why nothing on this board, or what stands on a square, can be moved. */
  whyNot(square = "") {
    if (this.half.ending) return "The game on this board is over.";
    if (!this.isMine) return "It is not your turn on this board.";
    const ours = this.half[this.half.side];
    const theirs = this.half[this.half.side === "nerds" ? "bullies" : "nerds"];
    if (ours.includes(square)) return `${square} has no move now.`;
    if (theirs.includes(square)) return `${square} is not yours: you move the ${this.half.side} here.`;
    return `Nothing of yours stands on ${square}: choose one of your ${this.half.side} first.`;
  }

  /** @param {Event} event */
  async onTyped(event) {
    event.preventDefault();
    const text = this.typed.value;
    if (await this.order(asMove(text.trim()))) {
      if (this.typed.value === text) this.typed.value = "";
    } else this.typed.select();
  }

  /** @param {string} words */
  refuse(words) {
    refuse(words, this.refused);
  }
}

/**
 * Return a typed `f1 g2` as `F1-G2`; what looks like no move stays as it is, for the answer.
 * @param {string} text
 */
function asMove(text) {
  const parts = /^([a-z]\d{1,2})[\s–—-]*([a-z]\d{1,2})(x[a-z\d,]+)?$/i.exec(text);
  if (!parts) return text;
  const [, source, target, captured = ""] = parts;
  return `${source}-${target}`.toUpperCase() + captured.toUpperCase().replace("X", "x");
}
