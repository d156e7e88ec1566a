// The figures of Smack!: a nerd with glasses and a bully with a cap, in their team's color.

import { draw } from "../shared/elements.js";

const [LINE, SKIN, WHITE] = ["#1d2126", "#f6cfa5", "#ffffff"];
const outlined = { stroke: LINE, "stroke-width": 4, "stroke-linejoin": "round" };
const line = { fill: "none", stroke: LINE, "stroke-width": 4, "stroke-linecap": "round" };

/** Return an SVG with the symbols that `figure` uses; a page needs it once. */
export function figures() {
  return draw("svg", { class: "unseen", "aria-hidden": "true" }, nerd(), bully(), burst());
}

/** Return a figure; `place` is its x, y, width and height. */
export function figure(kind, place = {}) {
  return draw("use", { href: `#${kind}`, ...place });
}

/** Return a figure as a picture of its own. */
export function picture(kind, team) {
  const attributes = { class: `figure team-${team}`, viewBox: "0 0 1 1", "aria-hidden": "true" };
  return draw("svg", attributes, figure(kind, { width: 1, height: 1 }));
}

function nerd() {
  return symbol(
    "nerd",
    ["path", { d: "M14 97C14 79 30 72 50 72s36 7 36 25z", fill: "currentColor", ...outlined }],
    ["path", { d: "M40 73l10 9 10-9-3 20H43z", fill: WHITE }],
    ["path", { d: "M50 83l-11-6v12zm0 0l11-6v12z", fill: "#b3262e" }],
    ["ellipse", { cx: 50, cy: 46, rx: 29, ry: 30, fill: SKIN, ...outlined }],
    ["path", { d: "M20 45C15 20 30 6 49 7c5-5 11-5 14-3-3 1-4 2-4 4 16 3 26 16 21 37-3-8-7-13-13-15-9 4-27 4-36 0-6 3-9 8-11 15z", fill: "#6b4423", ...outlined }],
    ["path", { d: "M45 48h10M22 45l-4-2M78 45l4-2", ...line }],
    ["circle", { cx: 35, cy: 49, r: 12, fill: WHITE, ...outlined }],
    ["circle", { cx: 65, cy: 49, r: 12, fill: WHITE, ...outlined }],
    ["circle", { cx: 37, cy: 50, r: 4.5, fill: LINE }],
    ["circle", { cx: 63, cy: 50, r: 4.5, fill: LINE }],
    ["path", { d: "M39 66q11 7 22 0", ...line }],
    ["path", { d: "M45 68.5h10v6H45z", fill: WHITE, stroke: LINE, "stroke-width": 2 }],
  );
}

function bully() {
  return symbol(
    "bully",
    ["path", { d: "M3 97C2 76 20 66 50 66s48 10 47 31z", fill: "currentColor", ...outlined }],
    ["path", { d: "M17 44c-2 32 12 43 33 43s35-11 33-43z", fill: SKIN, ...outlined }],
    ["path", { d: "M15 40C13 14 30 3 50 3s37 11 35 37z", fill: "currentColor", ...outlined }],
    ["path", { d: "M34 6q-8 12-8 30M66 6q8 12 8 30", ...line, "stroke-opacity": 0.35 }],
    ["path", { d: "M7 43q0-9 9-9h68q9 0 9 9 0 5-6 4-37-6-74 0-6 1-6-4z", fill: "currentColor", ...outlined }],
    ["path", { d: "M7 43q0-9 9-9h68q9 0 9 9 0 5-6 4-37-6-74 0-6 1-6-4z", fill: LINE, "fill-opacity": 0.3 }],
    ["path", { d: "M27 51l17 7M73 51l-17 7", ...line, "stroke-width": 6 }],
    ["circle", { cx: 37, cy: 61, r: 4.5, fill: LINE }],
    ["circle", { cx: 63, cy: 61, r: 4.5, fill: LINE }],
    ["path", { d: "M32 72q18-6 36 0-3 11-18 11t-18-11z", fill: WHITE, ...outlined }],
    ["path", { d: "M50 70v13M41 70v11", ...line, "stroke-width": 2.5 }],
    ["path", { d: "M52 71h7v11h-7z", fill: LINE }],
  );
}

function burst() {
  const points = Array.from({ length: 20 }, (_, corner) => {
    const [angle, radius] = [(corner * Math.PI) / 10, corner % 2 ? 26 : 49];
    return `${50 + radius * Math.sin(angle)},${50 - radius * Math.cos(angle)}`;
  });
  return symbol(
    "burst",
    ["polygon", { points: points.join(" "), fill: "#e5484d", ...outlined, "stroke-width": 3 }],
    ["circle", { cx: 50, cy: 50, r: 17, fill: "#ffd166" }],
  );
}

function symbol(id, ...parts) {
  const shapes = parts.map(([tag, attributes]) => draw(tag, attributes));
  return draw("symbol", { id, viewBox: "0 0 100 100" }, ...shapes);
}
