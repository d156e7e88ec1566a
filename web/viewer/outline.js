// The squares of a block as few rectangles, and the lines around them: visualizer/drawing/outline.py.

const HEADINGS = "ESWN";
const NOWHERE = -1;
const STEPS = [[1, 0], [0, 1], [-1, 0], [0, -1]];
const known = new Map();

// Return the outline of squares as rows (`##/#.`), facing E, S, W, N, or nowhere ("").
export function outlineOf(cells, front) {
  const key = `${cells} ${front}`;
  if (!known.has(key)) known.set(key, drawn(cells.split("/"), front ? HEADINGS.indexOf(front) : NOWHERE));
  return known.get(key);
}

// Return the strip along the inside of an edge: left, top, right, bottom. `across` and `down`
// are the places of the lines between squares.
export function stripOf({ heading, at, start, stop, goesOn }, across, down, width) {
  const isUpright = heading % 2 === 0;
  const [along, over] = isUpright ? [down, across] : [across, down];
  const [first, last] = [along[start] - goesOn[0] * width, along[stop] + goesOn[1] * width];
  const [near, far] = heading < 2 ? [over[at] - width, over[at]] : [over[at], over[at] + width];
  return isUpright ? [near, first, far, last] : [first, near, last, far];
}

function drawn(rows, front) {
  const cells = rows.flatMap((row, y) => [...row].flatMap((sign, x) => (sign === "#" ? [[x, y]] : [])));
  const lit = new Set(cells.map(String));
  const has = (x, y) => lit.has(`${x},${y}`);
  return {
    has,
    boxes: boxesOf(rows),
    edges: [0, 1, 2, 3].flatMap((heading) => {
      const [dx, dy] = STEPS[heading];
      return joined(cells.filter(([x, y]) => !has(x + dx, y + dy)), has, heading);
    }),
    front: front < 0 ? [] : joined(outermost(cells, front), () => false, front),
  };
}

// Return rectangles: runs of squares in a row.
function boxesOf(rows) {
  return rows.flatMap((row, y) =>
    [...row.matchAll(/#+/g)].map(({ index, 0: run }) => [index, y, index + run.length, y + 1]),
  );
}

// Return the outermost square of each row or column.
function outermost(cells, heading) {
  const [dx, dy] = STEPS[heading];
  const best = new Map();
  for (const [x, y] of cells) {
    const line = dx ? y : x;
    const other = best.get(line);
    if (!other || x * dx + y * dy > other[0] * dx + other[1] * dy) best.set(line, [x, y]);
  }
  return [...best.values()];
}

// Return edges, those of neighboring squares as one.
function joined(cells, has, heading) {
  const isUpright = heading % 2 === 0;
  const along = cells.map(([x, y]) => (isUpright ? [x, y] : [y, x])).sort(([a, b], [c, d]) => a - c || b - d);
  const pieces = [];
  for (const [over, at] of along) {
    const last = pieces.at(-1);
    if (last && last[0] === over && last[2] === at) last[2] += 1;
    else pieces.push([over, at, at + 1]);
  }
  const isLit = (over, at) => Number(isUpright ? has(over, at) : has(at, over));
  return pieces.map(([over, start, stop]) => ({
    heading, at: over + (heading < 2), start, stop, goesOn: [isLit(over, start - 1), isLit(over, stop)],
  }));
}
