// Numbers as window and pictures write them: visualizer/model/formatting.py.

/** @import { Formats } from "./types.d.ts" */

/**
 * Return `1 234.5`, or `1 234` in a game of whole numbers.
 * @param {Formats} formats
 * @param {number} score
 */
export function scoreText(formats, score) {
  const [whole, part] = Math.abs(score).toFixed(formats.decimals).split(".");
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, formats.thousands);
  return `${score < 0 ? "-" : ""}${apart}${part ? `.${part}` : ""}`;
}

/**
 * Return CPU time in a fitting unit.
 * @param {Formats} formats
 * @param {number} us
 */
export function cpuText(formats, us) {
  const [, divisor, name, decimals] = /** @type {Formats["cpuUnits"][number]} */ (formats.cpuUnits.find(([below]) => below === null || us < below));
  return `${(us / divisor).toFixed(decimals)} ${name}`;
}

/**
 * Return `2.5`, or `2`.
 * @param {number} number
 */
export const toOneDecimal = (number) => (Math.round(number * 10) / 10).toLocaleString("en", {
  minimumFractionDigits: Number.isInteger(number) ? 0 : 1,
}).replaceAll(",", "\u202f");
