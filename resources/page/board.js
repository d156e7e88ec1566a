// Draws the things of a moment on a canvas, and finds what is under a pointer.
import { sharpen } from "./elements.js";
import { brightness, drawMark, INK, PAPER } from "./marks.js";
import { outlineOf, stripOf } from "./outline.js";

const GLIDE_MS = 55;
const JUMP = 2.5;  // squares: what moves farther does not glide
const SETTLED = 0.02;
const [LOW, MIDDLE] = [0.3, 0.6];
const LAYERS = ["tile", "block", "sprite", "label"];
const [BORDER, FRONT, FINEST_BORDER] = [0.08, 0.24, 5];  // as in visualizer/theme.py
const [MOST_BAR, LEAST_BAR] = [4, 12];
const [LEAST_SIGN, AROUND, REACHED] = [14, 2, 0.35];
const BESIDE = 0.01;  // squares: in a hole of a block is not on it
const FAINT = 50;  // of 255: so little sets letters hardly apart from their ground
const NO_COLOUR = "";  // the ground of words that lie on one
const FONT = "system-ui, sans-serif";

export class Board {
  constructor(canvas, view, story, images) {
    [this.canvas, this.view, this.story, this.images] = [canvas, view, story, images];
    this.ctx = canvas.getContext("2d", { alpha: false });
    this.backdrop = document.createElement("canvas");
    this.shown = new Map();
  }

  // `picture`: the things, marks, selected, hovered, background, glide (ms since the last one;
  // 0: nothing glides). Whether something is still gliding.
  draw(picture) {
    const { canvas, ctx, view } = this;
    sharpen(canvas, view.width, view.height);
    this.scale = (canvas.width / view.width) * view.scale;
    [this.left, this.top] = [view.x, view.y].map((at) => (at * this.scale) / view.scale);
    this.#drawBackdrop(picture.background);
    ctx.drawImage(this.backdrop, 0, 0);
    const isGliding = this.#glide(picture.things, picture.glide);
    const entries = sortedLooks(picture.things);
    this.below = new Below(this.story.backdrop, entries.map(([, look]) => look));
    for (const cls of LAYERS) {
      for (const [id, look] of entries) if (look.cls === cls) this.#drawThing(ctx, look, this.shown.get(id));
    }
    this.#ring(picture.things.get(picture.hovered)?.look, picture.hovered, 0.5);
    this.#ring(picture.things.get(picture.selected)?.look, picture.selected, 1);
    for (const [id, look] of entries) if (look.bar || look.badge) this.#drawSigns(look, this.shown.get(id));
    for (const mark of picture.marks) this.#drawMark(mark);
    return isGliding;
  }

  // What is at a place of the screen: the topmost thing, or one near by if `reach` pixels allow.
  thingAt(things, screenX, screenY, reach = 0) {
    const [x, y] = this.view.toBoard(screenX, screenY);
    let [found, nearest] = [null, reach / this.view.scale];
    for (const [id, look] of sortedLooks(things).reverse()) {
      if (this.story.kinds[look.kind].is_seen_through) continue;
      const far = distance(look, x, y);
      if (far === 0) return id;
      if (far <= nearest) [found, nearest] = [id, far];
    }
    return found;
  }

