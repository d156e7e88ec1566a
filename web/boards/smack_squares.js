// The squares of a board of Smack!: where they are and what they are called.

const FILES = "ABCDEFGHJKLMNOP"; // I is skipped

export const SIDE = FILES.length;
export const DEAD_SPACE = "H8";

/** All squares by name, row by row from the top; x and y count from the top left. */
export const SQUARES = new Map();
for (let y = 0; y < SIDE; y++) {
  for (let x = 0; x < SIDE; x++) {
    const isOnBoard = x + y >= 5 && x + y <= 23 && Math.abs(x - y) <= 9; // it lacks its corners
    if (isOnBoard) SQUARES.set(nameOf(x, y), { x, y });
  }
}

export const FILE_NAMES = [...FILES];

/** Return the name of the square there; of none too. */
export function nameOf(x, y) {
  return `${FILES[x]}${SIDE - y}`;
}

/** Return the square that an arrow key leads to; the same one at the edge. */
export function beside(name, key) {
  const { x, y } = SQUARES.get(name);
  const [right, down] = STEPS[key];
  const next = nameOf(x + right, y + down);
  return SQUARES.has(next) ? next : name;
}

const STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export const isArrow = (key) => key in STEPS;

/** Return source, target and captured squares of a move such as `G7-F6xE5,E6`; null of others. */
export function partsOf(move) {
  const parts = /^([A-P]\d+)-([A-P]\d+)(?:x([A-P\d,]+))?$/.exec(move);
  if (!parts) return null;
  const [, source, target, captured] = parts;
  return { source, target, captured: captured ? captured.split(",") : [] };
}
