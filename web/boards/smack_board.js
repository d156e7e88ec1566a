// One board of Smack!: its squares and hints, and what the reader does with its pieces.
// It knows no rule: which moves are legal, and what they capture, comes with the position.

import { draw, mark } from "../shared/elements.js";
import { say } from "./page.js";
import { Pieces } from "./smack_pieces.js";
import { DEAD_SPACE, FILE_NAMES, SIDE, SQUARES, beside, isArrow, nameOf, partsOf } from "./smack_squares.js";

const DRAG_PX = 6; // less is a click with an unsteady hand

export class Board {
  /**
   * @param {number} number of the half
   * @param {{move: (source: string, target: string) => Promise<boolean>,
   *          refuse: (words: string) => void}} listener
   *   `move` wants to move a piece, legally or not, and says whether that was accepted
   */
  constructor(number, listener) {
    this.number = number;
    this.listener = listener;
    this.half = null;
    this.pieces = new Pieces();
    this.held = null; // the square of the piece that was picked up
    this.cursor = DEAD_SPACE; // the square that Tab leads to
    this.press = null; // where a pointer went down, until it is lifted
    this.cells = new Map();
    this.makeLayers();
    this.listen();
  }

  makeLayers() {
    this.grid = draw(
      "g",
      {
        role: "grid",
        "aria-label": `Board ${this.number}`,
        "aria-description": "Arrow keys move, Enter picks up and puts down, Escape puts back.",
      },
      ...this.makeRows(),
    );
    [this.marks, this.hints] = [1, 2].map(() => draw("g", { class: "above", "aria-hidden": "true" }));
    this.focus = draw("rect", { class: "cursor above", width: 1, height: 1, rx: 0.12 });
    this.node = draw(
      "svg",
      { class: "board", viewBox: `-0.7 -0.1 ${SIDE + 0.8} ${SIDE + 0.8}` },
      outline(), this.grid, ...names(),
      this.marks, this.pieces.standing, this.hints, this.focus, this.pieces.flying,
    );
  }

  makeRows() {
    const rows = Array.from({ length: SIDE }, () => draw("g", { role: "row" }));
    for (const [name, { x, y }] of SQUARES) {
      const shade = name === DEAD_SPACE ? "dead" : (x + y) % 2 ? "odd" : "even";
      const cell = draw(
        "g",
        { role: "gridcell", class: `square ${shade}`, "data-square": name, tabindex: -1 },
        draw("rect", { x, y, width: 1, height: 1 }),
      );
      this.cells.set(name, cell);
      rows[y].append(cell);
    }
    return rows;
  }

  // ---- what the server says

  /**
   * Show a half as the server has it; moves since the one shown before are animated.
   * @param {(team: number) => string} ownerOf says whose a team's pieces are
   */
  show(half, ownerOf) {
    const before = this.half;
    this.half = half;
    this.ownerOf = ownerOf;
    const moves = before ? half.history.slice(before.history.length) : [];
    if (moves.length) this.dropPress();
    this.pieces.show(half, moves);
    if (!(this.held in half.moves)) this.held = null;
    if (!before) this.setCursor(Object.keys(half.moves)[0] ?? DEAD_SPACE);
    this.drawMarks();
    this.drawHints();
  }

  /** Let the piece of a move that waits to be sent stand where it goes. */
  showWaiting(move) {
    const parts = partsOf(move);
    if (parts && SQUARES.has(parts.target)) this.pieces.carry(parts.source, SQUARES.get(parts.target));
  }

  drawMarks() {
    const { last, captured } = this.half;
    for (const [square, cell] of this.cells) {
      cell.classList.toggle("from", square === last?.[0]);
      cell.classList.toggle("to", square === last?.[1]);
    }
    const frames = (last ?? []).map((square) => frame(SQUARES.get(square)));
    const empty = captured.filter((square) => !this.pieces.kindOn(square));
    this.marks.replaceChildren(...frames, ...empty.map((square) => cross(SQUARES.get(square))));
  }

  // ---- what the reader does

  listen() {
    const { node } = this;
    node.addEventListener("keydown", (event) => this.onKey(event));
    node.addEventListener("focusin", (event) => this.onFocus(event));
    node.addEventListener("focusout", () => this.focus.classList.remove("shown"));
    node.addEventListener("click", (event) => this.onClick(event));
    node.addEventListener("pointerdown", (event) => this.onDown(event));
    node.addEventListener("pointermove", (event) => this.onMove(event));
    node.addEventListener("pointerup", (event) => this.onUp(event));
    node.addEventListener("pointercancel", () => this.dropPress());
    // A finger on a piece drags it; elsewhere on the board it scrolls the page.
    node.addEventListener("touchmove", (event) => this.press && event.preventDefault(), { passive: false });
  }

  onKey(event) {
    const square = squareOf(event);
    if (!square || event.ctrlKey || event.altKey || event.metaKey) return;
    if (isArrow(event.key)) this.goTo(beside(square, event.key));
    else if (event.key === "Enter" || event.key === " ") this.choose(square);
    else if (event.key === "Escape" && this.held) this.putBack();
    else return;
    event.preventDefault();
  }

  onFocus(event) {
    const square = squareOf(event);
    if (!square) return;
    this.setCursor(square);
    const { x, y } = SQUARES.get(square);
    mark(this.focus, "x", x);
    mark(this.focus, "y", y);
    this.focus.classList.toggle("shown", event.target.matches(":focus-visible"));
    this.showVictims(square);
  }

  onClick(event) {
    const square = squareOf(event);
    if (square && !this.wasDragged) this.choose(square);
    this.wasDragged = false;
  }

