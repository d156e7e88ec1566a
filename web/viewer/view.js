// The visible part of the plane, and its scale. Lengths on the screen are CSS pixels.
// What stands side by side in the plane may be shown one below the other: see
// visualizer/drawing/arrangement.py.

/** @import { Arrangement, Point, Way } from "./types.d.ts" */

const CLOSEST = 128;  // pixels of a square
const UNMOVED = { dx: 0, dy: 0 };
const MAX_ZOOM = 4;  // times the size at which all is seen, at least to be reached

export class View {
  width = 1;
  height = 1;
  x = 0;
  y = 0;
  scale = 1;
  /** @type {number | null} */
  only = null; // the part that alone is shown, of parts one below the other

  /** @param {Arrangement[]} arrangements */
  constructor(arrangements) {
    /** @type {Way[]} */
    this.ways = arrangements.map(([[left, top, right, bottom], parts]) => ({
      extent: { left, top, width: right - left, height: bottom - top },
      parts: parts.map(([left, top, dx, dy]) => ({ left, top, dx, dy })).reverse(),
    }));
    this.way = this.ways[0];
    this.fit();
  }

  /**
   * Choose the arrangement that shows all of the board largest in a room.
   * @param {number} width
   * @param {number} height
   * @param {number | null} only  the part that alone is shown where parts stand one below the other
   * @param {boolean} isAlone  whether it is shown alone however much room there is
   */
  arrange(width, height, only = null, isAlone = false) {
    /** @param {Way} way */
    const size = ({ extent }) => Math.min(width / extent.width, height / extent.height);
    const best = this.ways.reduce((one, other) => (isAlone || size(other) > size(one) ? other : one));
    const chosen = best.parts.length > 1 ? only : null;
    if (best === this.way && chosen === this.only) return;
    this.way = best;
    this.only = chosen;
    this.fit();
  }

  get extent() {
    const { extent, parts } = this.way;
    if (this.only === null) return extent;
    const [top, bottom] = [this.only, this.only + 1].map((part) => parts.at(-1 - part)?.top ?? extent.top + extent.height);
    return { ...extent, top: Math.max(top, extent.top), height: bottom - Math.max(top, extent.top) };
  }

  /**
   * Return whether the part in which a point of the plane lies is shown.
   * @param {number} x
   */
  shows(x) {
    const { parts } = this.way;
    return this.only === null || parts.find(({ left }) => left <= x) === parts.at(-1 - this.only);
  }

  get isRearranged() {
    return this.way !== this.ways[0];
  }

  get fitting() {
    return Math.min(this.width / this.extent.width, this.height / this.extent.height);
  }

  get isFitted() {
    return this.scale <= this.fitting * 1.001;
  }

  /**
   * Show a part of the plane, in squares, as large as it fits.
   * @param {{ left: number, top: number, right: number, bottom: number }} part
   */
  look({ left, top, right, bottom }) {
    this.scale = Math.max(this.fitting, Math.min(this.width / (right - left), this.height / (bottom - top)));
    this.center((left + right) / 2, (top + bottom) / 2);
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    const wasFitted = this.isFitted;
    this.width = width;
    this.height = height;
    if (wasFitted) this.fit();
    else this.#stay();
  }

  fit() {
    this.scale = this.fitting;
    this.#stay();
  }

  /** @param {number} factor */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const { fitting } = this;
    const closest = Math.max(CLOSEST, fitting * MAX_ZOOM);
    const scale = Math.min(Math.max(this.scale * factor, fitting), closest);
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.#stay();
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.#stay();
  }

  /**
   * Show a point of the plane in the middle, or as near to it as the board's edges allow.
   * @param {number} x
   * @param {number} y
   */
  center(x, y) {
    const [screenX, screenY] = this.toScreen(x, y);
    this.pan(this.width / 2 - screenX, this.height / 2 - screenY);
  }

  /**
   * Return where a point of the plane is shown, in squares.
   * @param {number} x
   * @param {number} y
   * @returns {Point}
   */
  toArranged(x, y) {
    const { parts } = this.way;
    const { dx, dy } = parts.find(({ left }) => left <= x) ?? parts.at(-1) ?? UNMOVED;
    return [x + dx, y + dy];
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Point}
   */
  toScreen(x, y) {
    const [right, down] = this.toArranged(x, y);
    return [this.x + right * this.scale, this.y + down * this.scale];
  }

  /**
   * @param {number} screenX
   * @param {number} screenY
   * @returns {Point}
   */
  toBoard(screenX, screenY) {
    const [x, y] = [(screenX - this.x) / this.scale, (screenY - this.y) / this.scale];
    const { parts } = this.way;
    const { dx, dy } = parts.find(({ top }) => top <= y) ?? parts.at(-1) ?? UNMOVED;
    return [x - dx, y - dy];
  }

  // Keep the board filling the view, or in its middle.
  #stay() {
    const { extent, scale } = this;
    this.x = clampOrigin(this.x, extent.left * scale, extent.width * scale, this.width);
    this.y = clampOrigin(this.y, extent.top * scale, extent.height * scale, this.height);
  }
}

/**
 * @param {number} origin
 * @param {number} start
 * @param {number} length
 * @param {number} room
 */
function clampOrigin(origin, start, length, room) {
  if (length <= room) return (room - length) / 2 - start;
  return Math.min(Math.max(origin, room - length - start), -start);
}

/**
 * Return how many pixels of the page one of an element's own takes: more where page.css zooms.
 * @param {Element} element
 */
export function cssZoom(element) {
  return element.currentCSSZoom ?? 1;
}

/**
 * Size a canvas to the screen's pixels. Returns whether that changed it, which empties it.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function sharpen(canvas, width, height) {
  const ratio = (window.devicePixelRatio || 1) * cssZoom(canvas);
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width === wide && canvas.height === high) return false;
  [canvas.width, canvas.height] = [wide, high];
  return true;
}
