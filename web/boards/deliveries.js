// What people do in a game, sent so that it may wait for the server: see outbox.js.
//
// All of it may arrive twice. An order and what takes it back name the step of their ask; the same
// order again is answered as before. An act names the step of an ask of its piece: once it was done,
// it is no more possible, or that ask has been answered. "I am back" holds at any step.

import { Outbox } from "./outbox.js";
import { gamePath, send } from "../shared/requests.js";

/** @import { Body, Delivery, Item, PossibleAct, Position } from "../shared/types.d.ts" */
/** @typedef {Body & { team: number, piece: number, step: number }} Order */

/** The act with which somebody plays again for whom a bot played. */
export const BACK = "I am back";
/** The acts about who sits there: to play again, and to let the bot do so whose place one has taken. */
export const SEAT_ACTS = [BACK, "let my bot finish"];
const GONE_ON = "The game has gone on meanwhile, so this was not done";
const STALE = 409;

/** @type {Outbox | null} */
let outbox = null;

/**
 * Return what waits to be sent of the game of this page.
 * @param {string} id
 */
export function getOutbox(id) {
  outbox ??= new Outbox(id);
  return outbox;
}

/** @param {{ team: number, piece: number }} ask */
const orderKey = ({ team, piece }) => `order ${team} ${piece}`;

/**
 * Send an order: its step, team, piece and order; `words` say which it is, while it waits.
 * @param {string} id
 * @param {string} words
 * @param {Order} body
 */
export function deliverOrder(id, words, body) {
  return getOutbox(id).deliver({ ...orderItem(id, words, body), method: "POST" });
}

/**
 * Take back an order that others are still waited for.
 * @param {string} id
 * @param {string} words
 * @param {Order} body
 */
export function deliverTakeBack(id, words, body) {
  return getOutbox(id).deliver({ ...orderItem(id, words, body), method: "DELETE" });
}

/**
 * @param {string} id
 * @param {string} words
 * @param {Order} body
 * @returns {Omit<Item<"order">, "method">}
 */
function orderItem(id, words, body) {
  return { kind: "order", key: orderKey(body), words, path: gamePath(id, "orders"), body };
}

/**
 * Return what waits of an ask: its order, or what takes one back.
 * @param {string} id
 * @param {{ team: number, piece: number, step: number }} ask
 */
export function waitingOrder(id, ask) {
  const item = getOutbox(id).waiting(orderKey(ask));
  return item?.body?.step === ask.step ? item : undefined;
}

/**
 * Do one of the acts of a position.
 * @param {string} id
 * @param {Pick<Position, "asks">} position
 * @param {PossibleAct} act
 * @returns {Promise<Delivery>}
 */
export function deliverAct(id, { asks }, { team, piece, name }) {
  const step = asks.find((ask) => ask.piece === piece)?.step;
  const path = gamePath(id, "acts");
  const isRepeatable = name === BACK || step !== undefined;
  // Nothing would tell a second one from the first.
  if (!isRepeatable) return send("POST", path, { team, piece, name });
  const body = name === BACK ? { team, piece, name } : { team, piece, name, step };
  const key = `act ${team} ${piece} ${name}`;
  const words = piece ? `${name}, board ${piece}` : name;
  return getOutbox(id).deliver({ kind: "act", key, words, method: "POST", path, body });
}

/**
 * Return why something was not done that had to wait; "" if it was, or nobody wants it any more.
 * @param {Item} item
 * @param {Delivery} answer
 */
export function lateReason({ words }, { isOk, isDiscarded, status, error }) {
  if (isOk || isDiscarded) return "";
  if (status === STALE) return `${GONE_ON}: ${words}.`;
  return `This had to wait, and may have arrived before: ${words}. The server says: ${error}.`;
}

/**
 * Return why something was not done; "" if it was, or waits.
 * @param {Delivery} answer
 */
export const failureReason = ({ isOk, isWaiting, error }) => (isOk || isWaiting ? "" : error);
