// The draft of a team's orders: lines made of clicks, which the server keeps and judges.

import { deliverOrder, deliverTakeBack, lateReason, failureReason, waitingOrder } from "./deliveries.js";
import { gamePath } from "../shared/requests.js";

/** @import { Answer, Delivery, Item, OpenAsk } from "../shared/types.d.ts" */
/** @import { DraftAnswer, DraftLine, GamePage } from "./types.d.ts" */

/**
 * `changed` shows the draft anew, `refuse` says why not, "" to take that away.
 * @typedef {Omit<GamePage, "root"> & Record<"refuse" | "say", (words: string) => void> & { changed: () => void }} DraftPage
 */

const PLAYED = "The turn was played meanwhile.";
const DRAFT = "draft";
const DRAFT_LOADING = "draft loading";

export class Draft {
  /** @type {Promise<unknown>} */
  #work = Promise.resolve();
  /** @type {OpenAsk | undefined} */
  ask;
  /** @type {DraftLine[]} */
  lines = [];
  // The lines before starting over, which undoing brings back.
  /** @type {DraftLine[] | null} */
  dropped = null;
  // What the server says of the lines.
  /** @type {DraftAnswer | null} */
  answer = null;

  /** @param {DraftPage} page */
  constructor({ id, outbox, refresh, refuse, changed, say }) {
    this.id = id;
    this.outbox = outbox;
    this.refresh = refresh;
    this.refuse = refuse;
    this.changed = changed;
    this.say = say;
    outbox.when(DRAFT, (item, answer) => this.#enqueue(() => this.#takeLate(item, answer)));
    outbox.when(DRAFT_LOADING, (item, answer) => this.#take(item, answer));
    outbox.when("order", (item, answer) => this.#takeLateOrder(item, answer));
  }

  /**
   * Begin anew, with what is asked of a team; undefined if nothing is.
   * @param {OpenAsk | undefined} ask
   */
  start(ask) {
    this.ask = ask;
    this.lines = [];
    this.dropped = null;
    this.answer = null;
    if (ask) this.#enqueue(() => this.#load());
  }

  /** What may be ordered after the lines so far; null if that is not known. */
  get shows() {
    return (this.ask && this.answer?.shows) ?? null;
  }

  get isSealed() {
    return Boolean(this.ask?.is_answered);
  }

  get isOrderWaiting() {
    return Boolean(this.ask && (waitingOrder(this.id, this.ask) || this.#waiting?.isSubmitted));
  }

  get canUndo() {
    return Boolean(this.lines.length || this.dropped);
  }

  /** Return why nothing can be changed now; "" if it can. */
  get hindrance() {
    if (!this.ask) return "You are not asked for anything now.";
    if (this.isSealed) return "Your orders are sealed; take them back to change them.";
    if (this.isOrderWaiting) return "Your orders wait to be sent; discard them to change them.";
    return this.answer ? "" : "Loading your draft …";
  }

  /**
   * Send the lines that `makeLines` makes of those there are; return whether all were accepted.
   * @param {(lines: DraftLine[]) => DraftLine[] | null} makeLines
   */
  change(makeLines) {
    return this.#enqueue(async () => {
      const { ask } = this;
      const next = ask && !this.isSealed ? makeLines(this.lines) : null;
      if (!ask || !next) return false;
      const answer = await this.#put(ask, next);
      if (answer.isWaiting) {
        this.lines = next; // the server prices it and says what it refuses when it answers
        this.changed();
        return false;
      }
      if (answer.status === 409 || !this.#isFor(ask)) {
        this.refuse(PLAYED);
        await this.refresh();
        return false;
      }
      if (!answer.isOk) {
        this.refuse(answer.error);
        return false;
      }
      const reasons = this.#accept(answer);
      this.#showRefusals(reasons);
      this.changed();
      return !reasons.length;
    });
  }

  /** @param {DraftLine} line */
  add(...line) {
    return this.change((lines) => [...lines, line]);
  }

  /** Take back the last line, or what starting over dropped; return whether it was done. */
  async undo() {
    const back = this.dropped;
    const isDone = await this.change((lines) => (lines.length ? lines.slice(0, -1) : back));
    if (isDone) this.dropped = null;
    return isDone;
  }

  async startOver() {
    const before = this.lines;
    const isDone = await this.change(() => []);
    if (isDone) this.dropped = before;
    return isDone;
  }

  /** Submit the draft, once the server has it, or take it back. */
  submit() {
    return this.#enqueue(() => this.#seal());
  }

  // ---- what the server says

  /**
   * Do one thing after the other, so that quick clicks stay in order.
   * @template Result
   * @param {() => Result | Promise<Result>} act
   */
  #enqueue(act) {
    const done = this.#work.then(act, act);
    this.#work = done;
    return done;
  }

  get #key() {
    return `${DRAFT} ${this.ask?.team ?? null}`;
  }

  /** What was clicked and waits to be sent. */
  get #waiting() {
    const item = this.outbox.waiting(this.#key);
    return item?.body && item.body.step === this.ask?.step ? item : undefined;
  }

  /** @param {{ team?: number, step?: number }} about */
  #isFor({ team, step } = {}) {
    return this.ask !== undefined && this.ask.team === team && this.ask.step === step;
  }