  onDown(event) {
    this.wasDragged = false;
    const square = squareOf(event);
    if (event.button || !event.isPrimary || !(square in this.half.moves)) return;
    this.press = { square, x: event.clientX, y: event.clientY, isDrag: false };
  }

  onMove(event) {
    if (this.press && !event.buttons) this.dropPress(); // it was lifted elsewhere
    const { press } = this;
    if (!press) {
      this.showVictims(squareOf(event));
      return;
    }
    if (!press.isDrag) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG_PX) return;
      this.startDrag(event);
    }
    const { x, y } = this.pointOf(event);
    this.pieces.carry(press.square, { x: x - 0.5, y: y - 0.5 });
    this.showVictims(nameOf(Math.floor(x), Math.floor(y)));
  }

  startDrag(event) {
    const { press, node } = this;
    press.isDrag = true;
    this.wasDragged = true;
    node.setPointerCapture(event.pointerId);
    node.classList.add("dragging");
    this.pickUp(press.square);
  }

  onUp(event) {
    const { press } = this;
    if (!press?.isDrag) {
      this.press = null;
      return;
    }
    const { x, y } = this.pointOf(event);
    const target = nameOf(Math.floor(x), Math.floor(y));
    this.dropPress();
    if (target !== press.square && SQUARES.has(target)) this.order(press.square, target);
  }

  /** Forget a pointer that is down; a dragged piece goes back. */
  dropPress() {
    const { press } = this;
    this.press = null;
    this.node.classList.remove("dragging");
    if (press) this.pieces.putBack(press.square);
  }

  /** Pick up what stands here, or put what is held down here. */
  choose(square) {
    if (square === this.held) this.putBack();
    else if (square in this.half.moves) this.pickUp(square);
    else if (this.held) this.order(this.held, square);
    else if (this.pieces.kindOn(square)) this.listener.refuse(`${square} cannot be moved now.`);
  }

  pickUp(square) {
    this.listener.refuse("");
    this.held = square;
    this.setCursor(square);
    this.drawHints();
    const count = Object.keys(this.half.moves[square]).length;
    say(`${square} picked up, ${count} ${count === 1 ? "move" : "moves"}.`);
  }

  putBack() {
    say(`${this.held} put back.`);
    this.held = null;
    this.drawHints();
  }

  /** Order a move; the piece stands on its target until the server answers. */
  async order(source, target) {
    if (target in (this.half.moves[source] ?? {})) this.pieces.carry(source, SQUARES.get(target));
    const { ply } = this.half;
    const isAccepted = await this.listener.move(source, target);
    if (isAccepted && this.held === source) this.held = null;
    else if (ply === this.half.ply) this.pieces.settle(this.half);
    this.drawHints();
  }

  goTo(square) {
    this.setCursor(square);
    this.cells.get(square).focus();
  }

  setCursor(square) {
    mark(this.cells.get(this.cursor), "tabindex", -1);
    mark(this.cells.get(square), "tabindex", 0);
    this.cursor = square;
  }

  // ---- hints

  drawHints() {
    const targets = Object.entries(this.half.moves[this.held] ?? {});
    this.hints.replaceChildren(
      ...targets.map(([square, captured]) => hint(SQUARES.get(square), captured.length > 0)),
    );
    this.setCursor(this.cursor);
    for (const [square, cell] of this.cells) {
      cell.classList.toggle("movable", square in this.half.moves);
      cell.classList.toggle("held", square === this.held);
      cell.classList.toggle("legal", this.captures(square) !== undefined);
      mark(cell, "aria-selected", this.held ? square === this.held : null);
      mark(cell, "aria-label", this.describe(square));
    }
    this.showVictims(null);
  }

  /** Return what the held piece would capture there; undefined if it may not go there. */
  captures(square) {
    return this.half.moves[this.held]?.[square];
  }

  showVictims(square) {
    const victims = this.captures(square) ?? [];
    for (const [name, cell] of this.cells) {
      cell.classList.toggle("victim", victims.includes(name));
    }
  }

  describe(square) {
    const kind = this.pieces.kindOn(square);
    const team = (kind === "nerd") === (this.half.nerds_team === 1) ? 1 : 2;
    const what = kind ? `${this.ownerOf(team)} ${kind}` : "empty";
    const words = [square, square === DEAD_SPACE ? "dead space" : what];
    const captured = this.captures(square);
    if (square === this.held) words.push("picked up");
    else if (captured) words.push(captured.length ? `captures ${captured.join(", ")}` : "can go here");
    return words.join(", ");
  }

  pointOf(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(
      this.node.getScreenCTM().inverse(),
    );
  }
}

const squareOf = (event) => event.target.closest("[data-square]")?.dataset.square;
function frame({ x, y }) {
  return draw("rect", { class: "frame", x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92 });
}

function cross({ x, y }) {
  return draw("path", { class: "cross", d: `M${x + 0.3} ${y + 0.3}l.4.4m0-.4l-.4.4` });
}

function hint({ x, y }, isCapture) {
  const attributes = { class: isCapture ? "hint takes" : "hint", cx: x + 0.5, cy: y + 0.5 };
  return draw("circle", { ...attributes, r: isCapture ? 0.42 : 0.15 });
}

/** Return the edge around all squares, which lies below them. */
function outline() {
  const parts = [...SQUARES.values()].map(({ x, y }) => `M${x} ${y}h1v1h-1z`);
  return draw("path", { class: "edge", d: parts.join("") });
}

/** Return the names of the files and ranks. */
function names() {
  return FILE_NAMES.flatMap((file, index) => [
    draw("text", { class: "name", x: index + 0.5, y: SIDE + 0.5, "aria-hidden": "true" }, file),
    draw("text", { class: "name", x: -0.35, y: index + 0.65, "aria-hidden": "true" }, `${SIDE - index}`),
  ]);
}
