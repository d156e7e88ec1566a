// What the looks of things on the board mean, and the signs of events.
import { Board } from "./board.js";
import { drawSign } from "./marks.js";
import { AT_REST } from "./motion.js";
import { button, byId, color, make } from "../shared/elements.js";
import { browserStorage } from "../shared/storage.js";
import { View } from "./view.js";
import { BELOW } from "./whole_cards.js";

/** @import { Viewer } from "./viewer.js" */
/** @import { Appearance, Looks, MarkName } from "./types.d.ts" */
/** @import { Replay } from "./replay.js" */

const SIDE = 22;  // of a sample, CSS pixels
const SIGN = 0.85;  // of it
const WATCHED = "legend seen";
const HEAD = 40;  // pixels

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
      const row = make("div", {}, canvas, make("span", {}, words));
      byId("key").querySelector("div")?.append(row);
      /** @type {Looks} */
      const looks = new Map(things.map((appearance, i) => [i, { appearance }]));
      return { row, board: new Board(canvas, view, bare, images), looks, sign: mark && replay.drawing.signs[mark] };
    };
    this.entries = [
      ...replay.legend.map(({ words, things }) => addEntry(words, things)),
      ...replay.markNames.map(([mark, words]) => addEntry(words, [], mark)),
    ];
    this.more = button("", () => this.#show(this.entries.length), { class: "more", hidden: true });
    byId("key").append(this.more);
  }

  /** @param {number} count */
  #show(count) {
    this.entries.forEach(({ row }, i) => (row.hidden = i >= count));
    this.more.hidden = count >= this.entries.length;
    this.more.textContent = `+${this.entries.length - count} more`;
  }

  // Show whole lines, as many as there is room for at the end of the column: a click shows all. Who plays has it higher.
  fit() {
    const [key, column] = [byId("key"), byId("side")];
    let count = this.entries.length;
    this.#show(count);
    const bottom = column.offsetTop + column.clientHeight - BELOW;
    if (!key.open || key.closest(".ordered") || key.offsetTop > bottom - HEAD) return;
    while (count > 2 && key.offsetTop + key.offsetHeight > bottom) this.#show(--count);
  }

  // Folded once a match was watched on a page of this site.
  fold() {
    byId("key").open = !browserStorage.load(WATCHED);
    browserStorage.save(WATCHED, "yes");
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
