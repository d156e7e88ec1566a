// Draws the things of a moving on a canvas, and finds what is under a pointer.
import { drawDrawing } from "./drawings.js";
import { color, make } from "../shared/elements.js";
import { sharpen } from "./view.js";
import { drawMark } from "./marks.js";
import { thingCenter } from "./motion.js";

/** @import { Replay } from "./replay.js" */
/** @import { Appearance, Bar, Block, Box, Edge, Label, Lane, Moving, Picture, Point, Looks, Sprite, Spot, Tile } from "./types.d.ts" */
/** @import { View } from "./view.js" */
/** @typedef {{ x: number, y: number, scale?: number }} Place */

const LAYERS = ["tile", "block", "sprite", "label"];
const BESIDE = 0.01;  // squares: in a hole of a block is not on it
const EXACT = 1e-6;  // pixels: where two tiles meet, both round the same way
const FADE_MS = 150;
const FONT = "Inter, system-ui, sans-serif";

export class Board {
  scale = 1;
  left = 0;
  top = 0;
  backdropKey = "";

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {View} view
   * @param {Replay} replay
   * @param {ImageBitmap[]} images
   */
  constructor(canvas, view, replay, images) {
    this.canvas = canvas;
    this.view = view;
    this.replay = replay;
    this.images = images;
    this.drawing = replay.drawing;
    this.sizes = replay.drawing.sizes;
    this.ctx = getContext2d(canvas);
    this.backdrop = document.createElement("canvas");
    /** @type {Map<number, Place>} */
    this.shown = new Map();
    // Where things are drawn that a person moves; their corner or middle, as that of a thing.
    /** @type {Map<number, Place>} */
    this.carried = new Map();
    this.isFading = false;
  }

  /** Let what is shown fade over what is drawn next: a step, for those who want nothing to move. */
  fadeOut() {
    const { canvas: { width, height } } = this;
    if (this.isFading || !width || !height) return;
    const before = make("canvas", { class: "before", width, height });
    getContext2d(before).drawImage(this.canvas, 0, 0);
    this.canvas.after(before);
    this.isFading = true;
    before.animate({ opacity: [1, 0] }, FADE_MS).onfinish = () => {
      this.isFading = false;
      before.remove();
    };
  }

