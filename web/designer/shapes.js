// Drawings as rows of `#` and `.`: ready-made ones, and what tools do with them.

import { draw } from "../shared/elements.js";

export const FILLED = "#";
export const EMPTY = ".";

/** @type {[name: string, rows: string[]][]} */
export const READY = [
  ["domino", ["##"]],
  ["bar", ["###"]],
  ["long bar", ["########"]],
  ["block", ["##", "##"]],
  ["large block", ["###", "###", "###"]],
  ["plus", [".#.", "###", ".#."]],
  ["ring", ["###", "#.#", "###"]],
  ["fork", ["###", "#..", "###"]],
  ["wall", ["#", "#", "#", "#", "#"]],
  ["arrow", ["#..", "##.", "###", "##.", "#.."]],
];

/**
 * Return rows without the empty ones around them.
 * @param {string[]} rows
 */
export function trim(rows) {
  const full = rows.map((row, y) => (row.includes(FILLED) ? y : -1)).filter((y) => y >= 0);
  if (!full.length) return [];
  const inner = rows.slice(full[0], full[full.length - 1] + 1);
  const first = Math.min(...inner.map((row) => row.indexOf(FILLED)).filter((x) => x >= 0));
  const last = Math.max(...inner.map((row) => row.lastIndexOf(FILLED)));
  return inner.map((row) => row.slice(first, last + 1).padEnd(last - first + 1, EMPTY));
}

/**
 * Return rows in the middle of an empty sheet.
 * @param {string[]} rows
 * @param {number} side
 */
export function center(rows, side) {
  const own = trim(rows);
  const width = own[0]?.length ?? 0;
  const left = Math.floor((side - width) / 2);
  const above = Math.floor((side - own.length) / 2);
  return Array.from({ length: side }, (_, y) =>
    (EMPTY.repeat(Math.max(0, left)) + (own[y - above] ?? "")).padEnd(side, EMPTY).slice(0, side),
  );
}

/**
 * Return rows with the cells moved, as far as they stay on the sheet.
 * @param {string[]} rows
 * @param {number} dx
 * @param {number} dy
 */
export function shift(rows, dx, dy) {
  const moved = rows.map((row, y) => [...row].map((_, x) => rows[y - dy]?.[x - dx] ?? EMPTY).join(""));
  return count(moved) === count(rows) ? moved : rows;
}

/** @type {Record<string, (rows: string[]) => string[]>} */
export const TURNS = {
  "Mirror ↔": (rows) => rows.map((row) => [...row].reverse().join("")),
  "Mirror ↕": (rows) => [...rows].reverse(),
  "Turn ↻": (rows) => [...rows[0]].map((_, x) => rows.map((row) => row[x]).reverse().join("")),
};

/** @param {string[]} rows */
function count(rows) {
  return rows.join("").split(FILLED).length - 1;
}

/**
 * Return the cells of a drawing from a place on, as the path of a picture.
 * @param {string[]} rows
 */
export function makePath(rows, u = 0, v = 0) {
  const steps = trim(rows).flatMap((row, y) =>
    [...row.matchAll(/#+/g)].map((run) => `M${u + run.index} ${v + y}h${run[0].length}v1h-${run[0].length}z`),
  );
  return steps.join("");
}

/**
 * Return a small picture of a drawing.
 * @param {string[]} rows
 * @param {number} number  of its type, which has the color
 */
export function makePicture(rows, number) {
  const own = trim(rows);
  const side = Math.max(3, own.length, own[0]?.length ?? 0);
  const x = (side - (own[0]?.length ?? 0)) / 2;
  const y = (side - own.length) / 2;
  return draw(
    "svg",
    { viewBox: `0 0 ${side} ${side}`, class: "picture", "aria-hidden": "true" },
    draw("path", { d: makePath(own, x, y), class: `ink-${number % 8}` }),
  );
}
