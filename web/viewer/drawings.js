// What the bots drew (visualizer/model/drawings.py), and which of it is shown.
import { byId, make } from "../shared/elements.js";

/** @import { Drawing, DrawingFacts, DrawingGroup, Drawn, Point, Texts } from "./types.d.ts" */
/** @import { Viewer } from "./viewer.js" */
/** @typedef {(x: number, y: number) => Point} Place */

const UNNAMED = "drawings";

export class Drawings {
  /**
   * @param {Viewer} viewer
   * @param {Texts["drawings"]} turns
   */
  constructor(viewer, turns = [], omitted = 0) {
    this.viewer = viewer;
    this.omitted = omitted;
    /** @type {Map<number, (Drawing & { group: string })[]>} */
    this.byTurn = new Map();
    /** @type {Map<string, DrawingGroup>} */
    this.groups = new Map();
    /** @type {Set<string>} */
    this.hidden = new Set();
    /** @type {HTMLInputElement[]} */
    this.boxes = [];
    for (const [turn, drawn] of turns) this.add(turn, drawn);
    this.list();
  }

  /**
   * Add drawings of a turn; `list` then shows their groups.
   * @param {number} turn
   * @param {Drawn[]} drawings
   */
  add(turn, drawings) {
    const made = drawings.map(([team, piece, key, color, form, numbers, text]) =>
      ({ team, piece, color, form, numbers, text: text ?? "", group: `${team} ${key}`, key }));
    this.byTurn.set(turn, [...(this.byTurn.get(turn) ?? []), ...made]);
    for (const { group, team, key, color } of made) {
      if (!this.groups.has(group)) this.groups.set(group, { team, key, color });
    }
  }

  /**
   * Return what was drawn in a turn and is not switched off.
   * @param {number} turn
   */
  at(turn) {
    return (this.byTurn.get(turn) ?? []).filter(({ group }) => !this.hidden.has(group));
  }

  // Switch all off, or all on again.
  toggle() {
    const hidden = this.hidden.size ? [] : [...this.groups.keys()];
    this.hidden = new Set(hidden);
    for (const box of this.boxes) box.checked = !this.hidden.has(box.value);
    this.viewer.requestFrame();
  }

  // List the groups, unless all of them are listed.
  list() {
    const panel = byId("drawings");
    panel.hidden = !this.groups.size;
    if (this.groups.size === this.boxes.length) return;
    this.boxes = [];
    const rows = [...this.groups].sort(([, a], [, b]) => a.team - b.team).map(([group, about]) => this.#row(group, about));
    const note = make("p", { class: "note" }, `The drawings of ${this.omitted} later turns are left out, to keep this page small.`);
    panel.replaceChildren(make("h3", {}, "drawn by the bots"), ...rows, ...(this.omitted ? [note] : []));
  }

  /**
   * @param {string} group
   * @param {DrawingGroup} about
   */
  #row(group, { team, key, color }) {
    const box = make("input", { type: "checkbox", value: group, checked: !this.hidden.has(group) });
    box.addEventListener("change", () => {
      if (box.checked) this.hidden.delete(group);
      else this.hidden.add(group);
      this.viewer.requestFrame();
    });
    this.boxes.push(box);
    const swatch = make("i", { class: "swatch" });
    swatch.style.background = color;
    const name = this.viewer.replay.teams[team - 1].name;
    return make("label", {}, box, swatch, make("span", {}, `${name}: ${key || UNNAMED}`));
  }
}

/**
 * Draw one; `at` turns a place of the plane into one on the canvas, `scale` is a square's width.
 * @param {CanvasRenderingContext2D} ctx
 * @param {DrawingFacts} facts
 * @param {Drawing} drawn
 * @param {Place} at
 * @param {number} scale
 */
export function drawDrawing(ctx, facts, drawn, at, scale) {
  const { drawnLine, minDrawnLine, drawnRim } = facts.sizes;
  const width = Math.max(minDrawnLine * devicePixelRatio, scale * drawnLine);
  const { numbers } = drawn;
  const rim = rimColor(facts.colors, drawn.color);
  if (drawn.form === "text") return drawText(ctx, facts.sizes, drawn, rim, at(numbers[0], numbers[1]), scale);
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  /** @type {[string, number][]} */
  const lines = [[rim, width * drawnRim], [drawn.color, width]];
  for (const [color, line] of lines) {
    ctx.strokeStyle = color;
    ctx.lineWidth = line;
    ctx.beginPath();
    const [x, y, radius] = numbers;
    if (drawn.form === "circle") ctx.arc(...at(x, y), radius * scale, 0, Math.PI * 2);
    else for (let i = 0; i < numbers.length; i += 2) ctx.lineTo(...at(numbers[i], numbers[i + 1]));
    ctx.stroke();
  }
  return undefined;
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {DrawingFacts["sizes"]} sizes
 * @param {Drawing} drawn
 * @param {string} rim
 * @param {Point} place
 * @param {number} scale
 */
function drawText(ctx, { drawnText, minDrawnText }, { text = "", color }, rim, [x, y], scale) {
  const height = Math.max(minDrawnText * devicePixelRatio, scale * drawnText);
  ctx.font = `600 ${height}px Inter, system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  ctx.strokeStyle = rim;
  ctx.lineWidth = height * 0.22;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = color;
  ctx.fillText(text, x, y);
}

/**
 * @param {DrawingFacts["colors"]} colors
 * @param {string} color
 */
function rimColor({ light, dark }, color) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  return r * 0.3 + g * 0.6 + b * 0.1 < 130 ? light : dark;
}