  #drawBackdrop(background) {
    const { backdrop, canvas, scale, left, top } = this;
    const key = [canvas.width, canvas.height, scale, left, top, background, this.view.isRearranged].join();
    if (this.backdropKey === key) return;
    this.backdropKey = key;
    [backdrop.width, backdrop.height] = [canvas.width, canvas.height];
    const ctx = backdrop.getContext("2d", { alpha: false });
    ctx.fillStyle = background;
    ctx.fillRect(0, 0, backdrop.width, backdrop.height);
    this.background = background;
    this.below = new Below(this.story.backdrop, []);
    for (const look of this.story.backdrop) this.#drawThing(ctx, look, look);
  }

  // Things are shown a little behind where they are. Whether any has not arrived.
  #glide(things, ms) {
    const share = ms ? 1 - Math.exp(-ms / GLIDE_MS) : 1;
    const shown = new Map();
    let isGliding = false;
    for (const [id, { look }] of things) {
      const from = this.shown.get(id) ?? look;
      const [dx, dy] = [look.x - from.x, look.y - from.y];
      const far = Math.abs(dx) + Math.abs(dy);
      const glides = far > SETTLED && far < JUMP && share < 1;
      isGliding ||= glides;
      shown.set(id, glides ? { x: from.x + dx * share, y: from.y + dy * share } : look);
    }
    this.shown = shown;
    return isGliding;
  }

  // Where a point of the plane is on the canvas.
  #at({ x, y }) {
    const [right, down] = this.view.shown(x, y);
    return [this.left + right * this.scale, this.top + down * this.scale];
  }

  #drawThing(ctx, look, place) {
    const { scale, canvas } = this;
    const [left, top] = this.#at(place);
    const span = Math.max(look.width ?? 0, look.height ?? 0, look.size ?? 0) * scale * 1.5;
    if (left + span < 0 || top + span < 0 || left - span > canvas.width || top - span > canvas.height) return;
    if (look.cls === "sprite") this.#drawSprite(ctx, look, left, top);
    else if (look.cls === "tile") this.#drawTile(ctx, look, left, top);
    else if (look.cls === "block") this.#drawBlock(ctx, look, left, top);
    else drawLabel(ctx, look, left, top, look.size * scale, this.below.groundOf(look) ?? this.background);
  }

  #drawSprite(ctx, look, x, y) {
    const side = look.size * this.scale;
    ctx.imageSmoothingQuality = "high";
    ctx.drawImage(this.images[this.story.images.names[look.image]], x - side / 2, y - side / 2, side, side);
  }

  // Edges on whole pixels: no seams between neighbours.
  #drawTile(ctx, look, x, y) {
    const [left, top] = [Math.round(x), Math.round(y)];
    const right = Math.round(x + look.width * this.scale);
    const bottom = Math.round(y + look.height * this.scale);
    if (look.fill) {
      ctx.fillStyle = look.fill;
      ctx.fillRect(left, top, right - left, bottom - top);
    }
    if (look.border) {
      ctx.strokeStyle = look.border;
      ctx.lineWidth = Math.max(1, this.scale * 0.06);
      const inset = ctx.lineWidth / 2;
      ctx.strokeRect(left + inset, top + inset, right - left - 2 * inset, bottom - top - 2 * inset);
    }
  }

  #drawBlock(ctx, look, x, y) {
    const { scale } = this;
    const lines = (from, count) => Array.from({ length: count + 1 }, (_, n) => Math.round(from + n * scale));
    const [across, down] = [lines(x, look.width), lines(y, look.height)];
    const { boxes, edges, front } = outlineOf(look.cells, look.front);
    const fill = (colour, areas) => {
      ctx.fillStyle = colour;
      for (const [left, top, right, bottom] of areas) ctx.fillRect(left, top, right - left, bottom - top);
    };
    const along = (width) => (edge) => stripOf(edge, across, down, Math.max(1, Math.round(width * scale)));
    fill(look.fill, boxes.map(([left, top, right, bottom]) => [across[left], down[top], across[right], down[bottom]]));
    if (scale >= FINEST_BORDER) fill(look.border, edges.map(along(BORDER)));
    fill(this.story.front, front.map(along(FRONT)));
  }

  // What is left, if something is missing, and the badge.
  #drawSigns(look, at) {
    const { ctx, scale } = this;
    const [x, y] = this.#at(at);
    if (look.bar && look.bar[0] < look.bar[1]) this.#drawBarOf(look, x, y);
    if (!look.badge) return;
    const radius = Math.max(scale * 0.17, 4);
    const [badgeX, badgeY] = [x + scale * 0.33, y - scale * 0.33];
    ctx.fillStyle = INK;
    ctx.strokeStyle = "#ffffff";
    ctx.lineWidth = Math.max(1, radius * 0.2);
    ctx.beginPath();
    ctx.arc(badgeX, badgeY, radius, 0, Math.PI * 2);
    ctx.fill();
    ctx.stroke();
    drawLabel(ctx, { text: look.badge, colour: "#ffffff" }, badgeX, badgeY, radius * 1.3, INK);
  }

  // Along the lower edge of a sprite's square; of a block's, where there is room.
  #drawBarOf(look, x, y) {
    const { scale } = this;
    if (look.cls !== "block") return this.#drawBar(look.bar, x, y, scale);
    const room = Math.min(look.width, MOST_BAR) * scale;
    if (room < LEAST_BAR * devicePixelRatio) return undefined;
    return this.#drawBar(look.bar, x + (look.width / 2) * scale, y + (look.height - 0.5) * scale, room);
  }

  #drawBar([left, most], x, y, room) {
    const { ctx, scale } = this;
    const [low, middle, full, back] = this.story.barColours;
    const share = Math.min(Math.max(left / most, 0), 1);
    const [width, height] = [room * 0.76, Math.max(2.5, scale * 0.09)];
    const [barX, barY] = [Math.round(x - width / 2), Math.round(y + scale * 0.36)];
    ctx.fillStyle = back;
    ctx.fillRect(barX - 1, barY - 1, width + 2, height + 2);
    ctx.fillStyle = share <= LOW ? low : share <= MIDDLE ? middle : full;
    ctx.fillRect(barX, barY, Math.max(1, width * share), height);
  }

  #ring(look, id, strength) {
    if (!look) return;
    const { ctx, scale } = this;
    const [middleX, middleY] = this.#at(this.shown.get(id));
    const [width, height] = [look.width ?? 1, look.height ?? 1].map((side) => side * scale);
    const x = middleX - (isRectangle(look) ? 0 : width / 2);
    const y = middleY - (isRectangle(look) ? 0 : height / 2);
    ctx.globalAlpha = strength;
    for (const [style, line] of [[INK, 0.13], ["#ffffff", 0.07]]) {
      ctx.strokeStyle = style;
      ctx.lineWidth = Math.max(line > 0.1 ? 4 : 2, scale * line);
      ctx.beginPath();
      ctx.roundRect(x, y, width, height, scale * 0.18);
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }

  #drawMark({ mark, one, other, reach, strength }) {
    const { ctx, story } = this;
    if (mark === "reach") return this.#drawReach(one, reach, strength);
    ctx.globalAlpha = strength;
    drawMark(ctx, mark, this.#spot(one), other && this.#spot(other), story.markColours[mark]);
    ctx.globalAlpha = 1;
    return undefined;
  }

  // What a thing reached, in the colour of its team: on the board, rectangles from its place.
  #drawReach(one, reach, strength) {
    const { ctx, scale, story } = this;
    ctx.globalAlpha = strength * REACHED;
    const team = story.kinds[one.kind].facts.indexOf("team");
    ctx.fillStyle = story.teams[one.facts[team] - 1]?.colour ?? story.markColours.reach;
    for (const [dx, dy, width, height] of reach) {
      const [left, top] = this.#at({ x: one.x + dx, y: one.y + dy });
      ctx.fillRect(left, top, width * scale, height * scale);
    }
    ctx.globalAlpha = 1;
  }

  // The middle of a thing on the canvas.
  #spot(look) {
    const { scale } = this;
    const [x, y] = middleOf(look);
    const [left, top] = this.#at({ x, y });
    const around = ((Math.max(look.width ?? look.size, look.height ?? look.size) + AROUND) / 2) * scale;
    const square = Math.max(scale, LEAST_SIGN * devicePixelRatio);
    return { x: left, y: top, square, around: Math.max(around, square / 2) };
  }
}

