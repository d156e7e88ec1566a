// The panel in which people write to each other; only those who have a seat see it.

import { lateReason, getOutbox, failureReason } from "./deliveries.js";
import { button, byId, make, write } from "../shared/elements.js";
import { refuse, say } from "./page.js";
import { gamePath, send } from "../shared/requests.js";

/** @import { Delivery, Item, Message, Position, Talk } from "../shared/types.d.ts" */

const MOST_LETTERS = 500;
const MESSAGE = "message";
const WANTS = "would like to write to you";
/** Ends the address of a board on which the messages are to be read. */
const FRAGMENT = "#messages";
const BUILT_MS = 3000; // by then a page stands

export class Messages {
  /** @param {string} id of the game */
  constructor(id) {
    this.id = id;
    /** @type {number | null} */
    this.newest = null; // the id of the last message that was shown
    /** @type {Message[]} */
    this.others = []; // what others have written
    this.readUpTo = 0; // the newest that was read in this seat, here or on another device
    this.isOnScreen = false;
    /** The newest of others beside the board of a phone, and the way to all. */
    this.news = make("p", { class: "news", hidden: true });
    this.list = make("ol", { tabindex: 0, "aria-label": "Messages" });
    this.refused = make("p", { role: "alert" });
    this.text = make("input", { name: "text", maxlength: MOST_LETTERS, autocomplete: "off", "aria-label": "Message", placeholder: "Write to the others" });
    this.form = make("form", { submit: (event) => this.send(event) }, this.text, make("button", {}, "Send"));
    this.asking = make("div", { class: "asking" }); // who would like to write
    this.hint = make("p", { class: "quiet", hidden: true });
    this.players = make("p", { class: "tools" });
    this.summary = make("summary", {}, "Messages");
    this.panel = make("details", { class: "messages card", hidden: true, toggle: () => this.opened() }, this.summary, this.asking, this.list, this.refused, this.form, this.hint, this.players);
    byId("messages").append(this.panel);
    /** @type {string[]} */
    this.names = []; // of all teams
    this.talk = ""; // what was shown of it last
    this.announced = ""; // the names of those who would like to write
    this.shown = 0; // messages
    this.number = Date.now(); // of the next message that is sent
    new IntersectionObserver((entries) => {
      this.isOnScreen = entries.at(-1)?.isIntersecting ?? false;
      this.read();
    }).observe(this.list);
    document.addEventListener("visibilitychange", () => this.read());
    getOutbox(id).when(MESSAGE, (item, answer) => this.showLate(item, answer));
  }

  /** @param {Position} position */
  show({ seats, messages, read_up_to: readUpTo, talk }) {
    const isSeated = seats.some((seat) => seat.is_yours);
    this.panel.hidden = !isSeated || seats.filter((seat) => seat.kind === "person").length < 2;
    this.readUpTo = Math.max(this.readUpTo, readUpTo);
    this.showTalk(seats, talk);
    this.names = seats.map((seat) => seat.name);
    const last = messages.at(-1)?.id ?? 0;
    const isOther = messages.length !== this.shown; // somebody was muted, or is no more
    this.shown = messages.length;
    if (last !== this.newest || isOther) this.showNew(seats, messages, last);
    this.showUnread();
    this.read();
  }

  /**
   * Show who would like to write, and what the reader can do about each other player.
   * @param {Position["seats"]} seats
   * @param {Talk | null} talk
   */
  showTalk(seats, talk) {
    const state = JSON.stringify(talk);
    if (!talk || state === this.talk) return;
    this.talk = state;
    const announced = talk.announced.map((team) => seats[team - 1]);
    this.asking.replaceChildren(...announced.map((seat) => this.announcement(seat)));
    const names = announced.map((seat) => seat.name).join(", ");
    if (names && names !== this.announced && this.newest !== null) say(`${names} ${WANTS}`);
    this.announced = names;
    const strangers = talk.strangers.map((team) => seats[team - 1].name);
    this.hint.hidden = !strangers.length;
    write(this.hint, `${strangers.join(", ")} ${strangers.length > 1 ? "are" : "is"} asked first whether to read you.`);
    const others = seats.filter((seat) => seat.kind === "person" && !seat.is_yours && !announced.includes(seat));
    this.players.replaceChildren(...others.map((seat) => this.muteButton(seat, talk)));
    const { people: href } = byId("messages").dataset; // the page with all that can be done; at home there is none
    if (href) this.players.append(make("a", { href }, "Block or report …"));
  }

