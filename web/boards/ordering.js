// The layer over a board on which people order: squares to click, to walk over with the arrow keys
// and to hear of, and signs of what may be ordered. It knows no rule and no game: what a square
// offers and what is said of it comes from the page of a game, which has it from the server.

import { byId, draw, make, mark } from "../shared/elements.js";
import { makeSign } from "./signs.js";

/** @import { Appearance, GridFacts } from "../viewer/types.d.ts" */
/** @import { View } from "../viewer/view.js" */
/** @import { Viewer } from "../viewer/viewer.js" */
/** @import { Look, OrderingListener, SignWithText } from "./types.d.ts" */

/** @type {Record<string, [dx: number, dy: number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 5; // rows that Page up and Page down go

export class OrderingLayer {
  // What is dragged: its board, square and id.
  /** @type {{ board: number, name: string, id: number | null } | null} */
  lifted = null;
  isPast = false;
  /** @type {number | undefined} */
  arrivedAt;
  /** @type {string | null | undefined} */
  pointed;

  /**
   * @param {Viewer} viewer
   * @param {OrderingListener} listener
   * @param {(isPast: boolean) => void} onPast  told whether the board shows the past
   */
  constructor(viewer, listener, onPast) {
    this.viewer = viewer;
    this.listener = listener;
    this.onPast = onPast;
    this.grids = (viewer.replay.grids ?? []).map((facts, place) => new Grid(facts, place + 1, this));
    this.node = draw("svg", { class: "ordering" }, ...this.grids.map((grid) => grid.node));
    byId("board").after(this.node);
    viewer.ordering = this;
    viewer.requestFrame();
  }

  /**
   * Show what each square of a board offers.
   * @param {number} board
   * @param {Map<string, Look>} looks  by name; a square without one shows nothing
   */
  show(board, looks) {
    this.grids[board - 1].show(looks);
  }

  /**
   * Put the squares where the board is drawn; of the past nothing can be ordered.
   * @param {boolean} isPast
   */
  layout(isPast) {
    this.node.classList.toggle("past", isPast);
    this.isPast = isPast;
    this.onPast(isPast);
    for (const grid of this.grids) grid.layout(this.viewer.view);
    const { steps } = this.viewer.replay;
    if (isPast || this.arrivedAt === steps) return;
    this.arrivedAt = steps;
    this.listener.arrive?.();
  }

  get isOpen() {
    return !this.isPast && this.listener.isOpen();
  }

  /**
   * Return the square under a place of the screen, and its board.
   * @param {number} screenX
   * @param {number} screenY
   */
  at(screenX, screenY) {
    const [x, y] = this.viewer.view.toBoard(screenX, screenY);
    for (const grid of this.grids) {
      const name = grid.nameAt(x, y);
      if (name) return { board: grid.number, name };
    }
    return null;
  }

  // ---- what a pointer does: viewer/pointing.js tells it

  /**
   * Take a click; return whether it was one on a square that orders.
   * @param {number} screenX
   * @param {number} screenY
   */
  choose(screenX, screenY) {
    this.lifted = null;
    const square = this.at(screenX, screenY);
    if (!square || !this.isOpen) return false;
    this.grids[square.board - 1].goTo(square.name);
    this.listener.choose(square.board, square.name);
    return true;
  }

  /**
   * Begin to drag what stands there; return whether it can be.
   * @param {number} screenX
   * @param {number} screenY
   */
  lift(screenX, screenY) {
    const square = this.at(screenX, screenY);
    if (!square || !this.isOpen || !this.listener.lift?.(square.board, square.name)) return false;
    this.lifted = { ...square, id: this.thingOn(square.board, square.name) };
    return true;
  }

  /**
   * Draw what is dragged at a place of the screen.
   * @param {number} screenX
   * @param {number} screenY
   */
  carry(screenX, screenY) {
    if (!this.lifted || this.lifted.id === null) return;
    const { board, name, id } = this.lifted;
    const [x, y] = this.viewer.view.toBoard(screenX, screenY);
    if (!this.viewer.board.carried.has(id)) this.listener.carry?.(board, name);
    this.viewer.board.carried.set(id, { x, y });
    this.point(screenX, screenY);
    this.viewer.requestFrame();
  }

  /**
   * Put down what was dragged; without a place let it go where it came from.
   * @param {number} [screenX]
   * @param {number} [screenY]
   */
  drop(screenX, screenY) {
    if (!this.lifted) return;
    const { board, name, id } = this.lifted;
    this.lifted = null;
    if (id !== null) this.viewer.board.carried.delete(id);
    this.viewer.requestFrame();
    const target = screenX === undefined || screenY === undefined ? null : this.at(screenX, screenY);
    this.listener.drop?.(board, name, target?.board === board ? target.name : "");
  }

  /**
   * Let the viewer tell of what stands there; return whether that is a square.
   * @param {number} screenX
   * @param {number} screenY
   */
  ask(screenX, screenY) {
    const square = this.at(screenX, screenY);
    if (square) this.inspect(square.board, square.name);
    return Boolean(square);
  }

  /**
   * Let the viewer tell of what stands on a square.
   * @param {number} board
   * @param {string} name
   */
  inspect(board, name) {
    this.viewer.select(this.thingOn(board, name));
  }

  /**
   * Take where a pointer is.
   * @param {number} [screenX]
   * @param {number} [screenY]
   */
  point(screenX, screenY) {
    const square = screenX === undefined || screenY === undefined ? null : this.at(screenX, screenY);
    const key = square && `${square.board} ${square.name}`;
    if (key === this.pointed) return;
    this.pointed = key;
    this.listener.point(square?.board ?? 0, square?.name ?? "");
  }

  // ---- what pages of games use

  /**
   * Draw what stands on a square on another one, until `settle`: its order waits for the server.
   * @param {number} board
   * @param {string} source
   * @param {string} target
   */
  move(board, source, target) {
    const id = this.thingOn(board, source);
    if (id === null) return;
    const [x, y] = this.grids[board - 1].squareCenter(target);
    this.viewer.board.carried.set(id, { x, y });
    this.viewer.requestFrame();
  }

  /** Draw everything where the board has it. */
  settle() {
    this.viewer.board.carried.clear();
    this.viewer.requestFrame();
  }

  /**
   * Give a square the focus, or the one to which Tab leads.
   * @param {number} board
   */
  focus(board, name = this.grids[board - 1].here) {
    this.grids[board - 1].goTo(name, true);
  }

  /**
   * Let Tab lead to a square.
   * @param {number} board
   * @param {string} name
   */
  enterAt(board, name) {
    this.grids[board - 1].goTo(name);
  }

  /**
   * Return a picture of the board's, such as `nerd_1`, as an element.
   * @param {string} name
   */
  makePicture(name) {
    const { replay, images } = this.viewer;
    const image = images[replay.images.names[name]];
    const canvas = make("canvas", { width: image.width, height: image.height, "aria-hidden": "true" });
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return canvas;
  }

  /**
   * Return the topmost thing on each square, by its name.
   * @param {number} board
   */
  thingsOn(board) {
    const { cursor, replay } = this.viewer;
    /** @type {Map<string, Appearance>} */
    const found = new Map();
    for (const [, { appearance: thing }] of [...cursor.things].sort(([one], [other]) => one - other)) {
      if (replay.kinds[thing.kind].is_seen_through) continue;
      const name = this.grids[board - 1].nameAt(thing.x + (thing.width ?? 0) / 2, thing.y + (thing.height ?? 0) / 2);
      if (name) found.set(name, thing);
    }
    return found;
  }

  /**
   * Return the id of the topmost thing on a square; null if there is none.
   * @param {number} board
   * @param {string} name
   */
  thingOn(board, name) {
    const { view } = this.viewer;
    const [x, y] = view.toScreen(...this.grids[board - 1].squareCenter(name));
    return this.viewer.board.thingAt(this.viewer.cursor.things, x, y);
  }
}

