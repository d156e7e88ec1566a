// A board in the frame of another page of ours: it says which turn is shown, and goes where it is told.

/** @import { Viewer } from "./viewer.js" */
/** @import { BoardMessage } from "../write/types.d.ts" */

/**
 * Connect a viewer with the page around it, if there is one.
 * @param {Viewer} viewer
 */
export function connectFrame(viewer) {
  const page = window.parent;
  if (page === window) return;
  const say = () => {
    const { lastTurn, isGrowing } = viewer.replay;
    /** @type {BoardMessage} */
    const message = { from: "board", turn: viewer.replay.turnAt(viewer.cursor.position), turns: lastTurn, isOver: !isGrowing };
    page.postMessage(message, location.origin);
  };
  viewer.onTurn = say;
  addEventListener("message", ({ origin, source, data }) => {
    const isOurs = origin === location.origin && source === page && data?.to === "board";
    if (isOurs && Number.isInteger(data.turn)) viewer.scrub(data.turn);
  });
  say();
}
