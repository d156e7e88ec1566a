// When the steps of a turn are played: visualizer/model/pace.py.
export const MOVES = 0.7;  // of a turn, at which its last step lands
const MIN_MOVE_S = 0.09;
export const TINY = 1e-6;

/**
 * @param {number} steps
 * @param {number} turnsPerS
 */
export function moveLength(steps, turnsPerS) {
  return Math.min(MOVES, Math.max(MOVES / steps, MIN_MOVE_S * turnsPerS));
}

/**
 * Return the fraction of a turn at which a step lands, counted from 1.
 * @param {number} number
 * @param {number} steps
 * @param {number} turnsPerS
 */
export function landing(number, steps, turnsPerS) {
  const first = moveLength(steps, turnsPerS);
  return first + ((MOVES - first) * (number - 1)) / Math.max(1, steps - 1);
}

/**
 * @param {number} fraction
 * @param {number} steps
 * @param {number} turnsPerS
 */
export function countLanded(fraction, steps, turnsPerS) {
  if (!steps || fraction >= MOVES - TINY) return steps;
  const first = moveLength(steps, turnsPerS);
  const since = fraction - first + TINY;
  return since < 0 ? 0 : 1 + Math.floor((since / (MOVES - first)) * (steps - 1));
}
