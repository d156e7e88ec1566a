// The dish: a grid of cells to look at, to point at, and to walk over with the arrow keys.

import { draw, mark } from "../shared/elements.js";

const CELL = 20;
const MARGIN = 13;
const COORDINATES_EVERY = 5;
const SMALL_PX = 15;
const LONG_PRESS_MS = 500;
const FINGER_SLIPS = 10;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The signs of terrain, as in replays (resources/sprites/petri.py): in which corner each stands, as
 * on the original board a corner per trait, and its outline, 1 being half its width.
 */
const SIGNS = {
  HILL: { x: -1, y: -1, isPlus: true, outline: "M-1 1L0 -1L1 1z" },
  DIP: { x: -1, y: -1, isPlus: false, outline: "M-1 -1L0 1L1 -1z" },
  BASE: { x: 1, y: -1, isPlus: true, outline: "M-1 -1H1V1H-1z" },
  ACID: {
    x: 1,
    y: -1,
    isPlus: false,
    outline: "M-1 0a1 1 0 0 1 2 0a1 1 0 0 1 -2 0zM-.5 0a.5 .5 0 0 0 1 0a.5 .5 0 0 0 -1 0z",
  },
  SUGAR: { x: -1, y: 1, isPlus: true, outline: "M0 -1.2L1.2 0L0 1.2L-1.2 0z" },
  BARE: {
    x: -1,
    y: 1,
    isPlus: false,
    outline: "M-1 -.6L-.6 -1L0 -.4L.6 -1L1 -.6L.4 0L1 .6L.6 1L0 .4L-.6 1L-1 .6L-.4 0z",
  },
};

/** The lines on the ground of each team: none, diagonals both ways, level, upright, and dots. */
const HATCHES = [
  "",
  "M0 5L5 0M0 10L10 0M0 15L15 0M0 20L20 0M5 20L20 5M10 20L20 10M15 20L20 15",
  "M15 0L20 5M10 0L20 10M5 0L20 15M0 0L20 20M0 5L15 20M0 10L10 20M0 15L5 20",
  "M0 2.5H20M0 7.5H20M0 12.5H20M0 17.5H20",
  "M2.5 0V20M7.5 0V20M12.5 0V20M17.5 0V20",
  "M2.5 2h1M7 2h1M12 2h1M16.5 2h1M2.5 18h1M7 18h1M12 18h1M16.5 18h1M2 7h1M17 7h1M2 13h1M17 13h1",
];

/**
 * Make a dish of side x side cells.
 *
 * `listeners`: `pick(x, y)` on a click, Enter or Space; `ask(x, y)` on a right click, a long press
 * or the key I; `point(x, y)` on the cell under the pointer or the focus, `point()` when there is
 * none; `key(event)` for other keys.
 * @returns {{element: SVGElement, show: Function, focus: Function}}
 */
export function makeDish(side, listeners) {
  const whole = side * CELL + MARGIN + 2;
  const cells = [];
  const drawn = [];
  const rows = [];
  let here = 0;

  for (let y = 0; y < side; y++) {
    const row = draw("g", { role: "row" });
    for (let x = 0; x < side; x++) {
      const cell = draw("g", {
        role: "gridcell",
        tabindex: -1,
        transform: `translate(${x * CELL} ${y * CELL})`,
        "data-x": x,
        "data-y": y,
      });
      cells.push(cell);
      row.append(cell);
    }
    rows.push(row);
  }
  const grid = draw("g", { role: "grid", "aria-label": `Dish of ${side} by ${side} cells` }, ...rows);
  const element = draw(
    "svg",
    { class: "dish", role: "none", viewBox: `${-MARGIN} ${-MARGIN} ${whole} ${whole}` },
    ...coordinates(side),
    grid,
  );
  cells[0].setAttribute("tabindex", 0);
  new ResizeObserver(() => {
    const width = element.getBoundingClientRect().width;
    element.classList.toggle("small", width < side * SMALL_PX);
  }).observe(element);

  /** Move the place where Tab enters the dish, and the focus if it is wanted. */
  function goTo(number, isFocused) {
    cells[here].setAttribute("tabindex", -1);
    here = number;
    cells[here].setAttribute("tabindex", 0);
    if (isFocused) cells[here].focus();
  }

  function placeOf(event) {
    const cell = event.target.closest?.("[role=gridcell]");
    return cell ? [Number(cell.dataset.x), Number(cell.dataset.y)] : null;
  }

  listenToPointer(element, placeOf, {
    ...listeners,
    pick(x, y) {
      goTo(y * side + x, false);
      listeners.pick(x, y);
    },
  });
  grid.addEventListener("focusin", (event) => {
    const place = placeOf(event);
    if (!place) return;
    goTo(place[1] * side + place[0], false);
    listeners.point(...place);
  });
  grid.addEventListener("keydown", (event) => {
    const [x, y] = [here % side, Math.floor(here / side)];
    const to = placeAfter(event, x, y, side);
    if (to) goTo(to[1] * side + to[0], true);
    else if (isPlain(event) && (event.key === "Enter" || event.key === " ")) listeners.pick(x, y);
    else if (isPlain(event) && (event.key === "i" || event.key === "I")) listeners.ask(x, y);
    else return listeners.key(event);
    event.preventDefault();
  });

  return {
    element,
    /** Draw what has changed; `looks` has a look per cell, row by row (see `fill`). */
    show(looks) {
      looks.forEach((look, number) => {
        const key = JSON.stringify(look);
        if (drawn[number] === key) return;
        drawn[number] = key;
        fill(cells[number], look);
      });
    },
    focus(x, y) {
      goTo(y * side + x, true);
    },
    focusHere() {
      cells[here].focus();
    },
  };
}