/** The squares of one board, as a grid of elements over the picture of it. */
class Grid {
  /** @type {Map<string, Cell>} */
  cells = new Map();

  /**
   * @param {GridFacts} facts
   * @param {number} number
   * @param {OrderingLayer} layer
   */
  constructor([label, left, top, columns, rows, names], number, layer) {
    this.number = number;
    this.layer = layer;
    this.left = left;
    this.top = top;
    this.columns = columns;
    this.rows = rows;
    this.names = names.length ? names : coordinates(columns, rows);
    this.names.forEach((name, place) => name && this.cells.set(name, new Cell(name, place, columns)));
    const lines = Array.from({ length: rows }, (_, row) =>
      draw("g", { role: "row" }, ...this.#rowCells(row).map((cell) => cell.node)),
    );
    this.node = draw(
      "g",
      {
        role: "grid",
        "aria-label": label,
        "aria-description": "Arrow keys move, Enter chooses, I tells what is known of a square.",
        "data-board": number,
        keydown: (event) => this.#onKey(event),
        focusin: (event) => this.#onFocus(event),
        // Readers of the screen click without a pointer.
        click: (event) => event.detail || this.#choose(squareUnder(event)),
      },
      ...lines,
    );
    this.here = this.names.find(Boolean) ?? "";
    this.goTo(this.here);
  }

  /**
   * @param {string} name
   * @returns {Cell}
   */
  #cell(name) {
    return /** @type {Cell} */ (this.cells.get(name));
  }

  /** @param {number} row */
  #rowCells(row) {
    const names = this.names.slice(row * this.columns, (row + 1) * this.columns);
    return names.filter(Boolean).map((name) => this.#cell(name));
  }

  /** @param {Map<string, Look>} looks */
  show(looks) {
    for (const [name, cell] of this.cells) cell.show(looks.get(name));
  }

