// The figures of a type, beside its drawing.

import { make } from "../shared/elements.js";
import { part } from "../shared/parts.js";

/** @import { Figures } from "./types.d.ts" */

const SIDES = /** @type {const} */ (["forward", "right", "backward", "left"]);
const NAMES = { forward: "front →", right: "right ↓", backward: "← back", left: "left ↑" };

/** @param {Figures | null} figures */
export function showFigures(figures) {
  for (const side of SIDES) {
    const one = figures?.sides.find((each) => each.side === side);
    const node = part(`side-${side}`);
    node.replaceChildren(
      make("b", {}, NAMES[side]),
      ...(one ? [make("span", {}, `attack ${one.attack}`), make("span", {}, `defense ${one.defense}`)] : []),
    );
  }
  const facts = figures
    ? [["size", figures.size], ["speed", figures.speed === 1 ? "a cell a turn" : `a cell in ${figures.speed} turns`],
      ["hp", figures.hp], ["range", figures.range]]
    : [["size", "no shape yet"]];
  part("facts").replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
}
