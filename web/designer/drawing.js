// The sheet on which a type is drawn: cells to tap, to draw over with a pointer, and to walk over.

import { make, mark } from "../shared/elements.js";
import { EMPTY, FILLED, center, trim } from "./shapes.js";

const SIDES = [10, 16, 24, 32, 48, 64];
/** @type {Record<string, [dx: number, dy: number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Drawing {
  side = SIDES[0];
  /** @type {string[]} */
  rows = [];
  /** @type {HTMLElement[][]} */
  cells = [];
  focus = { x: 0, y: 0 };
  /** @type {string | null} */
  brush = null; // what a pointer that is down draws

  /**
   * @param {HTMLElement} node
   * @param {(rows: string[]) => void} onChange  told what is drawn, without empty rows around it
   */
  constructor(node, onChange) {
    this.node = node;
    this.onChange = onChange;
    node.addEventListener("pointerdown", (event) => this.#press(event));
    node.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
      node.addEventListener(name, () => (this.brush = null));
    }
    node.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Show what is drawn of a type, in the middle of the sheet unless it is there already.
   * @param {string[]} rows
   */
  show(rows) {
    const own = trim(rows);
    if (this.cells.length && own.join() === trim(this.rows).join()) return;
    const longest = Math.max(own.length, own[0]?.length ?? 0);
    this.#resize(Math.max(this.side, SIDES.find((side) => side > longest) ?? SIDES[SIDES.length - 1]));
    this.rows = center(own, this.side);
    this.#paint();
  }

  /** @param {number} by  1 for a larger sheet, -1 for a smaller one */
  resize(by) {
    const own = trim(this.rows);
    const side = SIDES[SIDES.indexOf(this.side) + by];
    if (!side || side < Math.max(own.length, own[0]?.length ?? 0)) return;
    this.#resize(side);
    this.rows = center(own, side);
    this.#paint();
  }

  /**
   * Change what is drawn by a function of all rows of the sheet.
   * @param {(rows: string[]) => string[]} change
   */
  change(change) {
    this.rows = change(this.rows);
    this.#paint();
    this.onChange(trim(this.rows));
  }

  clear() {
    this.change((rows) => rows.map((row) => EMPTY.repeat(row.length)));
  }

  /** @param {number} side */
  #resize(side) {
    if (this.cells.length === side) return;
    this.side = side;
    this.cells = Array.from({ length: side }, (_, y) =>
      Array.from({ length: side }, (_, x) =>
        make("div", { role: "gridcell", tabindex: -1, "data-x": x, "data-y": y }),
      ),
    );
    this.node.style.setProperty("--side", String(side));
    this.node.replaceChildren(...this.cells.map((row) => make("div", { role: "row" }, ...row)));
    this.focus = { x: Math.floor(side / 2), y: Math.floor(side / 2) };
  }

  #paint() {
    this.cells.forEach((row, y) =>
      row.forEach((cell, x) => {
        const isFilled = this.rows[y][x] === FILLED;
        mark(cell, "aria-selected", isFilled ? "true" : "false");
        mark(cell, "aria-label", `row ${y + 1}, column ${x + 1}, ${isFilled ? "filled" : "empty"}`);
        cell.tabIndex = x === this.focus.x && y === this.focus.y ? 0 : -1;
      }),
    );
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {string} sign
   */
  #set(x, y, sign) {
    if (this.rows[y][x] === sign) return;
    this.rows = this.rows.map((row, at) => (at === y ? row.slice(0, x) + sign + row.slice(x + 1) : row));
    this.#paint();
    this.onChange(trim(this.rows));
  }

  /** @param {number} clientX @param {number} clientY */
  #at(clientX, clientY) {
    const cell = document.elementFromPoint(clientX, clientY)?.closest("[role=gridcell]");
    if (!(cell instanceof HTMLElement) || !this.node.contains(cell)) return null;
    return { x: Number(cell.dataset.x), y: Number(cell.dataset.y) };
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const cell = this.#at(event.clientX, event.clientY);
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    this.node.setPointerCapture(event.pointerId);
    this.brush = this.rows[cell.y][cell.x] === FILLED ? EMPTY : FILLED;
    this.focus = cell;
    this.#set(cell.x, cell.y, this.brush);
    this.cells[cell.y][cell.x].focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (this.brush === null) return;
    for (const each of event.getCoalescedEvents?.() ?? [event]) {
      const cell = this.#at(each.clientX, each.clientY);
      if (cell) this.#set(cell.x, cell.y, this.brush);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = STEPS[event.key];
    const { x, y } = this.focus;
    if (step) {
      this.focus = { x: this.#inside(x + step[0]), y: this.#inside(y + step[1]) };
    } else if (event.key === " " || event.key === "Enter") {
      this.#set(x, y, this.rows[y][x] === FILLED ? EMPTY : FILLED);
    } else return;
    event.preventDefault();
    this.#paint();
    this.cells[this.focus.y][this.focus.x].focus();
  }

  /** @param {number} at */
  #inside(at) {
    return Math.max(0, Math.min(this.side - 1, at));
  }
}
