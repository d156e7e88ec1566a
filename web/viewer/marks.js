// The signs of events on the board, drawn from the data of visualizer/backends/page/__init__.py.
// Each has its own shape: color is never the only difference.

/** @import { DrawingFacts, MarkName, Part, Sign, Spot } from "./types.d.ts" */

/**
 * `one` and `other` are places on the canvas, `other` may be missing. `scale` is pixels per square,
 * `ratio` pixels of the canvas per pixel of the page.
 * @param {CanvasRenderingContext2D} ctx
 * @param {DrawingFacts} drawing
 * @param {MarkName} mark
 * @param {{ one: Spot, other: Spot | undefined, scale: number, ratio: number }} places
 */
export function drawMark(ctx, drawing, mark, { one, other, scale, ratio }) {
  const { sizes } = drawing;
  const sign = drawing.signs[mark];
  const square = Math.max(scale, sizes.minSignScale * ratio);
  /** @type {{ x: number, y: number }} */
  let at = one;
  if (other && sign.isLink) {
    const [start, stop] = mark === "join" ? [other, one] : [one, other];
    drawLink(ctx, sizes, sign, { start, stop, scale, ratio });
    at = stop;
  }
  const aside = sign.isCornered ? sizes.signCorner * square : 0;
  return drawSign(ctx, drawing, sign, { x: at.x - aside, y: at.y - aside }, square * sign.size);
}

/**
 * Draw a sign around a place.
 * @param {CanvasRenderingContext2D} ctx
 * @param {DrawingFacts} drawing
 * @param {Sign} sign
 * @param {{ x: number, y: number }} place
 * @param {number} size
 */
export function drawSign(ctx, drawing, sign, { x, y }, size) {
  const { gridSide, signRim } = drawing.sizes;
  const unit = size / (gridSide + 2 * signRim);
  ctx.save();
  [ctx.lineCap, ctx.lineJoin] = ["round", "round"];
  ctx.translate(x - size / 2 + signRim * unit, y - size / 2 + signRim * unit);
  ctx.scale(unit, unit);
  for (const part of sign.parts) drawPart(ctx, part, sign.rimColor, sign.rim);
  for (const part of sign.parts) drawPart(ctx, part, sign.color, 0);
  for (const part of sign.over) drawPart(ctx, part, sign.rimColor, 0);
  ctx.restore();
}

/**
 * Draw a path, or fill it, `wider` on every side.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Part} part
 * @param {string} color
 * @param {number} wider
 */
function drawPart(ctx, { path, width }, color, wider) {
  const shape = new Path2D(path);
  ctx.fillStyle = ctx.strokeStyle = color;
  ctx.lineWidth = width + 2 * wider;
  if (!width) ctx.fill(shape);
  if (width || wider) ctx.stroke(shape);
}

/**
 * Draw a line that leaves both ends visible.
 * @param {CanvasRenderingContext2D} ctx
 * @param {DrawingFacts["sizes"]} sizes
 * @param {Sign} sign
 * @param {{ start: Spot, stop: Spot, scale: number, ratio: number }} places
 */
function drawLink(ctx, sizes, sign, { start, stop, scale, ratio }) {
  /** @type {(share: number) => [number, number]} */
  const at = (share) => [start.x + (stop.x - start.x) * share, start.y + (stop.y - start.y) * share];
  const width = Math.max(sizes.minLinkWidth * ratio, sizes.linkWidth * scale);
  const strength = ctx.globalAlpha;
  /** @type {[string, number, number][]} */
  const lines = [[sign.rimColor, sizes.linkRim * ratio, sizes.rimOpacity], [sign.color, 0, 1]];
  for (const [color, more, opacity] of lines) {
    ctx.globalAlpha = strength * opacity;
    ctx.strokeStyle = color;
    ctx.lineWidth = width + more;
    ctx.beginPath();
    ctx.moveTo(...at(sizes.linkBegin));
    ctx.lineTo(...at(sizes.linkEnd));
    ctx.stroke();
  }
}
