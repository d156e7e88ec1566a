// The page on which a game is played and watched: the viewer's board with a layer for orders, and
// beside it what its game needs to order. Who has no seat sees the same, without the layer's orders.

import { byId, make } from "../shared/elements.js";
import { LiveMatch, followMatch } from "../viewer/live.js";
import { outboxOf } from "./deliveries.js";
import { OrderingLayer } from "./ordering.js";
import { connect } from "./page.js";
import { showTour } from "./tour.js";

const root = byId("orders");
const { id, board: name, game: kind } = root.dataset;
const { GameBoard } = await import(`./${name}.js`);

/**
 * What the page of a game is given, and what it offers in return: `listener` for the layer, and
 * `show(position, happened)`, which is called with each position once the board is there.
 */
const game = new GameBoard({ id, root, outbox: outboxOf(id), refresh: () => refresh() });
const back = make("button", { type: "button", class: "primary", click: () => viewer.toEnd() }, "Back to now");
const past = make("p", { id: "past", role: "status", hidden: true }, "You are looking at an earlier moment.", back);
let viewer = null;
let newest = null;
let wasToured = false;

root.before(past);
const refresh = connect(id, (position, happened) => {
  newest = [position, happened];
  if (viewer) show();
});
function show() {
  game.show(...newest);
  const isPlaying = newest[0].seats.some((seat) => seat.is_yours) && !newest[0].outcome;
  if (isPlaying && !wasToured) showTour(kind, game.tour ?? []);
  wasToured ||= isPlaying;
}

followMatch(
  new LiveMatch(`games/${id}`, {
    begun(shown) {
      viewer = shown;
      game.begin(new OrderingLayer(viewer, game.listener, (isPast) => (past.hidden = !isPast || viewer.playback.isPlaying)));
      if (newest) show();
    },
    /** Stay at what is new, unless somebody looks back. */
    grown() {
      viewer.ordering.settle();
      if (viewer.playback.isPlaying) follow();
      game.showWaiting?.();
    },
  }),
);

/** Jump to what is new, or play it from where the board is. */
function follow() {
  const { playback, replay, cursor } = viewer;
  if (game.playsNews) playback.time = replay.timeAt(cursor.position);
  else viewer.toEnd();
}

