// The list of moves of a board game: two columns a board, a click goes there.
import { Cursor } from "./cursor.js";
import { button, byId, make } from "../shared/elements.js";
import { findAppearance } from "./narration.js";

/** @import { Viewer } from "./viewer.js" */

export class Moves {
  /** @type {HTMLElement[]} */
  boards = [];

  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.replay = viewer.replay;
    this.panel = byId("moves");
    this.panel.hidden = !this.replay.moves.length;
    if (this.panel.hidden) return;
    this.goesThrough = new Cursor(this.replay);
    this.boards = this.replay.parts.map((_, i) => {
      const list = make("ol", { "aria-label": `moves of board ${i + 1}` });
      this.panel.append(make("div", {}, make("h3", {}, `board ${i + 1}`), list));
      return list;
    });
    this.grown();
  }

  // Add the moves that were not there before.
  grown() {
    const { goesThrough, replay } = this;
    if (!goesThrough) return;
    while (goesThrough.position < replay.steps) {
      goesThrough.advance();
      const { step, things, position } = goesThrough;
      for (const annotation of step.annotations) {
        const one = findAppearance(annotation.one, things, step);
        if (one && replay.moves.includes(annotation.eventStyle)) this.#add(annotation.words, one.x, position);
      }
    }
  }

  /**
   * Mark the last move of each board, and hide what is not to be known yet.
   * @param {number} position
   */
  show(position) {
    if (this.panel.hidden) return;
    const end = this.replay.turnEnd(this.viewer.known);
    for (const list of this.boards) {
      /** @type {HTMLButtonElement | null} */
      let last = null;
      for (const move of list.querySelectorAll("button")) {
        move.hidden = Number(move.value) > end;
        move.removeAttribute("aria-current");
        if (Number(move.value) <= position) last = move;
      }
      for (const row of list.querySelectorAll("li")) row.hidden = row.querySelector("button")?.hidden ?? false;
      last?.setAttribute("aria-current", "step");
      if (last) list.scrollTop = last.offsetTop - list.clientHeight / 2;
    }
  }

  /**
   * @param {string} words
   * @param {number} x
   * @param {number} position
   */
  #add(words, x, position) {
    const board = this.boards[this.replay.parts.findLastIndex((left) => left <= x)];
    let row = board.lastElementChild;
    if (!row || row.childElementCount === 2) board.append((row = make("li")));
    row.append(button(words, () => this.viewer.scrubTo(position), { value: position, title: words }));
  }
}
