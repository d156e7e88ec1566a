// How things move from one position to another: visualizer/model/motion.py.
import { Cursor } from "./cursor.js";
import { landing, MOVES, moveLength } from "./pace.js";

/** @import { Replay } from "./replay.js" */
/** @import { Appearance, Effect, Motion, Moving, Point, Step, Track } from "./types.d.ts" */

const FAR = 2.5;
const LINE_OPACITY = 0.6;
const LUNGE = 0.35;
const BACK = 1 - MOVES;  // the time in which it comes back, and in which a thing grows
const RISE = 0.7;
export const MAX_SPEED = 8; // up to it things move; above it their ways are drawn

/** @type {Moving} */
export const AT_REST = { places: new Map(), ways: [], words: [] };

/** The tracks of a stretch of a replay, of one turn as a rule. */
export class Motions {
  /** @type {Track[]} */
  tracks = [];
  stretch = "";

  /** @param {Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.cursor = new Cursor(replay);
  }

  /**
   * Return what moves between two positions, as if they were those of a turn.
   * @param {number} begin
   * @param {number} end
   * @param {number} fraction
   */
  placeBetween(begin, end, fraction) {
    if (begin >= end || fraction <= 0 || fraction >= 1) return AT_REST;
    const stretch = `${begin} ${end}`;
    if (this.stretch !== stretch) [this.stretch, this.tracks] = [stretch, this.#makeTracks(begin, end)];
    return findMoving(this.tracks, fraction);
  }

  /**
   * Return the things at a position of the stretch.
   * @param {number} position
   */
  thingsAt(position) {
    this.cursor.seek(position);
    return this.cursor.things;
  }

  /**
   * @param {number} begin
   * @param {number} end
   */
  #makeTracks(begin, end) {
    const { cursor, replay: { turnsPerS } } = this;
    const steps = end - begin;
    /** @type {Track[]} */
    const tracks = [];
    cursor.seek(begin);
    let landed = 0;
    for (let number = 1; number <= steps; number++) {
      cursor.advance();
      const at = landing(number, steps, turnsPerS);
      const before = tracks.length;
      this.#addTracks(tracks, cursor.step, Math.max(0, Math.min(landed, at - moveLength(steps, turnsPerS))), at);
      if (tracks.length > before) landed = at;
    }
    return tracks;
  }