  /**
   * Draw the things, marks and drawings.
   * @param {Picture} picture
   */
  draw(picture) {
    const { canvas, ctx, view } = this;
    sharpen(canvas, view.width, view.height);
    this.scale = (canvas.width / view.width) * view.scale;
    this.left = (view.x * this.scale) / view.scale;
    this.top = (view.y * this.scale) / view.scale;
    this.#drawBackdrop(picture.background);
    ctx.drawImage(this.backdrop, 0, 0);
    this.shown = this.#placeThings(picture);
    const entries = sortThings(picture.things);
    for (const cls of LAYERS) {
      if (cls === "sprite") for (const way of picture.moving.ways) this.#drawWay(way);
      for (const [id, thing] of entries) if (thing.cls === cls) this.#drawThing(ctx, thing, this.shown.get(id) ?? thing);
    }
    for (const id of this.carried.keys()) {
      const thing = picture.things.get(id)?.appearance;
      if (thing) this.#drawThing(ctx, thing, this.shown.get(id) ?? thing);
    }
    this.#ring(picture.things, picture.hovered, 0.5);
    this.#ring(picture.things, picture.selected, 1);
    for (const [id, thing] of entries) if (thing.bar || thing.badge || this.#findTeam(thing)) this.#drawSigns(thing, this.shown.get(id) ?? thing);
    for (const drawn of picture.drawings) drawDrawing(ctx, this.drawing, drawn, (x, y) => this.#at({ x, y }), this.scale);
    for (const mark of picture.marks) this.#drawMark(mark);
    if (this.replay.camera.length && !view.isFitted) this.#drawSmallMap(entries);
    if (this.#isLettered) for (const words of picture.moving.words) this.#drawRising(words);
  }

  /**
   * Return the topmost thing at a place of the screen, or one within `reach` pixels of it.
   * @param {Looks} things
   * @param {number} screenX
   * @param {number} screenY
   */
  thingAt(things, screenX, screenY, reach = 0) {
    const [x, y] = this.view.toBoard(screenX, screenY);
    /** @type {number | null} */
    let found = null;
    let nearest = reach / this.view.scale;
    for (const [id, thing] of sortThings(things).reverse()) {
      if (this.replay.kinds[thing.kind].is_seen_through) continue;
      const far = distance(thing, x, y);
      if (far === 0) return id;
      if (far <= nearest) [found, nearest] = [id, far];
    }
    return found;
  }

  /** @param {string} background */
  #drawBackdrop(background) {
    const { backdrop, canvas, scale, left, top } = this;
    const key = [canvas.width, canvas.height, scale, left, top, background, this.view.isRearranged].join();
    if (this.backdropKey === key) return;
    this.backdropKey = key;
    [backdrop.width, backdrop.height] = [canvas.width, canvas.height];
    const ctx = getContext2d(backdrop);
    ctx.fillStyle = background;
    ctx.fillRect(0, 0, backdrop.width, backdrop.height);
    for (const thing of this.replay.backdrop) this.#drawThing(ctx, thing, thing);
  }

  /**
   * Return where things are that move, or that a person moves.
   * @param {Picture} picture
   */
  #placeThings({ things, moving }) {
    /** @type {Map<number, Place>} */
    const shown = new Map();
    for (const [id, { x, y, scale }] of moving.places) {
      const thing = things.get(id)?.appearance;
      if (!thing) continue;
      const [width, height] = isRectangle(thing) ? [thing.width, thing.height] : [0, 0];
      shown.set(id, { x: x - width / 2, y: y - height / 2, scale });
    }
    for (const [id, place] of this.carried) shown.set(id, place);
    return shown;
  }

  /**
   * Draw the whole map in a corner of the part that is shown.
   * @param {[id: number, thing: Appearance][]} entries
   */
  #drawSmallMap(entries) {
    const { ctx, canvas, view: { extent }, sizes } = this;
    const scale = (sizes.smallMap * canvas.width) / extent.width;
    const [wide, high, edge] = [extent.width * scale, extent.height * scale, 6 * devicePixelRatio];
    const [left, top] = [edge, canvas.height - high - edge];
    const [toX, toY] = [left - extent.left * scale, top - extent.top * scale];
    ctx.fillStyle = color("panel");
    ctx.fillRect(left, top, wide, high);
    for (const [, thing] of entries) {
      const team = this.replay.teams[Number(this.replay.fact(thing, "team")) - 1];
      if (!team || thing.cls === "tile" || thing.cls === "label") continue;
      const [[x, y], side] = [thingCenter(thing), Math.max(2, ...sideLengths(thing).map((length) => length * scale))];
      ctx.fillStyle = team.color;
      ctx.fillRect(toX + x * scale - side / 2, toY + y * scale - side / 2, side, side);
    }
    ctx.strokeStyle = color("text");
    ctx.lineWidth = devicePixelRatio;
    ctx.strokeRect(left, top, wide, high);
    const [x, y] = [toX - (this.left / this.scale) * scale, toY - (this.top / this.scale) * scale];
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, wide, high);
    ctx.clip();
    ctx.strokeRect(x, y, (canvas.width / this.scale) * scale, (canvas.height / this.scale) * scale);
    ctx.restore();
  }

  /** @param {Moving["ways"][number]} way */
  #drawWay({ start, stop, opacity, team }) {
    const { ctx } = this;
    ctx.globalAlpha = opacity;
    ctx.strokeStyle = this.replay.teams[team - 1]?.color ?? color("quiet");
    ctx.lineWidth = Math.max(this.sizes.minWay * devicePixelRatio, this.sizes.way * this.scale);
    ctx.lineCap = "round";
    ctx.beginPath();
    for (const [x, y] of [start, stop]) ctx.lineTo(...this.#at({ x, y }));
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  /** @param {Moving["words"][number]} words */
  #drawRising({ at: [x, y], text, opacity }) {
    this.ctx.globalAlpha = opacity;
    const [left, top] = this.#at({ x, y });
    const { colors: { dark, light }, sizes: { risingLetters } } = this.drawing;
    drawLabel(this.ctx, text, dark, left, top + devicePixelRatio, risingLetters * this.scale, "600 ");
    drawLabel(this.ctx, text, light, left, top, risingLetters * this.scale, "600 ");
    this.ctx.globalAlpha = 1;
  }

  /**
   * Return where a point of the plane is on the canvas.
   * @param {Place} place
   * @returns {Point}
   */
  #at({ x, y }) {
    const [right, down] = this.view.toArranged(x, y);
    return [this.left + right * this.scale, this.top + down * this.scale];
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {Appearance} thing
   * @param {Place} place
   */
  #drawThing(ctx, thing, place) {
    const { scale, canvas } = this;
    const [left, top] = this.#at(place);
    const span = Math.max(thing.width ?? 0, thing.height ?? 0, thing.size ?? 0) * scale * 1.5;
    if (left + span < 0 || top + span < 0 || left - span > canvas.width || top - span > canvas.height) return;
    if (thing.cls === "sprite") this.#drawSprite(ctx, thing, left, top, place.scale);
    else if (thing.cls === "tile") this.#drawTile(ctx, thing, left, top);
    else if (thing.cls === "block") this.#drawBlock(ctx, thing, left, top);
    else this.#drawLabel(ctx, thing, left, top);
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {Sprite} thing
   * @param {number} x
   * @param {number} y
   */
  #drawSprite(ctx, thing, x, y, grown = 1) {
    const { plain, least } = this.replay.kinds[thing.kind];
    const side = Math.max(thing.size * this.scale * grown, least * devicePixelRatio);
    if (plain && this.scale < this.sizes.minDetailScale * devicePixelRatio) {
      ctx.fillStyle = plain;
      ctx.fillRect(Math.round(x - side / 2), Math.round(y - side / 2), Math.round(side), Math.round(side));
      return;
    }
    const team = this.#findTeam(thing);
    if (team) {
      ctx.globalAlpha = this.sizes.baseOpacity;
      drawDisc(ctx, x, y, this.sizes.base * this.scale, team.color);
      ctx.globalAlpha = 1;
    }
    ctx.imageSmoothingQuality = "high";
    ctx.drawImage(this.images[this.replay.images.names[thing.image]], x - side / 2, y - side / 2, side, side);
  }

  /** @param {string} hue */
  #tint(hue) {
    return hue in this.drawing.tints ? color(this.drawing.tints[hue]) : hue;
  }

  /**
   * Draw a tile, its edges on whole pixels: no seams between neighbors.
   * @param {CanvasRenderingContext2D} ctx
   * @param {Tile} thing
   * @param {number} x
   * @param {number} y
   */
  #drawTile(ctx, thing, x, y) {
    const [left, top] = [Math.round(x + EXACT), Math.round(y + EXACT)];
    const right = Math.round(x + thing.width * this.scale + EXACT);
    const bottom = Math.round(y + thing.height * this.scale + EXACT);
    if (thing.fill) {
      ctx.fillStyle = this.#tint(thing.fill);
      ctx.fillRect(left, top, right - left, bottom - top);
    }
    if (thing.border) {
      ctx.strokeStyle = thing.border;
      ctx.lineWidth = Math.max(1, Math.round(this.scale * this.sizes.tileBorder));
      const inset = ctx.lineWidth / 2;
      ctx.strokeRect(left + inset, top + inset, right - left - 2 * inset, bottom - top - 2 * inset);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {Block} thing
   * @param {number} x
   * @param {number} y
   */
  #drawBlock(ctx, thing, x, y) {
    const { scale } = this;
    const [least, sides] = [this.sizes.minShape * devicePixelRatio, [thing.width * scale, thing.height * scale]];
    if (thing.outline[2].length && Math.min(...sides) < least) {
      const [wide, high] = sides.map((side) => Math.round(Math.max(side, least)));
      const [left, top] = [Math.round(x + (sides[0] - wide) / 2), Math.round(y + (sides[1] - high) / 2)];
      ctx.fillStyle = thing.border;
      ctx.fillRect(left, top, wide, high);
      ctx.fillStyle = thing.fill;
      ctx.fillRect(left + 1, top + 1, wide - 2, high - 2);
      return;
    }
    /** @type {(from: number, count: number) => number[]} */
    const lines = (from, count) => Array.from({ length: count + 1 }, (_, n) => Math.round(from + n * scale));
    const [across, down] = [lines(x, thing.width), lines(y, thing.height)];
    const [boxes, edges, front] = thing.outline;
    /** @type {(color: string, areas: Box[]) => void} */
    const fill = (color, areas) => {
      ctx.fillStyle = color;
      for (const [left, top, right, bottom] of areas) ctx.fillRect(left, top, right - left, bottom - top);
    };
    /** @type {(width: number) => (edge: Edge) => Box} */
    const along = (width) => (edge) => edgeStrip(edge, across, down, Math.max(1, Math.round(width * scale)));
    fill(thing.fill, boxes.map(([left, top, right, bottom]) => [across[left], down[top], across[right], down[bottom]]));
    const { border, finestBorder, frontEdge } = this.sizes;
    if (scale >= finestBorder) fill(thing.border, edges.map(along(border)));
    fill(this.drawing.colors.front, front.map(along(frontEdge)));
  }

  /**
   * Draw a label; small letters are enlarged, and tiny ones left out.
   * @param {CanvasRenderingContext2D} ctx
   * @param {Label} thing
   * @param {number} x
   * @param {number} y
   */
  #drawLabel(ctx, thing, x, y) {
    const size = thing.size * this.scale;
    if (size < this.sizes.minLabelSize * devicePixelRatio) return;
    drawLabel(ctx, thing.text, this.#tint(thing.color), x, y, Math.max(size, this.sizes.minLetterSize * devicePixelRatio));
  }

  // Whether levels and badges have letters.
  get #isLettered() {
    return this.scale >= this.sizes.minLetteredSquare * devicePixelRatio;
  }

  /**
   * Return the team of a piece that stands on a disc of its color.
   * @param {Appearance} thing
   */
  #findTeam(thing) {
    const { kinds, teams } = this.replay;
    return kinds[thing.kind].has_base ? teams[Number(this.replay.fact(thing, "team")) - 1] : undefined;
  }

  /**
   * Draw the level of a piece at the edge of its disc, if there is room.
   * @param {Appearance} thing
   * @param {number} x
   * @param {number} y
   */
  #drawLevel(thing, x, y) {
    const [team, value] = [this.#findTeam(thing), this.replay.fact(thing, "level")];
    const { level, levelCorner, levelLetters, minLetterSize } = this.sizes;
    if (!team || value === undefined || !this.#isLettered) return;
    const side = Math.max(level * this.scale, (minLetterSize * devicePixelRatio) / levelLetters);
    const [left, top] = [x - levelCorner * this.scale, y - levelCorner * this.scale];
    drawDisc(this.ctx, left, top, side, team.color);
    drawLabel(this.ctx, String(value), team.ink, left, top, side * levelLetters, "600 ");
  }

  /**
   * Draw the bar of a thing that is not at its full value, its level and the badge.
   * @param {Appearance} thing
   * @param {Place} at
   */
  #drawSigns(thing, at) {
    const { ctx, scale } = this;
    const [x, y] = this.#at(at);
    if (thing.bar && thing.bar[0] < thing.bar[1]) this.#drawThingBar(thing, thing.bar, x, y);
    this.#drawLevel(thing, x, y);
    if (!thing.badge) return;
    const { badge, badgeCorner, badgeLetterScale, minLetterSize, minBadgeSize } = this.sizes;
    const { badge: fill, badgeRim } = this.drawing.colors;
    const least = this.#isLettered ? minLetterSize / badgeLetterScale : minBadgeSize;
    const side = Math.max(scale * badge, least * devicePixelRatio);
    const [badgeX, badgeY] = [x + scale * badgeCorner, y - scale * badgeCorner];
    drawDisc(ctx, badgeX, badgeY, side + 2 * devicePixelRatio, badgeRim);
    drawDisc(ctx, badgeX, badgeY, side, fill);
    if (this.#isLettered) drawLabel(ctx, thing.badge, badgeRim, badgeX, badgeY, side * badgeLetterScale, "600 ");
  }

  /**
   * Draw a bar along the lower edge of a sprite's square, or of a block if there is room.
   * @param {Sprite | Block} thing
   * @param {Bar} bar
   * @param {number} x
   * @param {number} y
   */
  #drawThingBar(thing, bar, x, y) {
    const { scale } = this;
    if (thing.cls !== "block") return this.#drawBar(bar, x, y, scale);
    const room = Math.min(thing.width, this.sizes.maxBarSquares) * scale;
    if (room < this.sizes.minBarWidth * devicePixelRatio) return undefined;
    return this.#drawBar(bar, x + (thing.width / 2) * scale, y + (thing.height - 0.5) * scale, room);
  }

  /**
   * @param {Bar} values
   * @param {number} x
   * @param {number} y
   * @param {number} room
   */
  #drawBar([left, most], x, y, room) {
    const { ctx, scale } = this;
    const { barWidth, barHeight, barBottom, minBarHeight } = this.sizes;
    const { colors, barLevels } = this.drawing;
    const share = Math.min(Math.max(left / most, 0), 1);
    const rim = Math.max(1, Math.round(devicePixelRatio));
    const width = Math.round(room * barWidth);
    const height = Math.max(minBarHeight * rim, Math.round(scale * barHeight));
    const [barX, barY] = [Math.round(x - width / 2), Math.round(y + scale * barBottom) - height];
    ctx.fillStyle = colors.barBack;
    ctx.fillRect(barX, barY, width, height);
    ctx.fillStyle = barLevels.find(([most]) => share <= most)?.[1] ?? colors.barBack;
    if (share) ctx.fillRect(barX + rim, barY + rim, Math.max(1, (width - 2 * rim) * share), height - 2 * rim);
  }

  /**
   * @param {Looks} things
   * @param {number | null} id
   * @param {number} strength
   */
  #ring(things, id, strength) {
    const thing = id === null ? undefined : things.get(id)?.appearance;
    if (id === null || !thing) return;
    const { ctx, scale } = this;
    const [middleX, middleY] = this.#at(this.shown.get(id) ?? thing);
    const [width, height] = [thing.width ?? 1, thing.height ?? 1].map((side) => side * scale);
    const x = middleX - (isRectangle(thing) ? 0 : width / 2);
    const y = middleY - (isRectangle(thing) ? 0 : height / 2);
    ctx.globalAlpha = strength;
    /** @type {[string, number][]} */
    const rings = [[this.drawing.colors.dark, 0.13], [this.drawing.colors.light, 0.07]];
    for (const [style, line] of rings) {
      ctx.strokeStyle = style;
      ctx.lineWidth = Math.max(line > 0.1 ? 4 : 2, scale * line);
      ctx.beginPath();
      ctx.roundRect(x, y, width, height, scale * 0.18);
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }

  /** @param {Picture["marks"][number]} mark */
  #drawMark({ mark, one, other, attackLanes, strength }) {
    const { ctx } = this;
    if (mark === "attack_lane") return this.#drawAttackLanes(one, attackLanes, strength);
    ctx.globalAlpha = strength;
    const places = { one: this.#spot(one), other: other && this.#spot(other) };
    drawMark(ctx, this.drawing, mark, { ...places, scale: this.scale, ratio: devicePixelRatio });
    ctx.globalAlpha = 1;
    return undefined;
  }

  /**
   * Fill the squares an attack covers, in the color of the attacker's team.
   * @param {Appearance} one
   * @param {Lane[]} attackLanes
   * @param {number} strength
   */
  #drawAttackLanes(one, attackLanes, strength) {
    const { ctx, scale, replay } = this;
    ctx.globalAlpha = strength * this.sizes.laneOpacity;
    ctx.fillStyle = replay.teams[Number(replay.fact(one, "team")) - 1]?.color ?? this.drawing.signs.attack_lane.color;
    for (const [dx, dy, width, height] of attackLanes) {
      const [left, top] = this.#at({ x: one.x + dx, y: one.y + dy });
      ctx.fillRect(left, top, width * scale, height * scale);
    }
    ctx.globalAlpha = 1;
  }

  /**
   * Return the middle of a thing on the canvas, and its larger side in squares.
   * @param {Appearance} thing
   * @returns {Spot}
   */
  #spot(thing) {
    const [x, y] = thingCenter(thing);
    const [left, top] = this.#at({ x, y });
    return { x: left, y: top, size: Math.max(...sideLengths(thing)) };
  }
}

