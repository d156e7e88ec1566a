// What is different between two texts, line by line.

import { make } from "../shared/elements.js";

/** @import { DiffLine, DraftFile } from "./types.d.ts" */

const AROUND = 3; // lines that are shown before and after a change
const MAX_CELLS = 6_000_000; // of the table of a comparison: 2400 changed lines on either side
const SIGNS = { same: " ", added: "+", removed: "−" };

/**
 * Return the lines of both texts in order.
 * @param {string} before
 * @param {string} after
 * @returns {DiffLine[]}
 */
export function diff(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  /** @type {(at: number) => DiffLine} */
  const same = (at) => ({ kind: "same", text: now[at], number: at + 1 });
  const middle = diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end), start);
  const tail = Array.from({ length: end }, (_, i) => same(now.length - end + i));
  return [...Array.from({ length: start }, (_, i) => same(i)), ...middle, ...tail];
}

/**
 * Return the lines of two parts by their longest common subsequence.
 * @param {string[]} old
 * @param {string[]} now
 * @param {number} offset
 * @returns {DiffLine[]}
 */
function diffMiddle(old, now, offset) {
  /** @type {DiffLine[]} */
  const lines = [];
  /** @param {DiffLine["kind"]} kind @param {string} text @param {number} at */
  const add = (kind, text, at) => lines.push({ kind, text, number: offset + at + 1 });
  const width = now.length + 1;
  const isTooLarge = (old.length + 1) * width > MAX_CELLS;
  // common[i, j]: how many lines old[i:] and now[j:] have in common.
  const common = new Uint16Array(isTooLarge ? 0 : (old.length + 1) * width);
  for (let i = isTooLarge ? -1 : old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const isSame = old[i] === now[j];
      common[i * width + j] = isSame
        ? common[(i + 1) * width + j + 1] + 1
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (!isTooLarge && i < old.length && j < now.length && old[i] === now[j]) {
      add("same", now[j], j);
      i++;
      j++;
    } else if (j >= now.length || (i < old.length && (isTooLarge || common[(i + 1) * width + j] >= common[i * width + j + 1]))) {
      add("removed", old[i], i);
      i++;
    } else {
      add("added", now[j], j);
      j++;
    }
  }
  return lines;
}

/**
 * Return the changes between two texts as a list, with some lines around each.
 * @param {string} before
 * @param {string} after
 */
function listChanges(before, after) {
  const lines = diff(before, after);
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== "same"));
  /** @type {HTMLElement[]} */
  const shown = [];
  lines.forEach(({ kind, text, number }, at) => {
    if (isNear[at]) {
      const sign = make("span", { class: "sign", "aria-label": kind === "same" ? null : kind }, SIGNS[kind]);
      shown.push(make("div", { class: `diff-${kind}` }, make("span", { class: "number" }, number), sign, make("code", {}, text || " ")));
    } else if (isNear[at - 1] || at === 0) shown.push(make("div", { class: "diff-gap" }, "⋯"));
  });
  return make("div", { class: "diff", tabindex: 0, role: "region", "aria-label": "Differences" }, ...shown);
}

/**
 * Return what is different between the files of two versions.
 * @param {DraftFile[]} before
 * @param {DraftFile[]} after
 */
export function comparison(before, after) {
  const names = [...new Set([...before, ...after].map(({ name }) => name))].sort();
  const [old, now] = [before, after].map((files) => new Map(files.map(({ name, text }) => [name, text])));
  const changed = names.filter((name) => old.get(name) !== now.get(name));
  if (!changed.length) return [make("p", { class: "quiet" }, "There is no difference.")];
  return changed.flatMap((name) => {
    const what = old.has(name) ? (now.has(name) ? "" : " (removed)") : " (new)";
    return [make("h3", {}, name + what), listChanges(old.get(name) ?? "", now.get(name) ?? "")];
  });
}