function isPlain(event) {
  return !event.ctrlKey && !event.metaKey && !event.altKey;
}

function placeAfter(event, x, y, side) {
  if (!isPlain(event)) return null;
  const step = STEPS[event.key];
  const within = (number) => Math.min(side - 1, Math.max(0, number));
  if (step) return [within(x + step[0]), within(y + step[1])];
  if (event.key === "Home") return [0, y];
  if (event.key === "End") return [side - 1, y];
  if (event.key === "PageUp") return [x, within(y - COORDINATES_EVERY)];
  if (event.key === "PageDown") return [x, within(y + COORDINATES_EVERY)];
  return null;
}

/** Tell clicks from right clicks and long presses. */
function listenToPointer(element, placeOf, listeners) {
  let timer = 0;
  let begin = null;
  let wasLong = false;

  const stop = () => clearTimeout(timer);
  element.addEventListener("pointerdown", (event) => {
    wasLong = false;
    const place = placeOf(event);
    if (!place || event.pointerType === "mouse") return;
    begin = [event.clientX, event.clientY];
    stop();
    timer = setTimeout(() => {
      wasLong = true;
      listeners.ask(...place);
    }, LONG_PRESS_MS);
  });
  element.addEventListener("pointermove", (event) => {
    const place = placeOf(event);
    if (event.pointerType === "mouse" && place) listeners.point(...place);
    if (begin && Math.hypot(event.clientX - begin[0], event.clientY - begin[1]) > FINGER_SLIPS) {
      stop();
    }
  });
  element.addEventListener("pointerleave", () => listeners.point());
  element.addEventListener("pointerup", stop);
  element.addEventListener("pointercancel", stop);
  element.addEventListener("click", (event) => {
    const place = placeOf(event);
    if (place && !wasLong) listeners.pick(...place);
    wasLong = false;
  });
  element.addEventListener("contextmenu", (event) => {
    const place = placeOf(event);
    if (!place) return;
    event.preventDefault();
    stop();
    if (!wasLong) listeners.ask(...place);
    wasLong = event.pointerType !== "mouse" && event.pointerType !== undefined;
  });
}

function coordinates(side) {
  const labels = [];
  for (let number = 0; number < side; number += COORDINATES_EVERY) {
    const at = number * CELL + CELL / 2;
    labels.push(
      draw("text", { class: "coordinate", x: at, y: -MARGIN / 2, "aria-hidden": true }, number),
      draw("text", { class: "coordinate", x: -MARGIN / 2, y: at, "aria-hidden": true }, number),
    );
  }
  return labels;
}

/**
 * Draw a cell. A look: `terrain` (names), `owner`, `stacks` ([team, height] each), `isNew`,
 * `isUnusual`, `isRaised` (by the draft), `grows` and `dies` (teams), `dot` (it can be chosen),
 * `number` (its place among the chosen centers), `chosenBy` (the team that chooses it),
 * `lit` (what the news show there), `isAimed`, `label` (its words).
 */
