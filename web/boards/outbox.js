// What a person did that the server has not answered yet: it is kept, shown, and sent again.
//
// Only what may arrive twice is kept: an order and a draft name the step that they are for, an act
// names it too, and a message that is sent again says which messages were known. What comes too
// late is answered with 409. It is kept in this tab, also while its page is loaded again.

import { make } from "../shared/elements.js";
import { NO_ANSWERS, sendOnce } from "../shared/requests.js";
import { tabStorage } from "../shared/storage.js";

/** @import { Answer, Delivery, FieldsByKind, Handlers, Item, ItemKind, KeptItem, Refused } from "../shared/types.d.ts" */

const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 15_000;
const TOO_OFTEN = 429;

export class Outbox {
  #name;
  /** @type {KeptItem[]} */
  #items; // in the order in which they are sent
  /** @type {Handlers} */
  #handlers = {};
  #isSending = false;
  #timer = 0;
  #failures = 0;
  #bar = make("div", { id: "outbox", role: "status", hidden: true });

  /** @param {string} id of the game */
  constructor(id) {
    this.#name = `outbox ${id}`;
    /** @type {KeptItem[]} What the page that was here before has left; all of it may have been sent. */
    const left = tabStorage.loadValue(this.#name) ?? [];
    this.#items = left.map((item) => ({ ...item, wasSent: true }));
    document.querySelector("header")?.after(this.#bar);
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => document.hidden || this.retry());
    this.#show();
  }

  /**
   * Call `handler(item, answer)` when something of a kind is answered later than at once.
   * @template {ItemKind} Kind
   * @param {Kind} kind
   * @param {Handlers[Kind]} handler
   */
  when(kind, handler) {
    this.#handlers[kind] = handler;
  }

  /** Send what another page of this tab has left, once its handlers are there. */
  start() {
    if (this.#items.length) this.#send();
  }

  /**
   * Send something in place of what waits under the same key.
   * @template {ItemKind} Kind
   * @param {Item<Kind>} item
   * @returns {Promise<Delivery<Kind>>} its answer, or one with `isWaiting` that says why there is none yet
   */
  deliver(item) {
    return new Promise((answered) => {
      const place = this.#items.findIndex((other) => other.key === item.key);
      const former = this.#items[place];
      if (former) {
        former.isReplaced = true;
        former.answered?.({ isOk: false, isWaiting: true });
      }
      const added = { ...item, answered };
      this.#items.splice(place < 0 ? this.#items.length : place, place < 0 ? 0 : 1, added);
      this.#save();
      this.retry();
    });
  }

  /**
   * Return what waits under a key.
   * @param {string} key
   */
  waiting(key) {
    const item = this.#items.find((each) => each.key === key);
    return item && !item.answered ? item : undefined;
  }

  /**
   * Keep some other fields with what waits under a key.
   * @param {string} key
   * @param {Partial<Item>} fields
   */
  change(key, fields) {
    Object.assign(this.waiting(key) ?? {}, fields);
    this.#save();
    this.#show();
  }

  /** Try again now. */
  retry() {
    clearTimeout(this.#timer);
    this.#send();
  }

  async #send() {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#items.length && (await this.#sendFirst()));
    } finally {
      this.#isSending = false;
    }
  }

  /** Send what comes first; return whether it was answered. */
  async #sendFirst() {
    const [item] = this.#items;
    const isAgain = item.wasSent;
    item.wasSent = true;
    /** @type {Answer<FieldsByKind[ItemKind]>} */
    const answer = await sendOnce(item.method, item.path, isAgain && item.body ? { ...item.body, ...item.again } : item.body);
    if (item.isReplaced) return true;
    if (!answer.isOk && (NO_ANSWERS.includes(answer.status) || (isAgain && answer.status === TOO_OFTEN))) {
      this.#wait(answer);
      return false;
    }
    this.#failures = 0;
    this.#remove(item);
    if (item.answered) item.answered(answer);
    else this.#handle(item, answer);
    return true;
  }

  /** @param {Refused} answer */
  #wait(answer) {
    for (const item of this.#items) {
      item.answered?.({ isOk: false, isWaiting: true, status: answer.status, error: answer.error });
      item.answered = null;
      item.why = answer.status === 0 ? "" : answer.error;
    }
    this.#save();
    this.#show();
    const wait = Math.min(FIRST_RETRY_MS * 2 ** this.#failures++, MAX_RETRY_MS);
    this.#timer = setTimeout(() => this.#send(), wait);
  }

  /**
   * @template {ItemKind} Kind
   * @param {Item<Kind>} item
   * @param {Answer<FieldsByKind[Kind]>} answer
   */
  #handle(item, answer) {
    this.#handlers[item.kind]?.(item, answer);
  }

  /** @param {KeptItem} item */
  #remove(item) {
    item.isReplaced = true;
    this.#items = this.#items.filter((other) => other !== item);
    this.#save();
    this.#show();
  }

  /** @param {KeptItem} item */
  #discard(item) {
    this.#remove(item);
    this.#handle(item, { isOk: false, isDiscarded: true, status: 0, error: "" });
  }

  #show() {
    const waiting = this.#items.filter((item) => !item.answered && item.words);
    this.#bar.hidden = !waiting.length;
    this.#bar.replaceChildren(...waiting.map((item) => this.#line(item)));
  }

  /** @param {KeptItem} item */
  #line(item) {
    const why = item.why || (navigator.onLine ? "the server does not answer yet" : "you are offline");
    const discard = make("button", { type: "button", click: () => this.#discard(item) }, "Discard");
    return make("p", {}, make("span", {}, `Waiting to be sent: ${item.words} (${why})`), discard);
  }

  #save() {
    tabStorage.save(this.#name, this.#items.length ? JSON.stringify(this.#items) : null);
  }
}
