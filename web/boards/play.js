// The page on which a game is played and watched: the viewer's board with a layer for orders, and
// beside it what its game needs to order. Who has no seat sees the same, without the layer's orders.

import { byId, make } from "../shared/elements.js";
import { LiveMatch, followMatch } from "../viewer/live.js";
import { getOutbox } from "./deliveries.js";
import { Ending } from "./ending.js";
import { OrderingLayer } from "./ordering.js";
import { connect } from "./page.js";
import "./players.js";
import { showTour } from "./tour.js";
import "../site/your_move.js";

/** @import { EventText } from "../shared/types.d.ts" */
/** @import { Viewer } from "../viewer/viewer.js" */
/** @import { GamePage, PlayedBoard, PositionWith } from "./types.d.ts" */

/**
 * Show the game of this page, whose board this is.
 * @param {new (page: GamePage) => PlayedBoard} Board
 */
export function playOn(Board) {
  new BoardPage(Board).follow();
}

class BoardPage {
  #id;
  #kind;
  #game;
  #past;
  /** @type {Viewer | null} */
  #viewer = null;
  /** @type {OrderingLayer | null} */
  #layer = null;
  /** @type {[position: PositionWith<unknown>, happened: EventText[]] | null} */
  #newest = null;
  /** Asks for the position now. */
  #refresh = async () => {};
  #isShown = false;
  #wasToured = false;
  #ending;

  /** @param {new (page: GamePage) => PlayedBoard} Board */
  constructor(Board) {
    const root = byId("orders");
    const { id = "", game: kind = "" } = root.dataset;
    this.#id = id;
    this.#kind = kind;
    this.#game = new Board({ id, root, outbox: getOutbox(id), refresh: () => this.#refresh() });
    this.#ending = new Ending(id, kind, root);
    const back = make("button", { type: "button", class: "primary", click: () => this.#viewer?.toEnd() }, "Back to now");
    this.#past = make("p", { id: "past", role: "status", hidden: true }, "You are looking at an earlier moment.", back);
    root.before(this.#past);
  }

  follow() {
    this.#refresh = connect(this.#id, (position, happened) => {
      this.#newest = [position, happened];
      if (this.#viewer) this.#show(position, happened);
    });
    followMatch(
      new LiveMatch(`games/${this.#id}`, { begun: (viewer) => this.#start(viewer), grown: () => this.#grow() }),
    );
  }

  /** @param {Viewer} viewer */
  #start(viewer) {
    this.#viewer = viewer;
    this.#layer = new OrderingLayer(
      viewer,
      this.#game.listener,
      (isPast) => (this.#past.hidden = !isPast || viewer.playback.isPlaying),
    );
    this.#game.start(this.#layer);
    if (this.#newest) this.#show(...this.#newest);
  }

  /** Stay at what is new, unless somebody looks back. */
  #grow() {
    this.#layer?.settle();
    if (this.#viewer?.playback.isPlaying) this.#showNews(this.#viewer);
    this.#game.showWaiting?.();
    this.#showEnd();
  }

  #showEnd() {
    if (this.#viewer && this.#newest) this.#ending.show(this.#newest[0], this.#viewer);
  }

  /**
   * @param {PositionWith<unknown>} position
   * @param {EventText[]} happened
   */
  #show(position, happened) {
    this.#game.show(position, happened);
    if (!this.#isShown) getOutbox(this.#id).start(); // what it sends is answered to a board that is there
    this.#isShown = true;
    const isPlaying = position.seats.some((seat) => seat.is_yours) && !position.outcome;
    document.body.classList.toggle("unfolded", !isPlaying);
    if (isPlaying && !this.#wasToured) showTour(this.#kind, this.#game.tour ?? []);
    this.#wasToured ||= isPlaying;
    this.#showEnd();
  }

  /**
   * Jump to what is new, or play it from where the board is.
   * @param {Viewer} viewer
   */
  #showNews(viewer) {
    const { playback, replay, cursor } = viewer;
    if (this.#game.playsNews) playback.time = replay.timeAt(cursor.position);
    else viewer.toEnd();
  }
}
