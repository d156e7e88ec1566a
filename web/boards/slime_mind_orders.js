// What the slimes of the reader's teams are told to do in a turn. The server keeps it as it is given,
// and plays it as the slimes are asked once it is sent.

import { lateReason, failureReason } from "./deliveries.js";
import { gamePath } from "../shared/requests.js";
import { browserStorage } from "../shared/storage.js";

/** @import { Delivery } from "../shared/types.d.ts" */
/** @import { GamePage, MapShown, OrderAhead, PositionWith, SlimeShown } from "./types.d.ts" */
/** @typedef {Omit<GamePage, "root"> & { changed: () => void, refuse: (words: string) => void }} OrdersPage */

const KIND = "premoves";
const DIRECT = "orders at once";

export class Premoves {
  turn = 0;
  // By team, what each slime is told.
  /** @type {Map<number, Map<number, OrderAhead>>} */
  #orders = new Map();
  #unanswered = 0;
  // By team, what was given to the server last: a second click on "Send" says nothing new.
  /** @type {Map<number, string>} */
  #given = new Map();
  #isDirect = browserStorage.load(DIRECT) === "yes";

  /** @param {OrdersPage} page */
  constructor({ id, outbox, refresh, changed, refuse }) {
    this.id = id;
    this.outbox = outbox;
    this.refresh = refresh;
    this.changed = changed;
    this.refuse = refuse;
    outbox.when(KIND, async (item, answer) => {
      await refresh();
      refuse(lateReason(item, answer));
    });
  }

  /** Whether each order is played as soon as its slime is asked, rather than sent with the others. */
  get isDirect() {
    return this.#isDirect;
  }

  set isDirect(isDirect) {
    this.#isDirect = isDirect;
    browserStorage.save(DIRECT, isDirect ? "yes" : "no");
    if (isDirect) this.send();
  }

  /** @param {PositionWith<MapShown>} position */
  show({ turn, premoves = [] }) {
    if (this.turn === turn && this.#unanswered) return; // what the server knows is older
    this.turn = turn;
    this.#orders = new Map(premoves.map(({ team, orders }) => [team, new Map(orders)]));
  }

  /** @param {SlimeShown} slime */
  get({ team, id }) {
    return this.#orders.get(team)?.get(id);
  }

  /**
   * @param {SlimeShown[]} slimes
   * @param {OrderAhead} order
   */
  set(slimes, order) {
    for (const { team, id } of slimes) this.#teamOrders(team).set(id, order);
    this.#save(new Set(slimes.map((slime) => slime.team)), this.isDirect);
  }

  /** @param {SlimeShown[]} slimes */
  clear(slimes) {
    for (const { team, id } of slimes) this.#teamOrders(team).delete(id);
    this.#save(new Set(slimes.map((slime) => slime.team)), this.isDirect);
  }

  /** Let everything be played that is ordered. */
  send() {
    this.#save(new Set(this.#orders.keys()), true);
  }

  /** @param {number} team */
  #teamOrders(team) {
    const orders = this.#orders.get(team) ?? new Map();
    this.#orders.set(team, orders);
    return orders;
  }

  /**
   * @param {Set<number>} teams
   * @param {boolean} isSent
   */
  async #save(teams, isSent) {
    for (const team of teams) {
      const orders = [...this.#teamOrders(team)];
      const given = JSON.stringify([this.turn, orders, isSent]);
      if (isSent && (!orders.length || given === this.#given.get(team))) continue;
      this.#given.set(team, given);
      this.#unanswered += 1;
      const answer = await this.outbox.deliver({
        kind: KIND,
        key: `${KIND} ${team}`,
        words: isSent ? "your orders" : undefined,
        method: "PUT",
        path: gamePath(this.id, KIND),
        body: { team, turn: this.turn, orders, is_sent: isSent },
      });
      this.#unanswered -= 1;
      if (!answer.isOk) this.#given.delete(team);
      await this.#onAnswer(answer, isSent);
    }
  }

  /**
   * @param {Delivery} answer
   * @param {boolean} isSent
   */
  async #onAnswer(answer, isSent) {
    if (answer.isWaiting) return;
    if (failureReason(answer)) this.refuse(failureReason(answer));
    if (!answer.isOk || isSent) await this.refresh();
    this.changed();
  }
}
