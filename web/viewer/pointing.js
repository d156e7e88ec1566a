// Mouse and fingers on the board: hover, select, move, zoom.
import { byId } from "../shared/elements.js";

/** @import { Viewer } from "./viewer.js" */

const STILL = 6;  // pixels a click may wander
const FINGER = 18;  // pixels a finger may miss by
const [MOUSE, SMALL] = [5, 8];  // pixels a mouse may, where squares are smaller than that
const WHEEL = 0.0015;

/** @param {Viewer} viewer */
export function setUpPointing(viewer) {
  const canvas = byId("board");
  /** @type {Map<number, PointerEvent>} */
  const fingers = new Map();
  let [travel, spread] = [0, 0];

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) travel = 0;
    spread = spreadOf(fingers);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return hover(viewer, event);
    fingers.set(event.pointerId, event);
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    travel += Math.hypot(dx, dy);
    if (travel < STILL) return undefined;
    viewer.view.pan(dx / fingers.size, dy / fingers.size);
    const now = spreadOf(fingers);
    if (spread && now) viewer.zoom(now / spread, ...middleOfFingers(fingers, canvas));
    spread = now;
    canvas.classList.add("moving");
    return viewer.changed();
  });
  /** @param {PointerEvent} event */
  const lift = (event) => {
    if (event.type === "pointerup" && fingers.size === 1 && travel < STILL) choose(viewer, event);
    fingers.delete(event.pointerId);
    spread = spreadOf(fingers);
    canvas.classList.remove("moving");
    touchable(viewer, canvas);
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointerleave", () => show(viewer, null));
  canvas.addEventListener("dblclick", (event) => viewer.zoom(2, event.offsetX, event.offsetY));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode ? 16 : 1);
      viewer.zoom(Math.exp(-pixels * WHEEL), event.offsetX, event.offsetY);
    },
    { passive: false },
  );
}

/**
 * A finger scrolls the page as long as the whole board is visible, and moves the board once it is zoomed in.
 * @param {Viewer} viewer
 * @param {HTMLElement} canvas
 */
function touchable({ view }, canvas) {
  canvas.style.touchAction = view.isFitted ? "pan-y" : "none";
}

/**
 * @param {Viewer} viewer
 * @param {PointerEvent} event
 */
function choose(viewer, event) {
  const reach = event.pointerType === "mouse" ? missOf(viewer) : FINGER;
  viewer.select(viewer.board.thingAt(viewer.cursor.things, event.offsetX, event.offsetY, reach));
}

/**
 * @param {Viewer} viewer
 * @param {PointerEvent} event
 */
function hover(viewer, event) {
  if (event.pointerType !== "mouse") return;
  show(viewer, viewer.board.thingAt(viewer.cursor.things, event.offsetX, event.offsetY, missOf(viewer)));
}

/**
 * Return how far a mouse may miss: squares of a large board are small.
 * @param {Viewer} viewer
 */
function missOf({ view }) {
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
  tip.textContent = [viewer.narrator.name(id, thing), ...bar, ...viewer.narrator.hovered(thing)].join(" · ");
  const [x, y] = viewer.view.toScreen(thing.x, thing.y);
  const room = viewer.view.width - tip.offsetWidth - 4;
  const left = Math.min(Math.max(x - tip.offsetWidth / 2, 4), room);
  const above = y - viewer.view.scale * 0.6 - tip.offsetHeight;
  const top = above < 4 ? y + viewer.view.scale * 0.6 : above;
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

/** @param {Map<number, PointerEvent>} fingers */
function spreadOf(fingers) {
  if (fingers.size < 2) return 0;
  const [one, other] = [...fingers.values()];
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

/**
 * @param {Map<number, PointerEvent>} fingers
 * @param {HTMLElement} canvas
 * @returns {[x: number, y: number]}
 */
function middleOfFingers(fingers, canvas) {
  const box = canvas.getBoundingClientRect();
  const [one, other] = [...fingers.values()];
  return [(one.clientX + other.clientX) / 2 - box.left, (one.clientY + other.clientY) / 2 - box.top];
}
