// The page on which a game is played and watched: the viewer's board with a layer for orders, and
// beside it what its game needs to order. Who has no seat sees the same, without the layer's orders.

import { byId, make } from "../shared/elements.js";
import { LiveMatch, followMatch } from "../viewer/live.js";
import { outboxOf } from "./deliveries.js";
import { OrderingLayer } from "./ordering.js";
import { connect } from "./page.js";
import { showTour } from "./tour.js";

/** @import { EventText } from "../shared/types.d.ts" */
/** @import { Viewer } from "../viewer/viewer.js" */
/** @import { GamePage, PlayedBoard, PositionWith } from "./types.d.ts" */

const root = byId("orders");
const { id = "", board: name, game: kind = "" } = root.dataset;
/** @type {{ GameBoard: new (page: GamePage) => PlayedBoard }} */
const { GameBoard } = await import(`./${name}.js`);

const game = new GameBoard({ id, root, outbox: outboxOf(id), refresh: () => refresh() });
const back = make("button", { type: "button", class: "primary", click: () => viewer?.toEnd() }, "Back to now");
const past = make("p", { id: "past", role: "status", hidden: true }, "You are looking at an earlier moment.", back);
/** @type {Viewer | null} */
let viewer = null;
/** @type {[position: PositionWith<unknown>, happened: EventText[]] | null} */
let newest = null;
/** @type {OrderingLayer | null} */
let layer = null;
let isShown = false;
let wasToured = false;

root.before(past);
const refresh = connect(id, (position, happened) => {
  newest = [position, happened];
  if (viewer) show(...newest);
});

/**
 * @param {PositionWith<unknown>} position
 * @param {EventText[]} happened
 */
function show(position, happened) {
  game.show(position, happened);
  if (!isShown) outboxOf(id).begin(); // what it sends is answered to a board that is there
  isShown = true;
  const isPlaying = position.seats.some((seat) => seat.is_yours) && !position.outcome;
  if (isPlaying && !wasToured) showTour(kind, game.tour ?? []);
  wasToured ||= isPlaying;
}

followMatch(
  new LiveMatch(`games/${id}`, {
    begun(shown) {
      viewer = shown;
      layer = new OrderingLayer(shown, game.listener, (isPast) => (past.hidden = !isPast || shown.playback.isPlaying));
      game.begin(layer);
      if (newest) show(...newest);
    },
    /** Stay at what is new, unless somebody looks back. */
    grown() {
      layer?.settle();
      if (viewer?.playback.isPlaying) follow(viewer);
      game.showWaiting?.();
    },
  }),
);

/**
 * Jump to what is new, or play it from where the board is.
 * @param {Viewer} shown
 */
function follow(shown) {
  const { playback, replay, cursor } = shown;
  if (game.playsNews) playback.time = replay.timeAt(cursor.position);
  else shown.toEnd();
}