  async #load() {
    if (!this.ask) return;
    this.lines = this.#waiting?.body?.lines ?? this.lines; // clicked before the page was loaded again
    const { team, step } = this.ask;
    const path = `${gamePath(this.id, "draft")}?team=${team}`;
    /** @type {Item<"draft loading">} */
    const item = { kind: DRAFT_LOADING, key: DRAFT_LOADING, method: "GET", path, asked: { team, step } };
    const answer = await this.outbox.deliver(item);
    if (!answer.isWaiting) this.#take(item, answer);
  }

  /**
   * @param {Item} item
   * @param {Answer<DraftAnswer>} answer
   */
  #take({ asked }, answer) {
    if (!answer.isOk) this.refuse(answer.error);
    else if (this.#isFor(asked) && !this.#waiting) {
      this.#accept(answer);
      this.changed();
    }
  }

  /**
   * Send what was clicked, in place of what was before.
   * @param {OpenAsk} ask
   * @param {DraftLine[]} lines
   */
  #put({ team, piece, step }, lines) {
    /** @type {Item<"draft">} */
    const item = { kind: DRAFT, key: this.#key, words: "what you clicked", method: "PUT", path: gamePath(this.id, "draft") };
    return this.outbox.deliver({ ...item, body: { step, team, piece, lines } });
  }

  /**
   * Show what the server says of clicks that had to wait, and submit them if that was wanted.
   * @param {Item} item
   * @param {Answer<DraftAnswer>} answer
   */
  async #takeLate(item, answer) {
    const isOurs = this.#isFor(item.body);
    if (answer.isDiscarded) {
      if (isOurs && this.answer) this.#accept(this.answer);
      this.changed();
    } else if (answer.status === 409 || (answer.isOk && !isOurs)) {
      this.refuse(lateReason(item, { isOk: false, status: 409, error: PLAYED }));
      await this.refresh();
    } else if (!answer.isOk) this.refuse(lateReason(item, answer));
    else {
      this.#showRefusals(this.#accept(answer));
      this.changed();
      if (item.isSubmitted && !answer.refused.length) await this.#seal();
    }
  }

  /**
   * @param {Item} item
   * @param {Delivery} answer
   */
  async #takeLateOrder(item, answer) {
    if (answer.status) await this.refresh();
    if (answer.isOk) this.say("Your orders were sent.");
    this.refuse(lateReason(item, answer));
    this.changed();
  }

  /** @param {string[]} reasons */
  #showRefusals(reasons) {
    this.refuse(reasons.length ? `Refused: ${reasons.join("; ")}.` : "");
  }

  /**
   * Keep what the server has accepted, and return the reasons for what it has refused.
   * @param {DraftAnswer} answer
   */
  #accept(answer) {
    const refused = new Map(answer.refused);
    this.lines = answer.lines.filter((_, place) => !refused.has(place));
    this.answer = answer;
    return [...refused.values()];
  }

  async #seal() {
    const { ask } = this;
    if (!ask || !this.answer || this.isOrderWaiting) return;
    if (this.#waiting) {
      this.outbox.change(this.#key, { isSubmitted: true, words: "what you clicked, and then your orders" });
      this.changed();
      return;
    }
    const sealing = !ask.is_answered;
    const body = { step: ask.step, team: ask.team, piece: ask.piece };
    const answer = sealing
      ? await deliverOrder(this.id, "your orders", { ...body, order: this.answer.answer })
      : await deliverTakeBack(this.id, "take back your orders", body);
    if (answer.isOk) this.say(sealing ? "Submitted." : "Taken back.");
    this.refuse(answer.status === 409 ? PLAYED : failureReason(answer));
    if (answer.isWaiting) this.changed();
    else await this.refresh();
  }
}