/**
 * @param {Looks} things
 * @returns {[id: number, thing: Appearance][]}
 */
function sortThings(things) {
  return [...things].sort(([a], [b]) => a - b).map(([id, thing]) => [id, thing.appearance]);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @param {string} fill
 */
export function drawDisc(ctx, x, y, side, fill) {
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.arc(x, y, side / 2, 0, Math.PI * 2);
  ctx.fill();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} text
 * @param {string} fill
 * @param {number} x
 * @param {number} y
 * @param {number} height
 */
function drawLabel(ctx, text, fill, x, y, height, weight = "") {
  ctx.font = `${weight}${height}px ${FONT}`;
  [ctx.textAlign, ctx.textBaseline, ctx.fillStyle] = ["center", "middle", fill];
  ctx.fillText(text, x, y + height * 0.06);
}

/** @param {HTMLCanvasElement} canvas */
function getContext2d(canvas) {
  return (
    /** @type {CanvasRenderingContext2D} */
    (canvas.getContext("2d", { alpha: false }))
  );
}

/**
 * @param {Appearance} thing
 * @returns {thing is Tile | Block}
 */
function isRectangle(thing) {
  return thing.cls === "tile" || thing.cls === "block";
}

/**
 * @param {Appearance} thing
 * @returns {[width: number, height: number]}
 */
function sideLengths(thing) {
  return isRectangle(thing) ? [thing.width, thing.height] : [thing.size, thing.size];
}

/**
 * Return the distance from a place to a thing, squares; 0 on it.
 * @param {Appearance} thing
 * @param {number} x
 * @param {number} y
 * @returns {number}
 */
function distance(thing, x, y) {
  const [width, height] = sideLengths(thing);
  if (thing.cls === "block" && !thing.outline[0].some((box) => isInside(box, x - thing.x, y - thing.y))) {
    return Math.max(BESIDE, distance({ ...thing, cls: "tile", bar: undefined }, x, y));
  }
  const [middleX, middleY] = thingCenter(thing);
  const dx = Math.max(0, Math.abs(x - middleX) - width / 2);
  const dy = Math.max(0, Math.abs(y - middleY) - height / 2);
  return Math.hypot(dx, dy);
}

/**
 * @param {Box} box
 * @param {number} x
 * @param {number} y
 */
function isInside([left, top, right, bottom], x, y) {
  return left <= x && x < right && top <= y && y < bottom;
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
function edgeStrip([heading, at, start, stop, goesOn], across, down, width) {
  const isUpright = heading % 2 === 0;
  const [along, over] = isUpright ? [down, across] : [across, down];
  const [first, last] = [along[start] - (goesOn[0] ? width : 0), along[stop] + (goesOn[1] ? width : 0)];
  const [near, far] = heading < 2 ? [over[at] - width, over[at]] : [over[at], over[at] + width];
  return isUpright ? [near, first, far, last] : [first, near, last, far];
}
