// The map of the zone, on which shapes are placed: by pointer, and by keyboard.

import { draw, mark } from "../shared/elements.js";
import { FILLED, makePath, trim } from "./shapes.js";

/** @import { MapListener, Shown } from "./types.d.ts" */

const LINES = 5; // a line each so many cells
const FAR = 5; // cells that a step with Shift goes
/** @type {Record<string, [du: number, dv: number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class ZoneMap {
  /** @type {Shown | null} */
  shown = null;
  cursor = { u: 0, v: 0 };
  /** @type {{ index: number, du: number, dv: number, u: number, v: number } | null} */
  dragged = null; // where in the shape the pointer is
  /** @type {{ u: number, v: number } | null} */
  pointed = null;
  /** @type {{ u: number, v: number } | null} */
  pressed = null; // a free cell on which a pointer is down
  isCarrying = false;
  hasCursor = false;

  /**
   * @param {SVGSVGElement} node
   * @param {MapListener} listener
   */
  constructor(node, listener) {
    this.node = node;
    this.listener = listener;
    node.addEventListener("pointerdown", (event) => this.#press(event));
    node.addEventListener("pointermove", (event) => this.#point(event));
    node.addEventListener("pointerup", (event) => this.#release(event));
    node.addEventListener("pointercancel", () => this.#cancel());
    node.addEventListener("pointerleave", () => this.#leave());
    node.addEventListener("keydown", (event) => this.#key(event));
    node.addEventListener("focus", () => this.#mark(node.matches(":focus-visible")));
    node.addEventListener("blur", () => this.#mark(false));
  }

  /** @param {Shown} shown */
  show(shown) {
    const isNew = this.shown?.grid !== shown.grid;
    this.shown = shown;
    if (isNew) this.cursor = { u: shown.grid.columns - 6, v: 0 };
    this.#draw();
  }

  get rows() {
    if (!this.shown) return { first: 0, last: 0 };
    const { grid, isWhole, army } = this.shown;
    const isOutside = army.placements.some(([type, , v]) => {
      const height = trim(army.types[type]?.rows ?? []).length;
      return v < grid.sure_first_row || v + height - 1 > grid.sure_last_row;
    });
    if (isWhole || isOutside) return { first: grid.first_row, last: grid.last_row };
    return { first: grid.sure_first_row, last: grid.sure_last_row };
  }

  #draw() {
    if (!this.shown) return;
    const { grid, army, chosen, wrong } = this.shown;
    const { first, last } = this.rows;
    const height = last - first + 1;
    const [u, width, home] = grid.home;
    const node = this.node;
    mark(node, "viewBox", `-.2 ${first - 0.2} ${grid.columns + 0.4} ${height + 0.4}`);
    node.style.setProperty("--ratio", String((grid.columns + 0.4) / (height + 0.4)));
    const parts = [
      draw("rect", { class: "ground", x: 0, y: first, width: grid.columns, height }),
      ...this.#unsure(first, last),
      draw("path", { class: "lines", d: gridLines(grid.columns, first, last) }),
      draw("rect", { class: "home", x: u, y: 0, width, height: home }),
      draw("path", { class: "flag", d: `M${u + width / 2 - 0.6} ${home / 2 + 1}v-2.4l1.8 .8l-1.8 .8` }),
      draw("path", { class: "front", d: `M${grid.columns} ${first}v${height}` }),
      ...army.placements.map(([type, column, row], index) => {
        const isMoved = this.dragged?.index === index;
        const at = isMoved && this.dragged ? this.dragged : { u: column, v: row };
        const names = ["shape", `ink-${type % 8}`];
        if (index === chosen) names.push("chosen");
        if (wrong.has(index)) names.push("wrong-shape");
        const d = makePath(army.types[type]?.rows ?? [], at.u, at.v);
        return draw("path", { class: names.join(" "), d, "data-index": index });
      }),
    ];
    const ghost = this.#ghost();
    if (ghost) parts.push(ghost);
    node.replaceChildren(...parts);
  }

  /** @param {number} first @param {number} last */
  #unsure(first, last) {
    if (!this.shown) return [];
    const { grid } = this.shown;
    return [
      [first, grid.sure_first_row - first],
      [grid.sure_last_row + 1, last - grid.sure_last_row],
    ]
      .filter(([, height]) => height > 0)
      .map(([y, height]) => draw("rect", { class: "unsure", x: 0, y, width: grid.columns, height }));
  }

  /** Return what would be placed where the pointer or the cursor is. */
  #ghost() {
    if (!this.shown || this.dragged) return null;
    const { army, type } = this.shown;
    const at = this.hasCursor ? this.cursor : this.pointed;
    if (!at || !army.types[type] || (!this.hasCursor && this.#indexAt(at.u, at.v) !== null)) return null;
    if (this.isCarrying || this.#indexAt(at.u, at.v) !== null) {
      return draw("rect", { class: "cursor", x: at.u - 0.15, y: at.v - 0.15, width: 1.3, height: 1.3 });
    }
    const { u, v } = this.#corner(at.u, at.v);
    return draw("path", { class: `ghost ink-${type % 8}`, d: makePath(army.types[type].rows, u, v) });
  }

  /**
   * Return where the upper left cell of the chosen type would be, its middle being there.
   * @param {number} u
   * @param {number} v
   */
  #corner(u, v) {
    const rows = trim(this.shown?.army.types[this.shown.type]?.rows ?? []);
    return { u: u - Math.floor(((rows[0]?.length ?? 1) - 1) / 2), v: v - Math.floor((rows.length - 1) / 2) };
  }

  /**
   * Return the last shape that is drawn over a cell.
   * @param {number} u
   * @param {number} v
   */
  #indexAt(u, v) {
    if (!this.shown) return null;
    const { types, placements } = this.shown.army;
    for (let index = placements.length - 1; index >= 0; index--) {
      const [type, column, row] = placements[index];
      if (trim(types[type]?.rows ?? [])[v - row]?.[u - column] === FILLED) return index;
    }
    return null;
  }

  /** @param {PointerEvent} event */
  #cell(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.node.getScreenCTM()?.inverse());
    return { u: Math.floor(point.x), v: Math.floor(point.y) };
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0 || !this.shown) return;
    this.hasCursor = false;
    const { u, v } = this.#cell(event);
    const index = this.#indexAt(u, v);
    this.pressed = index === null ? { u, v } : null;
    if (index === null) return;
    const [, column, row] = this.shown.army.placements[index];
    this.node.setPointerCapture(event.pointerId);
    this.dragged = { index, du: u - column, dv: v - row, u: column, v: row };
    this.listener.choose(index);
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const cell = this.#cell(event);
    if (this.dragged) {
      this.dragged.u = cell.u - this.dragged.du;
      this.dragged.v = cell.v - this.dragged.dv;
    } else if (event.pointerType === "touch") return;
    if (this.pointed?.u === cell.u && this.pointed.v === cell.v) return;
    this.pointed = cell;
    this.#draw();
  }

  #leave() {
    if (this.dragged || !this.pointed) return;
    this.pointed = null;
    this.#draw();
  }

  #cancel() {
    this.dragged = this.pressed = null; // the page is scrolled
    this.#draw();
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const { dragged, pressed } = this;
    this.dragged = this.pressed = null;
    if (dragged && this.shown) {
      const [, u, v] = this.shown.army.placements[dragged.index];
      if (dragged.u !== u || dragged.v !== v) this.listener.move(dragged.index, dragged.u, dragged.v);
      return;
    }
    const { u, v } = this.#cell(event);
    if (pressed?.u !== u || pressed.v !== v) return;
    const corner = this.#corner(u, v);
    this.cursor = { u, v };
    this.listener.place(corner.u, corner.v);
  }

  /** @param {boolean} hasCursor */
  #mark(hasCursor) {
    this.hasCursor = hasCursor;
    this.isCarrying = false;
    this.#draw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.shown) return;
    const step = STEPS[event.key];
    if (step) this.#step(step, event.shiftKey ? FAR : 1);
    else if (event.key === "Enter" || event.key === " ") this.#enter();
    else if (event.key === "Delete" || event.key === "Backspace") this.#delete();
    else if (event.key === "Escape" && this.isCarrying) this.isCarrying = false;
    else return;
    event.preventDefault();
    this.hasCursor = true;
    this.#draw();
  }

  /** @param {[number, number]} step @param {number} far */
  #step([du, dv], far) {
    if (!this.shown) return;
    const { first, last } = this.rows;
    const before = this.cursor;
    this.cursor = {
      u: Math.max(0, Math.min(this.shown.grid.columns - 1, before.u + du * far)),
      v: Math.max(first, Math.min(last, before.v + dv * far)),
    };
    const { chosen } = this.shown;
    if (this.isCarrying && chosen !== null) {
      const [, u, v] = this.shown.army.placements[chosen];
      this.listener.move(chosen, u + this.cursor.u - before.u, v + this.cursor.v - before.v);
    }
    this.#tell();
  }

  #enter() {
    if (!this.shown) return;
    if (this.isCarrying) {
      this.isCarrying = false;
      this.listener.say("put down");
      return;
    }
    const index = this.#indexAt(this.cursor.u, this.cursor.v);
    if (index === null) {
      const { u, v } = this.#corner(this.cursor.u, this.cursor.v);
      this.listener.place(u, v);
      return;
    }
    this.isCarrying = true;
    this.listener.choose(index);
    this.listener.say("picked up: arrow keys move it");
  }

  #delete() {
    const index = this.#indexAt(this.cursor.u, this.cursor.v);
    this.isCarrying = false;
    if (index !== null) this.listener.remove(index);
  }

  #tell() {
    if (!this.shown) return;
    const { u, v } = this.cursor;
    const index = this.#indexAt(u, v);
    const { army } = this.shown;
    const thing = index === null ? "free" : army.types[army.placements[index][0]].name;
    this.listener.say(`column ${u}, ${inRows(v)}: ${thing}`);
  }
}

/** @param {number} v */
export function inRows(v) {
  if (v === 0) return "first row of the home";
  return v < 0 ? `${-v} above the home’s first row` : `${v} below the home’s first row`;
}

/** @param {number} columns @param {number} first @param {number} last */
function gridLines(columns, first, last) {
  let d = "";
  for (let u = 0; u <= columns; u += LINES) d += `M${u} ${first}V${last + 1}`;
  for (let v = Math.ceil(first / LINES) * LINES; v <= last + 1; v += LINES) d += `M0 ${v}H${columns}`;
  return d;
}
