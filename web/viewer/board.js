// Draws the things of a moment on a canvas, and finds what is under a pointer.
import { drawDrawing } from "./drawings.js";
import { color } from "../shared/elements.js";
import { sharpen } from "./view.js";
import { brightness, drawMark, DARK, LIGHT } from "./marks.js";
import { findOutline, edgeStrip } from "./outline.js";

/** @import { Replay } from "./replay.js" */
/** @import { Appearance, Bar, Block, Box, Edge, Label, Lane, Picture, Point, Looks, Sprite, Spot, Tile } from "./types.d.ts" */
/** @import { View } from "./view.js" */
/** @typedef {{ x: number, y: number }} Place */

const GLIDE_MS = 55;
const JUMP = 2.5;  // squares: what moves farther does not glide
const SETTLED = 0.02;
const LAYERS = ["tile", "block", "sprite", "label"];
const BESIDE = 0.01;  // squares: in a hole of a block is not on it
const FAINT = 50;  // of 255: so little sets letters hardly apart from their ground
const NO_COLOR = "";  // the ground of words that lie on one
const EXACT = 1e-6;  // pixels: where two tiles meet, both round the same way
const FONT = "Inter, system-ui, sans-serif";

export class Board {
  scale = 1;
  left = 0;
  top = 0;
  background = "";
  backdropKey = "";
  below = new Below([], []);

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
    this.ctx = getContext2d(canvas);
    this.backdrop = document.createElement("canvas");
    /** @type {Map<number, Place>} */
    this.shown = new Map();
    // Where things are drawn that a person moves.
    /** @type {Map<number, Place>} */
    this.carried = new Map();
  }

  /**
   * Draw the things, marks and drawings. Returns whether something is still gliding.
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
    const isGliding = this.#glide(picture.things, picture.glide);
    const entries = sortThings(picture.things);
    this.below = new Below(this.replay.backdrop, entries.map(([, thing]) => thing));
    for (const cls of LAYERS) {
      for (const [id, thing] of entries) if (thing.cls === cls) this.#drawThing(ctx, thing, this.shown.get(id) ?? thing);
    }
    for (const id of this.carried.keys()) {
      const thing = picture.things.get(id)?.appearance;
      if (thing) this.#drawThing(ctx, thing, this.shown.get(id) ?? thing);
    }
    this.#ring(picture.things, picture.hovered, 0.5);
    this.#ring(picture.things, picture.selected, 1);
    for (const [id, thing] of entries) if (thing.bar || thing.badge || this.#findTeam(thing)) this.#drawSigns(thing, this.shown.get(id) ?? thing);
    for (const drawn of picture.drawings) drawDrawing(ctx, drawn, (x, y) => this.#at({ x, y }), this.scale);
    for (const mark of picture.marks) this.#drawMark(mark);
    return isGliding;
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
    this.background = background;
    this.below = new Below(this.replay.backdrop, []);
    for (const thing of this.replay.backdrop) this.#drawThing(ctx, thing, thing);
  }

  /**
   * Move the shown places towards the real ones. Returns whether any has not arrived.
   * @param {Looks} things
   * @param {number} ms
   */
  #glide(things, ms) {
    const share = ms ? 1 - Math.exp(-ms / GLIDE_MS) : 1;
    /** @type {Map<number, Place>} */
    const shown = new Map();
    let isGliding = false;
    for (const [id, { appearance: thing }] of things) {
      const carried = this.carried.get(id);
      if (carried) {
        shown.set(id, carried);
        continue;
      }
      const from = this.shown.get(id) ?? thing;
      const [dx, dy] = [thing.x - from.x, thing.y - from.y];
      const far = Math.abs(dx) + Math.abs(dy);
      const glides = far > SETTLED && far < JUMP && share < 1;
      isGliding ||= glides;
      shown.set(id, glides ? { x: from.x + dx * share, y: from.y + dy * share } : thing);
    }
    this.shown = shown;
    return isGliding;
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
    if (thing.cls === "sprite") this.#drawSprite(ctx, thing, left, top);
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
  #drawSprite(ctx, thing, x, y) {
    const side = thing.size * this.scale;
    const { plain } = this.replay.kinds[thing.kind];
    if (plain && this.scale < this.drawing.detail * devicePixelRatio) {
      ctx.fillStyle = plain;
      ctx.fillRect(Math.round(x - side / 2), Math.round(y - side / 2), Math.round(side), Math.round(side));
      return;
    }
    const team = this.#findTeam(thing);
    if (team) {
      const { size, opacity } = this.drawing.base;
      ctx.globalAlpha = opacity;
      drawDisc(ctx, x, y, size * this.scale, team.color);
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
      ctx.lineWidth = Math.max(1, Math.round(this.scale * this.drawing.tileBorder));
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
    /** @type {(from: number, count: number) => number[]} */
    const lines = (from, count) => Array.from({ length: count + 1 }, (_, n) => Math.round(from + n * scale));
    const [across, down] = [lines(x, thing.width), lines(y, thing.height)];
    const { boxes, edges, front } = findOutline(thing.cells, thing.front);
    /** @type {(color: string, areas: Box[]) => void} */
    const fill = (color, areas) => {
      ctx.fillStyle = color;
      for (const [left, top, right, bottom] of areas) ctx.fillRect(left, top, right - left, bottom - top);
    };
    /** @type {(width: number) => (edge: Edge) => Box} */
    const along = (width) => (edge) => edgeStrip(edge, across, down, Math.max(1, Math.round(width * scale)));
    fill(thing.fill, boxes.map(([left, top, right, bottom]) => [across[left], down[top], across[right], down[bottom]]));
    const { border, finest, frontEdge, front: ahead } = this.drawing.block;
    if (scale >= finest) fill(thing.border, edges.map(along(border)));
    fill(ahead, front.map(along(frontEdge)));
  }

  /**
   * Draw a label; small letters are enlarged, and tiny ones left out.
   * @param {CanvasRenderingContext2D} ctx
   * @param {Label} thing
   * @param {number} x
   * @param {number} y
   */
  #drawLabel(ctx, thing, x, y) {
    const { least, label } = this.drawing.letters;
    const size = thing.size * this.scale;
    if (size < label * devicePixelRatio) return;
    const shown = { ...thing, color: this.#tint(thing.color) };
    drawLabel(ctx, shown, x, y, Math.max(size, least * devicePixelRatio), this.below.groundColor(thing) ?? this.background);
  }

  // Whether levels and badges have letters.
  get #isLettered() {
    return this.scale >= this.drawing.letters.from * devicePixelRatio;
  }

  /**
   * Return the team of a piece that stands on a disc of its color.
   * @param {Appearance} thing
   */
  #findTeam(thing) {
    const kind = this.replay.kinds[thing.kind];
    return kind.has_base ? this.replay.teams[Number(thing.facts[kind.facts.indexOf("team")]) - 1] : undefined;
  }

  /**
   * Draw the level of a piece at the edge of its disc, if there is room.
   * @param {Appearance} thing
   * @param {number} x
   * @param {number} y
   */
  #drawLevel(thing, x, y) {
    const [team, at] = [this.#findTeam(thing), this.replay.kinds[thing.kind].facts.indexOf("level")];
    const { level, corner, letters } = this.drawing.base;
    if (!team || at < 0 || !this.#isLettered) return;
    const side = Math.max(level * this.scale, (this.drawing.letters.least * devicePixelRatio) / letters);
    const [left, top] = [x - corner * this.scale, y - corner * this.scale];
    drawDisc(this.ctx, left, top, side, team.color);
    drawLabel(this.ctx, { text: String(thing.facts[at]), color: team.ink }, left, top, side * letters, NO_COLOR, "600 ");
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
    const { size, corner, letters, least, color, rim } = this.drawing.badge;
    const side = Math.max(scale * size, (this.#isLettered ? this.drawing.letters.least / letters : least) * devicePixelRatio);
    const [badgeX, badgeY] = [x + scale * corner, y - scale * corner];
    /** @type {[string, number][]} */
    const discs = [[rim, 1], [color, 0]];
    for (const [fill, wider] of discs) drawDisc(ctx, badgeX, badgeY, side + 2 * wider * devicePixelRatio, fill);
    if (this.#isLettered) drawLabel(ctx, { text: thing.badge, color: rim }, badgeX, badgeY, side * letters, color);
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
    const room = Math.min(thing.width, this.drawing.bar.most) * scale;
    if (room < this.drawing.bar.least * devicePixelRatio) return undefined;
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
    const { bar } = this.drawing;
    const share = Math.min(Math.max(left / most, 0), 1);
    const rim = Math.max(1, Math.round(devicePixelRatio));
    const width = Math.round(room * bar.width);
    const height = Math.max(bar.leastHeight * rim, Math.round(scale * bar.height));
    const [barX, barY] = [Math.round(x - width / 2), Math.round(y + scale * bar.bottom) - height];
    ctx.fillStyle = bar.back;
    ctx.fillRect(barX, barY, width, height);
    ctx.fillStyle = bar.levels.find(([most]) => share <= most)?.[1] ?? bar.back;
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
    const rings = [[DARK, 0.13], [LIGHT, 0.07]];
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
    ctx.globalAlpha = strength * this.drawing.laneOpacity;
    const team = replay.kinds[one.kind].facts.indexOf("team");
    ctx.fillStyle = replay.teams[Number(one.facts[team]) - 1]?.color ?? this.drawing.signs.attack_lane.color;
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

// Finds the ground below labels. Things are kept by the squares they cover, the topmost last.
class Below {
  /** @param {Appearance[][]} layers */
  constructor(...layers) {
    /** @type {Map<string, Appearance[]>} */
    this.squares = new Map();
    const things = layers.flat();
    for (const cls of ["tile", "block", "sprite"]) for (const thing of things) if (thing.cls === cls) this.#keep(thing);
  }

  /**
   * Return the color at a place; NO_COLOR on a picture, undefined where there is nothing.
   * @param {Place} place
   */
  groundColor({ x, y }) {
    const on = (this.squares.get(`${Math.floor(x)} ${Math.floor(y)}`) ?? []).findLast((thing) => distance(thing, x, y) === 0);
    return on && (on.fill || NO_COLOR);
  }

  /** @param {Appearance} thing */
  #keep(thing) {
    const [x, y] = thingCenter(thing);
    const [width, height] = sideLengths(thing);
    for (let column = Math.floor(x - width / 2); column < x + width / 2; column++) {
      for (let row = Math.floor(y - height / 2); row < y + height / 2; row++) {
        const square = `${column} ${row}`;
        const things = this.squares.get(square);
        if (things) things.push(thing);
        else this.squares.set(square, [thing]);
      }
    }
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
function drawDisc(ctx, x, y, side, fill) {
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.arc(x, y, side / 2, 0, Math.PI * 2);
  ctx.fill();
}

/**
 * Draw a label, with an outline if its color is too close to the ground's.
 * @param {CanvasRenderingContext2D} ctx
 * @param {{ text: string, color: string }} thing
 * @param {number} x
 * @param {number} y
 * @param {number} height
 * @param {string} ground
 */
function drawLabel(ctx, thing, x, y, height, ground, weight = "") {
  ctx.font = `${weight}${height}px ${FONT}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  if (ground !== NO_COLOR && Math.abs(brightness(thing.color) - brightness(ground)) < FAINT) {
    ctx.strokeStyle = brightness(ground) > 128 ? DARK : LIGHT;
    ctx.lineWidth = height * 0.16;
    ctx.lineJoin = "round";
    ctx.strokeText(thing.text, x, y + height * 0.06);
  }
  ctx.fillStyle = thing.color;
  ctx.fillText(thing.text, x, y + height * 0.06);
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

/** @param {Appearance} thing */
function thingCenter(thing) {
  return isRectangle(thing) ? [thing.x + thing.width / 2, thing.y + thing.height / 2] : [thing.x, thing.y];
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
  if (thing.cls === "block" && !findOutline(thing.cells, thing.front).has(Math.floor(x - thing.x), Math.floor(y - thing.y))) {
    return Math.max(BESIDE, distance({ ...thing, cls: "tile", bar: undefined }, x, y));
  }
  const [middleX, middleY] = thingCenter(thing);
  const dx = Math.max(0, Math.abs(x - middleX) - width / 2);
  const dy = Math.max(0, Math.abs(y - middleY) - height / 2);
  return Math.hypot(dx, dy);
}
