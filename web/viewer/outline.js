// The squares of a block as few rectangles, and the lines around them: visualizer/drawing/outline.py.

/** @import { Box, Edge, Outline, Point } from "./types.d.ts" */

const HEADINGS = "ESWN";
const NOWHERE = -1;
const STEPS = [[1, 0], [0, 1], [-1, 0], [0, -1]];
/** @type {Map<string, Outline>} */
const known = new Map();

/**
 * Return the outline of squares as rows (`##/#.`), facing E, S, W, N, or nowhere ("").
 * @param {string} cells
 * @param {string} front
 */
export function findOutline(cells, front) {
  const key = `${cells} ${front}`;
  let outline = known.get(key);
  if (!outline) known.set(key, (outline = makeOutline(cells.split("/"), front ? HEADINGS.indexOf(front) : NOWHERE)));
  return outline;
}

/**
 * Return the strip along the inside of an edge: left, top, right, bottom. `across` and `down`
 * are the places of the lines between squares.
 * @param {Edge} edge
 * @param {number[]} across
 * @param {number[]} down
 * @param {number} width
 * @returns {Box}
 */
export function edgeStrip({ heading, at, start, stop, goesOn }, across, down, width) {
  const isUpright = heading % 2 === 0;
  const [along, over] = isUpright ? [down, across] : [across, down];
  const [first, last] = [along[start] - goesOn[0] * width, along[stop] + goesOn[1] * width];
  const [near, far] = heading < 2 ? [over[at] - width, over[at]] : [over[at], over[at] + width];
  return isUpright ? [near, first, far, last] : [first, near, last, far];
}

/**
 * @param {string[]} rows
 * @param {number} front
 * @returns {Outline}
 */
function makeOutline(rows, front) {
  /** @type {Point[]} */
  const cells = rows.flatMap((row, y) => [...row].flatMap((sign, x) => (sign === "#" ? [[x, y]] : [])));
  const lit = new Set(cells.map(String));
  /** @type {(x: number, y: number) => boolean} */
  const has = (x, y) => lit.has(`${x},${y}`);
  return {
    has,
    boxes: findBoxes(rows),
    edges: [0, 1, 2, 3].flatMap((heading) => {
      const [dx, dy] = STEPS[heading];
      return joinEdges(cells.filter(([x, y]) => !has(x + dx, y + dy)), has, heading);
    }),
    front: front < 0 ? [] : joinEdges(outermost(cells, front), () => false, front),
  };
}

/**
 * Return rectangles: runs of squares in a row.
 * @param {string[]} rows
 * @returns {Box[]}
 */
function findBoxes(rows) {
  return rows.flatMap((row, y) =>
    [...row.matchAll(/#+/g)].map(({ index, 0: run }) => [index, y, index + run.length, y + 1]),
  );
}

/**
 * Return the outermost square of each row or column.
 * @param {Point[]} cells
 * @param {number} heading
 */
function outermost(cells, heading) {
  const [dx, dy] = STEPS[heading];
  /** @type {Map<number, Point>} */
  const best = new Map();
  for (const [x, y] of cells) {
    const line = dx ? y : x;
    const other = best.get(line);
    if (!other || x * dx + y * dy > other[0] * dx + other[1] * dy) best.set(line, [x, y]);
  }
  return [...best.values()];
}

/**
 * Return edges, those of neighboring squares as one.
 * @param {Point[]} cells
 * @param {Outline["has"]} has
 * @param {number} heading
 * @returns {Edge[]}
 */
function joinEdges(cells, has, heading) {
  const isUpright = heading % 2 === 0;
  const along = cells.map(([x, y]) => (isUpright ? [x, y] : [y, x])).sort(([a, b], [c, d]) => a - c || b - d);
  /** @type {[over: number, start: number, stop: number][]} */
  const pieces = [];
  for (const [over, at] of along) {
    const last = pieces.at(-1);
    if (last && last[0] === over && last[2] === at) last[2] += 1;
    else pieces.push([over, at, at + 1]);
  }
  /** @type {(over: number, at: number) => number} */
  const isLit = (over, at) => Number(isUpright ? has(over, at) : has(at, over));
  return pieces.map(([over, start, stop]) => ({
    heading, at: over + Number(heading < 2), start, stop, goesOn: [isLit(over, start - 1), isLit(over, stop)],
  }));
}
