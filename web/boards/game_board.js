// What the boards of all games have in common: the layer over the board, and the newest position.

/** @import { OrderingLayer } from "./ordering.js" */
/** @import { GamePage, PositionWith } from "./types.d.ts" */

/** @template Shown */
export class GameBoard {
  /** The place of the speed at which new turns are played on the board, rather than jumped over. @type {number | null} */
  speed = null;
  /** @type {PositionWith<Shown> | null} */
  newest = null;
  /** @type {OrderingLayer | null} */
  #layer = null;

  /** @param {GamePage} page */
  constructor({ id, root, outbox, refresh }) {
    this.id = id;
    this.root = root;
    this.outbox = outbox;
    this.refresh = refresh;
  }

  get playsNews() {
    return this.speed !== null && !this.layer.viewer.calm.matches;
  }

  /** @param {OrderingLayer} layer */
  start(layer) {
    this.#layer = layer;
    if (this.speed !== null) layer.viewer.playback.speedNumber = this.speed;
  }

  /**
   * Take the newest position, and return the one before.
   * @param {PositionWith<Shown>} position
   */
  take(position) {
    const before = this.newest;
    this.newest = position;
    return before;
  }

  get layer() {
    return present(this.#layer, "The board is not there yet.");
  }

  get position() {
    return present(this.newest, "No position has been shown yet.");
  }
}

/**
 * Return what is there by now; that it is not is a mistake of ours, which is said in `words`.
 * @template Value
 * @param {Value | null} value
 * @param {string} words
 */
export function present(value, words) {
  if (value === null) throw new Error(words);
  return value;
}