  /**
   * Somebody has written whom the reader has not accepted: one click decides.
   * @param {Position["seats"][0]} seat
   */
  announcement({ team, name }) {
    const decide = (/** @type {string | null} */ kind) => () => this.change("avoided", { team, kind });
    return make("p", {}, make("b", { class: `name team-${team}` }, name), ` ${WANTS}. `,
      button(`Accept ${name}`, decide(null), { class: "primary" }), " ",
      button(`Mute ${name}`, decide("mute")));
  }

  /**
   * @param {Position["seats"][0]} seat
   * @param {Talk} talk
   */
  muteButton({ team, name }, talk) {
    if (talk.blocked.includes(team)) return make("span", { class: "quiet" }, `${name} is blocked`);
    const isMuted = talk.muted.includes(team);
    const body = { team, kind: isMuted ? null : "mute" };
    return button(`${isMuted ? "Unmute" : "Mute"} ${name}`, () => this.change("avoided", body));
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  async change(path, body) {
    refuse(failureReason(await send("PUT", gamePath(this.id, path), body)), this.refused);
  }

  /**
   * @param {Position["seats"]} seats
   * @param {Message[]} messages
   * @param {number} last
   */
  showNew(seats, messages, last) {
    const former = this.newest;
    this.newest = last;
    this.others = messages.filter((message) => !seats[message.team - 1].is_yours);
    this.list.replaceChildren(
      ...messages.map((message) =>
        make("li", {}, make("b", { class: `name team-${message.team}` }, `${seats[message.team - 1].name}: `), message.text),
      ),
    );
    this.list.scrollTop = this.list.scrollHeight;
    if (former === null) {
      this.openIfNew();
      return;
    }
    const fresh = this.others.filter((message) => message.id > former);
    for (const message of fresh) say(`${seats[message.team - 1].name} writes: ${message.text}`);
  }

  /** Open if others have written since this was read last, or if the messages were asked for. */
  openIfNew() {
    const isAskedFor = location.hash === FRAGMENT;
    if (isAskedFor || this.unread() || this.announced) this.panel.open = true;
    if (isAskedFor) this.keepInView();
  }

  /** Scroll to the messages while the page around them is built, unless its reader does something. */
  keepInView() {
    const growing = new ResizeObserver(() => this.panel.scrollIntoView({ block: "center" }));
    const around = byId("messages").parentElement?.children ?? []; // beside a board they grow, and not the page
    for (const one of [document.body, ...around]) growing.observe(one);
    const end = () => growing.disconnect();
    setTimeout(end, BUILT_MS);
    for (const gesture of ["wheel", "pointerdown", "keydown"]) addEventListener(gesture, end, { once: true });
  }

  /** Return how many messages of others nobody has seen in this seat. */
  unread() {
    return this.others.filter((message) => message.id > this.readUpTo).length;
  }

  open() {
    this.panel.open = true;
    this.panel.scrollIntoView({ block: "center" });
    this.list.focus({ preventScroll: true });
  }

  opened() {
    this.list.scrollTop = this.list.scrollHeight;
    this.read();
  }

  /** Tell the server what was read, once the messages are on the screen. */
  read() {
    if (!this.panel.open || !this.isOnScreen || document.hidden || !this.unread()) return;
    this.readUpTo = this.newest ?? 0;
    this.showUnread();
    // If that gets lost they are new once more when this page is loaded again.
    send("PUT", gamePath(this.id, "messages/read"), { up_to: this.readUpTo });
  }

  showUnread() {
    const unread = this.unread();
    const words = unread ? `${unread} new` : this.announced && `${this.announced} ${WANTS}`;
    write(this.summary, words ? `Messages (${words})` : "Messages");
    this.panel.classList.toggle("calls", Boolean(words));
    this.news.hidden = !unread;
    const last = this.others.at(-1);
    if (unread && last) this.news.replaceChildren(make("span", {}, `${this.names[last.team - 1]}: ${last.text}`), button("Read", () => this.open()));
  }

  /** @param {SubmitEvent} event */
  async send(event) {
    event.preventDefault();
    const text = this.text.value.trim();
    if (!text) return;
    const answer = await getOutbox(this.id).deliver({
      kind: MESSAGE,
      key: `${MESSAGE} ${this.number++}`, // it takes no other one's place
      words: `“${text}”`,
      method: "POST",
      path: gamePath(this.id, "messages"),
      body: { text },
      again: { after: this.newest ?? 0 },
    });
    refuse(failureReason(answer), this.refused);
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
