// How things move from one position to another: visualizer/model/motion.py, which says what moves in a step.
import { Cursor } from "./cursor.js";

/** @import { Replay } from "./replay.js" */
/** @import { Appearance, Effect, Motion, Moving, Point, Step, Track } from "./types.d.ts" */

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
    return this.#findMoving(fraction);
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
    const { cursor, replay } = this;
    const steps = end - begin;
    /** @type {Track[]} */
    const tracks = [];
    cursor.seek(begin);
    let landed = 0;
    for (let number = 1; number <= steps; number++) {
      cursor.advance();
      const at = replay.landing(number, steps);
      const first = Math.max(0, Math.min(landed, at - replay.moveLength(steps)));
      const found = cursor.step.motions.flatMap((motion) => this.#follow(motion, cursor.step, first, at));
      if (found.length) landed = at;
      tracks.push(...found);
    }
    return tracks;
  }

  /**
   * @param {Motion} motion
   * @param {Step} step
   * @param {number} begin
   * @param {number} at
   * @returns {Track[]}
   */
  #follow({ effect, id, other, words }, { before }, begin, at) {
    const { cursor: { things }, replay: { motion: { rise, lunge, back } } } = this;
    const [was, otherWas] = [id, other || id].map((each) => before.get(each)?.appearance);
    const [now, otherNow] = [id, other || id].map((each) => things.get(each)?.appearance);
    const [goal, source] = [otherNow ?? otherWas, otherWas ?? otherNow];
    const one = effect === "rise" ? now ?? was : was ?? now;
    if (effect === "rise" && one) {
      const track = this.#track(effect, id, one, one, [at, 1]);
      const [x, y] = track.start;
      return [{ ...track, stop: [x, y - rise], words }];
    }
    if (effect === "grow") return now ? [this.#track(effect, id, now, now, [at, at + back], (was?.size ?? 0) / (now.size ?? 1))] : [];
    if (effect === "come") return now && source ? [this.#track(effect, id, source, now, [at, 1])] : [];
    if (effect !== "lunge") return was && goal ? [this.#track(effect, id, was, goal, [begin, at])] : [];
    if (!one || !source) return [];
    const out = this.#track(effect, id, one, source, [begin, at]);
    const [[x, y], [toX, toY]] = [out.start, out.stop];
    out.stop = [x + (toX - x) * lunge, y + (toY - y) * lunge];
    if (!now) return [out];
    return [out, { ...out, effect: "glide", start: out.stop, stop: thingCenter(now), begin: at, end: at + back }];
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
    const one = effect === "come" ? to : from;
    const team = Number(this.replay.fact(one, "team")) || 0;
    return { effect, id, start: thingCenter(from), stop: thingCenter(to), begin, end, scale, words: "", team };
  }

  /**
   * @param {number} fraction
   * @returns {Moving}
   */
  #findMoving(fraction) {
    const { far, lineOpacity } = this.replay.motion;
    /** @type {Moving} */
    const { places, ways, words } = { places: new Map(), ways: [], words: [] };
    for (const track of this.tracks) {
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
      if (Math.hypot(stop[0] - start[0], stop[1] - start[1]) <= far) continue;
      const faded = end < 1 ? Math.max(0, (fraction - end) / (1 - end)) : share;
      ways.push({ start, stop: at, opacity: lineOpacity * (1 - faded), team });
    }
    return { places, ways, words };
  }
}

/**
 * Return the middle of a thing.
 * @param {Appearance} thing
 * @returns {Point}
 */
export function thingCenter(thing) {
  return thing.cls === "tile" || thing.cls === "block" ? [thing.x + thing.width / 2, thing.y + thing.height / 2] : [thing.x, thing.y];
}