function fill(cell, look) {
  const { terrain, owner, stacks } = look;
  mark(cell, "aria-label", look.label);
  const ground = look.isNew || !owner ? (terrain.length ? "tan" : "free") : `owned team-${owner}`;
  const parts = [draw("rect", { class: `ground ${ground}`, width: CELL, height: CELL })];
  if (owner && !look.isNew) parts.push(hatch(owner));
  if (look.chosenBy) {
    const chosen = { class: `chosen team-${look.chosenBy}`, width: CELL, height: CELL };
    parts.push(draw("rect", chosen));
  }
  if (look.isUnusual) parts.push(frame("unusual", 1.1));
  if (!stacks.length && terrain.includes("BASE") && !look.number) parts.push(text("reminder", "1"));
  if (look.dot && !look.number) parts.push(circle(`dot team-${look.dot}`, 1.9));
  if (stacks.length === 1) parts.push(...stack(stacks[0], look));
  else parts.push(...rivals(stacks));
  if (look.grows) parts.push(...growth(look.grows, stacks.length > 0));
  if (look.dies) parts.push(...cross());
  if (look.number) parts.push(...center(look.number, look.chosenBy));
  parts.push(...terrain.map((name) => sign(name, stacks.length > 0)));
  if (look.lit) parts.push(frame(`lit ${look.lit}`, 1.3));
  if (look.isAimed) parts.push(frame("aimed", 1.3));
  parts.push(frame("focus", 1.2));
  cell.replaceChildren(...parts);
}

function circle(kind, radius, x = CELL / 2, y = CELL / 2) {
  return draw("circle", { class: kind, cx: x, cy: y, r: radius });
}

/** Return a cell of a team, to stand beside its name. */
export function makeSwatch(team) {
  const size = { width: CELL, height: CELL };
  const ground = draw("rect", { class: `ground owned team-${team}`, ...size });
  const attributes = { class: "swatch dish", viewBox: `0 0 ${CELL} ${CELL}`, "aria-hidden": true };
  return draw("svg", attributes, ground, hatch(team), circle(`stack team-${team}`, 5));
}

/** Draw the lines on the ground of a team, each its own: not by color alone. */
function hatch(team) {
  return draw("path", { class: `hatch team-${team}`, d: HATCHES[team - 1] });
}

function text(kind, words, x = CELL / 2, y = CELL / 2) {
  return draw("text", { class: kind, x, y, "aria-hidden": true }, words);
}

function frame(kind, inset) {
  const size = CELL - 2 * inset;
  return draw("rect", { class: `frame ${kind}`, x: inset, y: inset, width: size, height: size });
}

function sign(name, isSmall) {
  const { x, y, isPlus, outline } = SIGNS[name];
  const [from, reach] = isSmall ? [7.3, 1.8] : [5.4, 2.7];
  const place = `translate(${CELL / 2 + x * from} ${CELL / 2 + y * from}) scale(${reach})`;
  const kind = isPlus ? "plus" : "minus";
  return draw("path", { class: `sign ${kind}`, d: outline, transform: place });
}

function stack([team, height], { isNew, isRaised }) {
  const radius = Math.min(8.4, 6.7 + 0.35 * (height - 1));
  const parts = isNew || isRaised ? [] : [circle("shadow", radius, CELL / 2 + 0.9, CELL / 2 + 1.2)];
  parts.push(circle(`stack team-${team}`, radius));
  if (isRaised) parts.push(circle("raised", 8.9));
  parts.push(text(`height team-${team}`, height));
  return parts;
}

/** Draw the stacks of a contested cell side by side. */
function rivals(stacks) {
  const columns = Math.ceil(Math.sqrt(stacks.length));
  const wide = CELL / columns;
  return stacks.flatMap(([team, height], number) => {
    const x = ((number % columns) + 0.5) * wide;
    const y = (Math.floor(number / columns) + (stacks.length > columns ? 0.5 : columns / 2)) * wide;
    return [
      circle(`stack team-${team}`, wide * 0.46, x, y),
      text(`height small team-${team}`, height, x, y),
    ];
  });
}

/** Draw that a team will grow there: as a ring around the stacks, if there are any. */
function growth(team, isContested) {
  const half = CELL / 2;
  if (isContested) return [circle("grows below", 8.8), circle(`grows around team-${team}`, 8.8)];
  return [
    circle(`grows team-${team}`, 6.2),
    draw("path", { class: `grows team-${team}`, d: `M${half - 3} ${half}h6M${half} ${half - 3}v6` }),
  ];
}

function cross() {
  const path = "M4.5 4.5L15.5 15.5M15.5 4.5L4.5 15.5";
  return [draw("path", { class: "dies below", d: path }), draw("path", { class: "dies", d: path })];
}

function center(number, team) {
  return [circle(`stack team-${team}`, 8), text(`height team-${team}`, number)];
}