// What words lie on. Things are kept by the squares they are on, the uppermost last.
class Below {
  constructor(...layers) {
    this.squares = new Map();
    const looks = layers.flat();
    for (const cls of ["tile", "block", "sprite"]) for (const look of looks) if (look.cls === cls) this.#keep(look);
  }

  // The colour there; of a picture none in particular. Undefined: nothing is there.
  groundOf({ x, y }) {
    const on = (this.squares.get(`${Math.floor(x)} ${Math.floor(y)}`) ?? []).findLast((look) => distance(look, x, y) === 0);
    return on && (on.fill || NO_COLOUR);
  }

  #keep(look) {
    const [x, y] = middleOf(look);
    const [width, height] = [look.width ?? look.size, look.height ?? look.size];
    for (let column = Math.floor(x - width / 2); column < x + width / 2; column++) {
      for (let row = Math.floor(y - height / 2); row < y + height / 2; row++) {
        const square = `${column} ${row}`;
        this.squares.has(square) ? this.squares.get(square).push(look) : this.squares.set(square, [look]);
      }
    }
  }
}

function sortedLooks(things) {
  return [...things].sort(([a], [b]) => a - b).map(([id, thing]) => [id, thing.look]);
}

// With an outline if it would be lost on its ground.
function drawLabel(ctx, look, x, y, height, ground) {
  ctx.font = `${height}px ${FONT}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  if (ground !== NO_COLOUR && Math.abs(brightness(look.colour) - brightness(ground)) < FAINT) {
    ctx.strokeStyle = brightness(ground) > 128 ? INK : PAPER;
    ctx.lineWidth = height * 0.16;
    ctx.lineJoin = "round";
    ctx.strokeText(look.text, x, y + height * 0.06);
  }
  ctx.fillStyle = look.colour;
  ctx.fillText(look.text, x, y + height * 0.06);
}

function isRectangle({ cls }) {
  return cls === "tile" || cls === "block";
}

function middleOf(look) {
  return isRectangle(look) ? [look.x + look.width / 2, look.y + look.height / 2] : [look.x, look.y];
}

// From a place to a thing, squares; 0 on it.
function distance(look, x, y) {
  const [width, height] = isRectangle(look) ? [look.width, look.height] : [look.size, look.size];
  if (look.cls === "block" && !outlineOf(look.cells, look.front).has(Math.floor(x - look.x), Math.floor(y - look.y))) {
    return Math.max(BESIDE, distance({ ...look, cls: "tile" }, x, y));
  }
  const [middleX, middleY] = middleOf(look);
  const dx = Math.max(0, Math.abs(x - middleX) - width / 2);
  const dy = Math.max(0, Math.abs(y - middleY) - height / 2);
  return Math.hypot(dx, dy);
}
