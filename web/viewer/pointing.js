// Mouse and fingers on the board: hover, select, move, zoom.
import { byId } from "../shared/elements.js";

/** @import { Point } from "./types.d.ts" */
/** @import { Viewer } from "./viewer.js" */

const STILL = 6;  // pixels a click may wander
const FINGER = 18;  // pixels a finger may miss by
const [MOUSE, SMALL] = [5, 8];  // pixels a mouse may, where squares are smaller than that
const WHEEL = 0.0015;
const LONG_PRESS_MS = 500;

/**
 * Where people order, the layer over the board (boards/ordering.js) takes clicks and pieces first.
 * @param {Viewer} viewer
 */
export function setUpPointing(viewer) {
  const stage = byId("stage");
  /** @type {Map<number, PointerEvent>} */
  const fingers = new Map();
  let [travel, spread, pressing, wasLong, isLifted] = [0, 0, 0, false, false];

  listen("pointerdown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("button")) return;
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) [travel, wasLong] = [0, false];
    spread = fingerDistance(fingers);
    clearTimeout(pressing);
    const at = stagePosition(event, stage);
    isLifted = fingers.size === 1 && !event.button && Boolean(viewer.ordering?.lift(...at));
    if (event.pointerType !== "mouse" && fingers.size === 1) {
      pressing = setTimeout(() => (wasLong = Boolean(viewer.ordering?.ask(...at))), LONG_PRESS_MS);
    }
  });
  listen("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return hover(viewer, event, stage);
    fingers.set(event.pointerId, event);
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    travel += Math.hypot(dx, dy);
    if (travel < STILL) return undefined;
    clearTimeout(pressing);
    if (isLifted) {
      show(viewer, null); // the piece is no longer where that was told of it
      return viewer.ordering?.carry(...stagePosition(event, stage));
    }
    viewer.view.pan(dx / fingers.size, dy / fingers.size);
    const now = fingerDistance(fingers);
    if (spread && now) viewer.zoom(now / spread, ...middleOfFingers(fingers, stage));
    spread = now;
    stage.classList.add("moving");
    return viewer.requestFrame();
  });
  /** @param {PointerEvent} event */
  const lift = (event) => {
    if (!fingers.has(event.pointerId)) return;
    clearTimeout(pressing);
    const isUp = event.type === "pointerup";
    const at = stagePosition(event, stage);
    if (isLifted && travel >= STILL) viewer.ordering?.drop(...(isUp ? at : []));
    else if (isUp && fingers.size === 1 && travel < STILL && !wasLong && !event.button) choose(viewer, event, at);
    isLifted = false;
    fingers.delete(event.pointerId);
    spread = fingerDistance(fingers);
    stage.classList.remove("moving");
    // A finger scrolls the page as long as the whole board is visible, and moves the board once it is zoomed in.
    stage.style.touchAction = viewer.view.isFitted ? "pan-y" : "none";
  };
  listen("pointerup", lift);
  listen("pointercancel", lift);
  listen("pointerleave", () => {
    viewer.ordering?.point();
    show(viewer, null);
  });
  listen("contextmenu", (event) => {
    if (!viewer.ordering) return;
    event.preventDefault();
    if (event.pointerType === "mouse") viewer.ordering.ask(...stagePosition(event, stage));
  });
  // A finger that drags a piece does not scroll the page.
  listen("touchmove", (event) => isLifted && event.preventDefault(), { passive: false });
  listen("dblclick", (event) => viewer.ordering || viewer.zoom(2, ...stagePosition(event, stage)));
  listen(
    "wheel",
    (event) => {
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode ? 16 : 1);
      viewer.zoom(Math.exp(-pixels * WHEEL), ...stagePosition(event, stage));
    },
    { passive: false },
  );

  /**
   * @template {keyof HTMLElementEventMap} Name
   * @param {Name} name
   * @param {(event: HTMLElementEventMap[Name]) => unknown} listener
   * @param {AddEventListenerOptions} [options]
   */
  function listen(name, listener, options) {
    stage.addEventListener(name, listener, options);
  }
}

/**
 * @param {MouseEvent} event
 * @param {HTMLElement} stage
 * @returns {Point}
 */
function stagePosition(event, stage) {
  const box = stage.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/**
 * @param {Viewer} viewer
 * @param {PointerEvent} event
 * @param {Point} at
 */
function choose(viewer, event, at) {
  if (viewer.ordering?.choose(...at)) return;
  const reach = event.pointerType === "mouse" ? hitTolerance(viewer) : FINGER;
  viewer.select(viewer.board.thingAt(viewer.cursor.things, ...at, reach));
}

/**
 * @param {Viewer} viewer
 * @param {PointerEvent} event
 * @param {HTMLElement} stage
 */
function hover(viewer, event, stage) {
  if (event.pointerType !== "mouse") return;
  const at = stagePosition(event, stage);
  viewer.ordering?.point(...at);
  show(viewer, viewer.board.thingAt(viewer.cursor.things, ...at, hitTolerance(viewer)));
}

/**
 * Return how far a mouse may miss: squares of a large board are small.
 * @param {Viewer} viewer
 */
function hitTolerance({ view }) {
  return view.scale < SMALL ? MOUSE : 0;
}

/**
 * Show name, hp and what else a pointer tells, beside the piece.
 * @param {Viewer} viewer
 * @param {number | null} id
 */
function show(viewer, id) {
  viewer.hover(id);
  const tip = byId("tip");
  const thing = id === null ? undefined : viewer.cursor.things.get(id)?.appearance;
  tip.hidden = !thing;
  byId("board").style.cursor = thing ? "pointer" : "";
  if (id === null || !thing) return;
  const kind = viewer.replay.kinds[thing.kind];
  const bar = thing.bar ? [`${thing.bar[0]} of ${thing.bar[1]} ${kind.bar}`] : [];
  tip.textContent = [viewer.narrator.name(id, thing), ...bar, ...viewer.narrator.hoverFacts(thing)].join(" · ");
  const [x, y] = viewer.view.toScreen(thing.x, thing.y);
  const room = viewer.view.width - tip.offsetWidth - 4;
  const left = Math.min(Math.max(x - tip.offsetWidth / 2, 4), room);
  const above = y - viewer.view.scale * 0.6 - tip.offsetHeight;
  const top = above < 4 ? y + viewer.view.scale * 0.6 : above;
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

/** @param {Map<number, PointerEvent>} fingers */
function fingerDistance(fingers) {
  if (fingers.size < 2) return 0;
  const [one, other] = [...fingers.values()];
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

/**
 * @param {Map<number, PointerEvent>} fingers
 * @param {HTMLElement} stage
 * @returns {Point}
 */
function middleOfFingers(fingers, stage) {
  const box = stage.getBoundingClientRect();
  const [one, other] = [...fingers.values()];
  return [(one.clientX + other.clientX) / 2 - box.left, (one.clientY + other.clientY) / 2 - box.top];
}