  /** @param {View} view */
  layout(view) {
    const [x, y] = view.toScreen(this.left, this.top);
    mark(this.node, "transform", `translate(${x} ${y}) scale(${view.scale})`);
    mark(this.node, "visibility", view.shows(this.left) ? null : "hidden");
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  nameAt(x, y) {
    const [column, row] = [Math.floor(x - this.left), Math.floor(y - this.top)];
    return this.#has(column, row) ? this.names[row * this.columns + column] : "";
  }

  /**
   * @param {string} name
   * @returns {[x: number, y: number]}
   */
  squareCenter(name) {
    const { column, row } = this.#cell(name);
    return [this.left + column + 0.5, this.top + row + 0.5];
  }

  /**
   * Let Tab lead to a square, and give it the focus if that is wanted.
   * @param {string} name
   */
  goTo(name, isFocused = false) {
    mark(this.#cell(this.here).node, "tabindex", -1);
    this.here = name;
    const { node } = this.#cell(name);
    mark(node, "tabindex", 0);
    if (isFocused) node.focus();
  }

  /** @param {Event} event */
  #onFocus(event) {
    const target = /** @type {Element} */ (event.target);
    const name = squareUnder(event);
    if (!name) return;
    this.goTo(name);
    // Who taps or clicks elsewhere, and is led here, points at nothing yet.
    if (target.matches(":focus-visible")) this.layer.listener.point(this.number, name);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = this.#after(event.key);
    if (target) this.goTo(target, true);
    else if (event.key === "Enter" || event.key === " ") this.#choose(this.here);
    else if (event.key.toLowerCase() === "i") this.layer.inspect(this.number, this.here);
    else if (!this.layer.listener.key(event, this.number, this.here)) return;
    event.preventDefault();
    event.stopPropagation(); // the same keys play the match
  }

  /** @param {string | undefined} name */
  #choose(name) {
    if (name && this.layer.isOpen) this.layer.listener.choose(this.number, name);
    else if (name) this.layer.inspect(this.number, name);
  }

  /**
   * Return the square to which a key leads: gaps are jumped over, edges hold.
   * @param {string} key
   */
  #after(key) {
    const { column, row } = this.#cell(this.here);
    const inRow = this.#rowCells(row).map(({ name }) => name);
    if (key === "Home") return inRow[0];
    if (key === "End") return inRow.at(-1);
    if (key === "PageUp" || key === "PageDown") {
      const down = key === "PageUp" ? -FAR : FAR;
      return this.#nearest(column, Math.min(Math.max(row + down, 0), this.rows - 1));
    }
    if (!(key in STEPS)) return "";
    const [dx, dy] = STEPS[key];
    for (let x = column + dx, y = row + dy; this.#has(x, y); x += dx, y += dy) {
      const name = this.names[y * this.columns + x];
      if (name) return name;
    }
    return this.here;
  }

  /**
   * @param {number} column
   * @param {number} row
   */
  #has(column, row) {
    return column >= 0 && column < this.columns && row >= 0 && row < this.rows;
  }

  /**
   * @param {number} column
   * @param {number} row
   */
  #nearest(column, row) {
    const cells = this.#rowCells(row);
    if (!cells.length) return this.here;
    return cells.reduce((best, cell) =>
      Math.abs(cell.column - column) < Math.abs(best.column - column) ? cell : best,
    ).name;
  }
}

class Cell {
  /** What it shows. */
  key = "";

  /**
   * @param {string} name
   * @param {number} place
   * @param {number} columns
   */
  constructor(name, place, columns) {
    this.name = name;
    this.column = place % columns;
    this.row = Math.floor(place / columns);
    this.signs = draw("g", { class: "signs", "aria-hidden": "true" });
    this.node = draw(
      "g",
      { role: "gridcell", tabindex: -1, "data-square": name, "aria-label": name, transform: `translate(${this.column} ${this.row})` },
      draw("rect", { width: 1, height: 1 }),
      this.signs,
    );
  }

  /** @param {Look} [look] */
  show({ label = this.name, signs = [] } = {}) {
    mark(this.node, "aria-label", label);
    const key = JSON.stringify(signs);
    if (key === this.key) return;
    this.key = key;
    /** @type {SignWithText[]} */
    const named = signs.map((sign) => (Array.isArray(sign) ? sign : [sign, ""]));
    mark(this.node, "class", named.map(([name]) => name).join(" ") || null);
    mark(this.node, "aria-selected", named.some(([name]) => name === "held") ? "true" : null);
    this.signs.replaceChildren(...named.flatMap(([name, text]) => makeSign(name, text)));
  }
}

/**
 * @param {number} columns
 * @param {number} rows
 */
function coordinates(columns, rows) {
  return Array.from({ length: columns * rows }, (_, place) => `${place % columns}, ${Math.floor(place / columns)}`);
}

/** @param {Event} event */
function squareUnder(event) {
  const target = /** @type {Element} */ (event.target);
  return target.closest("[data-square]")?.getAttribute("data-square") ?? undefined;
}
