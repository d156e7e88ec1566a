// The board of a run: the page on which runs are watched, in a frame. Its keys and the ids of its elements
// stay its own there, and it is the same page that everybody watches.

import { make } from "../shared/elements.js";
import { part } from "../shared/parts.js";
import { SITE } from "../shared/site.js";

/** @import { BoardMessage } from "./types.d.ts" */

export class BoardFrame {
  turn = 0;
  turns = 0;
  /** @type {HTMLIFrameElement | null} */
  frame = null;
  wanted = 0; // the turn to show first

  /** @param {(message: BoardMessage) => void} onTurn */
  constructor(onTurn) {
    this.onTurn = onTurn;
    addEventListener("message", ({ origin, source, data }) => {
      if (origin === location.origin && source === this.frame?.contentWindow && data?.from === "board") this.#take(data);
    });
  }

  /**
   * @param {string} path  of the page of a run
   * @param {string} title
   * @param {number} [turn]  to begin at
   */
  show(path, title, turn = 0) {
    this.turn = this.turns = 0;
    this.wanted = turn;
    // A new element, as another address in the same one would be a step of the browser's history.
    this.frame = make("iframe", { src: `${SITE}${path}#compact${turn ? "" : "&autoplay"}`, title: `Match: ${title}` });
    part("board-frame").replaceChildren(this.frame);
  }

  /** @param {number} turn  if it was not played yet, the board goes there once it was */
  goTo(turn) {
    if (turn > this.turns) this.wanted = turn;
    else this.frame?.contentWindow?.postMessage({ to: "board", turn }, location.origin);
  }

  /** @param {BoardMessage} message */
  #take(message) {
    Object.assign(this, { turn: message.turn, turns: message.turns });
    if (this.wanted && message.turns >= this.wanted) {
      this.goTo(this.wanted);
      this.wanted = 0;
    }
    this.onTurn(message);
  }
}
