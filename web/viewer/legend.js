// What the looks of things on the board mean, and the signs of events.
import { Board } from "./board.js";
import { drawSign } from "./marks.js";
import { AT_REST } from "./motion.js";
import { byId, color, make } from "../shared/elements.js";
import { View } from "./view.js";

/** @import { Viewer } from "./viewer.js" */
/** @import { Appearance, Looks, MarkName } from "./types.d.ts" */
/** @import { Replay } from "./replay.js" */

const SIDE = 22;  // of a sample, CSS pixels
const SIGN = 0.85;  // of it
const WATCHED = "legend seen";

export class Legend {
  /** @param {Viewer} viewer */
  constructor({ replay, images }) {
    const bare = /** @type {Replay} */ (Object.create(replay, { backdrop: { value: [] } }));
    const view = new View([[[0, 0, 1, 1], []]]);
    view.resize(SIDE, SIDE);
    /**
     * @param {string} words
     * @param {Appearance[]} things
     * @param {MarkName} [mark]
     */
    const addEntry = (words, things, mark) => {
      const canvas = make("canvas");
      byId("key").lastElementChild?.append(make("div", {}, canvas, make("span", {}, words)));
      /** @type {Looks} */
      const looks = new Map(things.map((appearance, i) => [i, { appearance }]));
      return { board: new Board(canvas, view, bare, images), looks, sign: mark && replay.drawing.signs[mark] };
    };
    this.entries = [
      ...replay.legend.map(({ words, things }) => addEntry(words, things)),
      ...replay.markNames.map(([mark, words]) => addEntry(words, [], mark)),
    ];
  }

  // Folded once a match was watched on a page of this site.
  fold() {
    try {
      byId("key").open = !localStorage.getItem(WATCHED);
      localStorage.setItem(WATCHED, "yes");
    } catch {}  // the browser keeps nothing of this page
  }

  draw() {
    const picture = { marks: [], drawings: [], selected: null, hovered: null, background: color("panel"), moving: AT_REST };
    for (const { board, looks, sign } of this.entries) {
      board.draw({ ...picture, things: looks });
      const { width } = board.canvas;
      if (sign) drawSign(board.ctx, board.drawing, sign, { x: width / 2, y: width / 2 }, width * SIGN);
    }
  }
}
