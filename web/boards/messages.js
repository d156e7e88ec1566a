// The panel in which people write to each other; only those who have a seat see it.

import { lateReason, outboxOf, reasonOf } from "./deliveries.js";
import { byId, make, write } from "../shared/elements.js";
import { refuse, say } from "./page.js";
import { gamePath } from "../shared/requests.js";

/** @import { Delivery, Item, Message, Position } from "../shared/types.d.ts" */

const MOST_LETTERS = 500;
const MESSAGE = "message";

export class Messages {
  /** @param {string} id of the game */
  constructor(id) {
    this.id = id;
    /** @type {number | null} */
    this.newest = null; // the id of the last message that was shown
    this.unread = 0;
    this.list = make("ol", { tabindex: 0, "aria-label": "Messages" });
    this.refused = make("p", { class: "bad", role: "alert" });
    this.text = make("input", { name: "text", maxlength: MOST_LETTERS, autocomplete: "off", "aria-label": "Message", placeholder: "Write to the others" });
    const form = make("form", { submit: (event) => this.send(event) }, this.text, make("button", {}, "Send"));
    this.summary = make("summary", {}, "Messages");
    this.panel = make("details", { class: "messages card", hidden: true, toggle: () => this.read() }, this.summary, this.list, this.refused, form);
    byId("messages").append(this.panel);
    this.number = Date.now(); // of the next message that is sent
    outboxOf(id).when(MESSAGE, (item, answer) => this.showLate(item, answer));
  }

  /** @param {Position} position */
  show({ seats, messages }) {
    const isSeated = seats.some((seat) => seat.is_yours);
    this.panel.hidden = !isSeated || seats.filter((seat) => seat.kind === "person").length < 2;
    const last = messages.at(-1)?.id ?? 0;
    if (last === this.newest) return;
    const isFirst = this.newest === null;
    const former = this.newest ?? 0;
    const fresh = messages.filter((message) => message.id > former);
    this.newest = last;
    this.list.replaceChildren(
      ...messages.map((message) =>
        make("li", {}, make("b", { class: `name team-${message.team}` }, `${seats[message.team - 1].name}: `), message.text),
      ),
    );
    this.list.scrollTop = this.list.scrollHeight;
    if (isFirst) {
      this.openIfNew(messages.filter((message) => !seats[message.team - 1].is_yours));
      return;
    }
    const others = fresh.filter((message) => !seats[message.team - 1].is_yours);
    for (const message of others) say(`${seats[message.team - 1].name} writes: ${message.text}`);
    if (!this.panel.open) this.unread += others.length;
    else keepRead(this.id, last);
    this.showUnread();
  }

  /**
   * Open if others have written since this was read last in this browser.
   * @param {Message[]} others
   */
  openIfNew(others) {
    const last = others.at(-1)?.id ?? 0;
    if (last > readUpTo(this.id)) this.panel.open = true;
  }

  read() {
    if (this.panel.open) keepRead(this.id, this.newest ?? 0);
    this.unread = 0;
    this.showUnread();
    this.list.scrollTop = this.list.scrollHeight;
  }

  showUnread() {
    write(this.summary, this.unread ? `Messages (${this.unread} new)` : "Messages");
    this.panel.classList.toggle("calls", this.unread > 0);
  }

  /** @param {SubmitEvent} event */
  async send(event) {
    event.preventDefault();
    const text = this.text.value.trim();
    if (!text) return;
    const answer = await outboxOf(this.id).deliver({
      kind: MESSAGE,
      key: `${MESSAGE} ${this.number++}`, // it takes no other one's place
      words: `“${text}”`,
      method: "POST",
      path: gamePath(this.id, "messages"),
      body: { text },
      again: { after: this.newest ?? 0 },
    });
    refuse(reasonOf(answer), this.refused);
    const isKept = answer.isOk || answer.isWaiting;
    if (isKept && this.text.value.trim() === text) this.text.value = "";
  }

  /**
   * Give back what was not sent in the end.
   * @param {Item} item
   * @param {Delivery} answer
   */
  showLate(item, answer) {
    refuse(lateReason(item, answer), this.refused);
    if (!answer.isOk && !this.text.value) this.text.value = item.body?.text ?? "";
  }
}

/** @param {string} id */
const readKey = (id) => `read ${id}`;

/**
 * Return the newest message of a game that was read in this browser.
 * @param {string} id
 */
function readUpTo(id) {
  try {
    return Number(localStorage.getItem(readKey(id))) || 0;
  } catch {
    return 0; // pages without storage open it each time
  }
}

/**
 * @param {string} id
 * @param {number} newest
 */
function keepRead(id, newest) {
  try {
    localStorage.setItem(readKey(id), String(newest));
  } catch {
    // as above
  }
}
