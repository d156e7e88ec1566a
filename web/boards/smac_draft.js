// The draft of a team's orders: lines made of clicks, which the server keeps and judges.

import { deliverOrder, deliverTakeBack, lateReason, reasonOf, waitingOrder } from "./deliveries.js";
import { gamePath } from "../shared/requests.js";

const PLAYED = "The turn was played meanwhile.";
const DRAFT = "draft";
const DRAFT_LOADING = "draft loading";

export class Draft {
  #work = Promise.resolve();

  /**
   * @param {{id, outbox, refresh: function, refuse: function, changed: function, say: function}} page
   *   `changed` shows the draft anew, `refuse` says why not, "" to take that away
   */
  constructor({ id, outbox, refresh, refuse, changed, say }) {
    Object.assign(this, { id, outbox, refresh, refuse, changed, say });
    this.begin(undefined);
    outbox.when(DRAFT, (item, answer) => this.#enqueue(() => this.#takeLate(item, answer)));
    outbox.when(DRAFT_LOADING, (item, answer) => this.#take(item, answer));
    outbox.when("order", (item, answer) => this.#takeLateOrder(item, answer));
  }

  /** Begin anew, with what is asked of a team; undefined if nothing is. */
  begin(ask) {
    this.ask = ask;
    this.lines = [];
    this.dropped = null; // the lines before starting over, which undoing brings back
    this.answer = null; // what the server says of the lines
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

  /** Send the lines that `makeLines` makes of those there are; return whether all were accepted. */
  change(makeLines) {
    return this.#enqueue(async () => {
      const next = this.ask && !this.isSealed ? makeLines(this.lines) : null;
      if (!next) return false;
      const { ask } = this;
      const answer = await this.#put(next);
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
      this.#showRefused(reasons);
      this.changed();
      return !reasons.length;
    });
  }

  add(...line) {
    return this.change((lines) => [...lines, line]);
  }

  /** Take back the last line, or what starting over dropped; return whether it was done. */
  undo() {
    const back = this.dropped;
    this.dropped = null;
    return this.change((lines) => (lines.length ? lines.slice(0, -1) : back));
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

  /** Do one thing after the other, so that quick clicks stay in order. */
  #enqueue(act) {
    this.#work = this.#work.then(act, act);
    return this.#work;
  }

  get #key() {
    return `${DRAFT} ${this.ask?.team ?? null}`;
  }

  /** What was clicked and waits to be sent. */
  get #waiting() {
    const item = this.outbox.waiting(this.#key);
    return item && item.body.step === this.ask?.step ? item : undefined;
  }

  #isFor({ team, step }) {
    return this.ask?.team === team && this.ask.step === step;
  }

  async #load() {
    if (!this.ask) return;
    if (this.#waiting) this.lines = this.#waiting.body.lines; // clicked before the page was loaded again
    const { team, step } = this.ask;
    const path = `${gamePath(this.id, "draft")}?team=${team}`;
    const item = { kind: DRAFT_LOADING, key: DRAFT_LOADING, method: "GET", path, asked: { team, step } };
    const answer = await this.outbox.deliver(item);
    if (!answer.isWaiting) this.#take(item, answer);
  }

  #take({ asked }, answer) {
    if (!answer.isOk) this.refuse(answer.error);
    else if (this.#isFor(asked) && !this.#waiting) {
      this.#accept(answer);
      this.changed();
    }
  }

  /** Send what was clicked, in place of what was before. */
  #put(lines) {
    const { team, piece, step } = this.ask;
    const item = { kind: DRAFT, key: this.#key, words: "what you clicked", method: "PUT", path: gamePath(this.id, "draft") };
    return this.outbox.deliver({ ...item, body: { step, team, piece, lines } });
  }

  /** Show what the server says of clicks that had to wait, and submit them if that was wanted. */
  async #takeLate(item, answer) {
    const isOurs = this.#isFor(item.body);
    if (answer.isDiscarded) {
      if (isOurs && this.answer) this.#accept(this.answer);
      this.changed();
    } else if (answer.status === 409 || (answer.isOk && !isOurs)) {
      this.refuse(lateReason(item, { ...answer, isOk: false, status: 409 }));
      await this.refresh();
    } else if (!answer.isOk) this.refuse(lateReason(item, answer));
    else {
      this.#showRefused(this.#accept(answer));
      this.changed();
      if (item.isSubmitted && !answer.refused.length) await this.#seal();
    }
  }

  async #takeLateOrder(item, answer) {
    if (answer.status) await this.refresh();
    if (answer.isOk) this.say("Your orders were sent.");
    this.refuse(lateReason(item, answer));
    this.changed();
  }

  #showRefused(reasons) {
    this.refuse(reasons.length ? `Refused: ${reasons.join("; ")}.` : "");
  }

  /** Keep what the server has accepted, and return the reasons for what it has refused. */
  #accept(answer) {
    const refused = new Map(answer.refused);
    this.lines = answer.lines.filter((line, place) => !refused.has(place));
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
    this.refuse(answer.status === 409 ? PLAYED : reasonOf(answer));
    if (answer.isWaiting) this.changed();
    else await this.refresh();
  }
}
