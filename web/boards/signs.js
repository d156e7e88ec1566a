// The signs on squares that say what may be ordered there, and what was. A square is 1 wide.

import { draw } from "../shared/elements.js";

/** @type {(kind: string, r: number) => SVGElement} */
const circle = (kind, r) => draw("circle", { class: kind, cx: 0.5, cy: 0.5, r });
/** @type {(kind: string, inset: number) => SVGElement} */
const frame = (kind, inset) => draw("rect", { class: kind, x: inset, y: inset, width: 1 - 2 * inset, height: 1 - 2 * inset });
/** @type {(kind: string, d: string) => SVGElement} */
const path = (kind, d) => draw("path", { class: kind, d });
const CROSS = "M.24 .24L.76 .76M.76 .24L.24 .76";

// What each sign is made of; the text is a number, or empty. Colors stand in board.css.
/** @satisfies {Record<string, (text: string) => SVGElement[]>} */
const SIGNS = {
  /** It may be chosen: an order, or a target of what is held. */
  can: () => [circle("can", 0.11)],
  /** The same on a stack that may be raised. */
  higher: () => [path("higher", "M.5 .02L.66 .2H.34z")],
  /** The held piece captures if it goes there. */
  captures: () => [circle("captures", 0.43)],
  /** A piece that can be moved: seen when it is pointed at. */
  movable: () => [],
  held: () => [frame("frame held", 0.04)],
  /** It would be captured. */
  victim: () => [frame("frame victim", 0.05), path("victim", CROSS)],
  /** Where the last move came from and went to, and who was captured. */
  captured: () => [path("captured", CROSS)],
  /** Part of a center that is chosen. */
  chosen: () => [frame("chosen", 0)],
  center: (text) => [circle("stack", 0.4), number(text)],
  /** A stack that the draft makes higher. */
  raised: (text) => [circle("stack", 0.4), circle("ring raised", 0.44), number(text)],
  grows: () => [circle("ring under", 0.36), circle("ring grows", 0.36), path("grows", "M.35 .5h.3M.5 .35v.3")],
  dies: () => [path("under", CROSS), path("dies", CROSS)],
  /** It waits for an order. */
  waits: () => [circle("under", 0.44), circle("waits", 0.44)],
  /** Where it was told to go, or to bite, as the steps from here: `2 0`. */
  goes: (steps) => way("goes", steps),
  bites: (steps) => way("bites", steps),
  /** What else it was told: a letter. */
  told: (text) => [
    draw("circle", { class: "badge", cx: 0.79, cy: 0.79, r: 0.2 }),
    draw("text", { class: "number small", x: 0.79, y: 0.81 }, text),
  ],
  /** The level of an own piece, over what else its square has. */
  level: (text) => [
    draw("circle", { class: "level", cx: 0.2, cy: 0.2, r: 0.2 }),
    draw("text", { class: "number small level", x: 0.2, y: 0.21 }, text),
  ],
  aimed: () => [frame("frame aimed", 0.06)],
};

/** @typedef {keyof typeof SIGNS} SignName */

/**
 * Return the elements of a sign.
 * @param {SignName} name
 * @param {string} text
 */
export function makeSign(name, text) {
  /** @type {(text: string) => SVGElement[]} */
  const sign = SIGNS[name];
  return sign(text);
}

/**
 * @param {string} kind
 * @param {string} steps
 */
function way(kind, steps) {
  const [x, y] = steps.split(" ").map(Number);
  const line = `M.5 .5L${0.5 + x} ${0.5 + y}`;
  return [path("under", line), path(kind, line), draw("circle", { class: `${kind} end`, cx: 0.5 + x, cy: 0.5 + y, r: 0.13 })];
}

/** @param {string} text */
function number(text) {
  return draw("text", { class: "number", x: 0.5, y: 0.53 }, text);
}