  /**
   * @param {Track[]} tracks
   * @param {Step} step
   * @param {number} begin
   * @param {number} at
   */
  #addTracks(tracks, { motions, before }, begin, at) {
    /** @param {number} id */
    const was = (id) => before.get(id)?.appearance;
    /** @param {number} id */
    const now = (id) => this.cursor.things.get(id)?.appearance;
    const told = new Set(motions.filter(({ effect }) => effect !== "rise").map(({ id }) => id));
    for (const { effect, other } of motions) if (effect === "glide") told.add(other);
    for (const motion of motions) tracks.push(...this.#follow(motion, was, now, begin, at));
    for (const id of [...before.keys()].sort((a, b) => a - b)) {
      const [from, to] = [was(id), now(id)];
      if (told.has(id) || !to || to.cls === "tile") continue;
      if (!from) {
        if (to.cls === "sprite") tracks.push(this.#track("grow", id, to, to, [at, at + BACK], 0));
      } else if (isMoved(from, to)) {
        tracks.push(this.#track("glide", id, from, to, [begin, at]));
      } else if (from.cls === "sprite" && to.cls === "sprite" && hasGrown(from, to)) {
        tracks.push(this.#track("grow", id, to, to, [at, at + BACK], from.size / to.size));
      }
    }
  }

  /**
   * @param {Motion} motion
   * @param {(id: number) => Appearance | undefined} was
   * @param {(id: number) => Appearance | undefined} now
   * @param {number} begin
   * @param {number} at
   * @returns {Track[]}
   */
  #follow({ effect, id, other, words }, was, now, begin, at) {
    const [from, to] = [was(id), now(id)];
    const goal = now(other) ?? was(other);
    const source = was(other) ?? now(other);
    if (effect === "rise") {
      const one = to ?? from;
      if (!one) return [];
      const track = this.#track(effect, id, one, one, [at, 1]);
      const [x, y] = track.start;
      return [{ ...track, stop: [x, y - RISE], words }];
    }
    if (effect === "come") return to && source ? [this.#track(effect, id, source, to, [at, 1])] : [];
    if (effect !== "lunge") return from && goal ? [this.#track(effect, id, from, goal, [begin, at])] : [];
    const one = from ?? to;
    if (!one || !source) return [];
    const out = this.#track(effect, id, one, source, [begin, at]);
    const [[x, y], [toX, toY]] = [out.start, out.stop];
    out.stop = [x + (toX - x) * LUNGE, y + (toY - y) * LUNGE];
    if (!to) return [out];
    return [out, { ...out, effect: "glide", start: out.stop, stop: thingCenter(to), begin: at, end: at + BACK }];
  }

  /**
   * @param {Effect} effect
   * @param {number} id
   * @param {Appearance} from
   * @param {Appearance} to
   * @param {[begin: number, end: number]} times
   * @returns {Track}
   */
  #track(effect, id, from, to, [begin, end], scale = 1) {
    const one = effect === "come" || effect === "grow" ? to : from;
    const team = Number(one.facts[this.replay.kinds[one.kind].facts.indexOf("team")]) || 0;
    return { effect, id, start: thingCenter(from), stop: thingCenter(to), begin, end, scale, words: "", team };
  }
}

/**
 * @param {Track[]} tracks
 * @param {number} fraction
 * @returns {Moving}
 */
function findMoving(tracks, fraction) {
  /** @type {Moving} */
  const { places, ways, words } = { places: new Map(), ways: [], words: [] };
  for (const track of tracks) {
    const { effect, id, start, stop, begin, end, team } = track;
    if (fraction < begin) continue;
    const done = Math.min((fraction - begin) / (end - begin), 1);
    const share = effect === "lunge" ? done * done : 1 - (1 - done) ** 2;
    /** @type {Point} */
    const at = [start[0] + (stop[0] - start[0]) * share, start[1] + (stop[1] - start[1]) * share];
    if (effect === "rise") {
      words.push({ at, text: track.words, opacity: 1 - share * share });
      continue;
    }
    if (fraction < end) {
      const underWay = effect === "grow" ? places.get(id) : undefined;
      const [x, y] = underWay ? [underWay.x, underWay.y] : at;
      places.set(id, { x, y, scale: track.scale + (1 - track.scale) * share });
    }
    if (Math.hypot(stop[0] - start[0], stop[1] - start[1]) <= FAR) continue;
    const faded = end < 1 ? Math.max(0, (fraction - end) / (1 - end)) : share;
    ways.push({ start, stop: at, opacity: LINE_OPACITY * (1 - faded), team });
  }
  return { places, ways, words };
}

/**
 * @param {Appearance} was
 * @param {Appearance} now
 */
function isMoved(was, now) {
  const isElsewhere = was.cls === now.cls && (was.x !== now.x || was.y !== now.y);
  if (was.cls !== "block" || now.cls !== "block") return isElsewhere;
  const sides = [was, now].map(({ width, height }) => [width, height].sort((a, b) => a - b).join());
  return isElsewhere && sides[0] === sides[1];
}

/**
 * @param {{ size: number, image: string }} was
 * @param {{ size: number, image: string }} now
 */
function hasGrown(was, now) {
  return was.size !== now.size && was.image.split(":")[0] === now.image.split(":")[0];
}

/**
 * Return the middle of a thing.
 * @param {Appearance} thing
 * @returns {Point}
 */
export function thingCenter(thing) {
  return thing.cls === "tile" || thing.cls === "block" ? [thing.x + thing.width / 2, thing.y + thing.height / 2] : [thing.x, thing.y];
}
