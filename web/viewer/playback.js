// Play, pause, step, seek and speed: visualizer/model/playback.py for one replay.

import { TINY } from "./replay.js";

/** @import { Replay } from "./replay.js" */
/** @import { QuietStretch } from "./types.d.ts" */

const REST_S = 4;  // at the end, before a match that is shown again and again begins anew

// `time` counts turns: t is the end of turn t, t - 1 its beginning.
export class Playback {
  /** @param {Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.time = 0;
    this.isPlaying = false;
    this.isLooping = false;
    this.isStep = false;  // whether it was sent one step or turn on, which is seen as it happens
    this.restedS = 0;
    this.speeds = [...replay.speeds, Infinity];  // the last one: as fast as possible
    this.speedNumber = this.speeds.indexOf(1);
    this.isSecret = false;  // whether nothing may be told of what comes
    /** @type {Set<QuietStretch>} */
    this.unfolded = new Set();
  }

  get speed() {
    return this.speeds[this.speedNumber];
  }

  // Return the speed at which the playhead moves now.
  get pace() {
    return this.speed * (this.quietNow ? this.replay.quietSpeed : 1);
  }

  get quiet() {
    return this.isSecret ? [] : this.replay.quiet;
  }

  get #folded() {
    return this.quiet.filter((stretch) => !this.unfolded.has(stretch));
  }

  // Return the folded stretch that the playhead is in.
  get quietNow() {
    return this.#folded.find(([first, last]) => first - 1 <= this.time && this.time < last);
  }

  /**
   * Unfold a quiet stretch or fold it again; without one, all of them.
   * @param {QuietStretch} [stretch]
   */
  toggleFold(stretch) {
    if (!stretch) this.unfolded = new Set(this.unfolded.size ? [] : this.quiet);
    else if (!this.unfolded.delete(stretch)) this.unfolded.add(stretch);
  }

  /**
   * Return how many turns it takes to play up to a time.
   * @param {number} time
   */
  fold(time) {
    const spare = 1 - 1 / this.replay.quietSpeed;
    return this.#folded.reduce((folded, [first, last]) =>
      folded - spare * Math.min(Math.max(time - first + 1, 0), last - first + 1), time);
  }

  /**
   * Return the time up to which it takes so many turns to play.
   * @param {number} folded
   */
  unfold(folded) {
    const { quietSpeed } = this.replay;
    return this.#folded.reduce((time, [first, last]) =>
      time + Math.max(0, Math.min((time - first + 1) * (quietSpeed - 1), (last - first + 1) * (1 - 1 / quietSpeed))), folded);
  }

  get end() {
    return this.replay.lastTurn;
  }

  get isAtEnd() {
    return this.time >= this.end;
  }

  // Return whether the playhead moves; at the end of a match that is being played it waits.
  get isMoving() {
    return this.isPlaying && (!this.isAtEnd || this.isResting);
  }

  get isResting() {
    return this.isLooping && this.isAtEnd && !this.replay.isGrowing;
  }

  // Return the last turn that has ended.
  get turnOver() {
    return Math.floor(this.time + TINY);
  }

  position() {
    return this.replay.positionAt(this.time);
  }

  /** @param {number} seconds */
  advance(seconds) {
    if (!this.isPlaying) return;
    this.restedS = this.isResting ? this.restedS + seconds : 0;
    if (this.isResting && this.restedS < REST_S) return;
    if (this.isResting) this.time = 0;
    const turns = seconds * this.replay.turnsPerS * this.speed;
    const time = this.speed === Infinity ? this.time + this.replay.maxTurnsPerCall : this.unfold(this.fold(this.time) + turns);
    this.time = Math.min(Math.max(this.time, time), this.end);
    if (this.isAtEnd && !this.replay.isGrowing && !this.isLooping) this.isPlaying = false;
  }

  // Play or pause; at the end, play from the start.
  playOrPause() {
    if (!this.isPlaying && this.isAtEnd && !this.replay.isGrowing) this.time = 0;
    this.isPlaying = !this.isPlaying;
  }

  pause() {
    this.isPlaying = false;
  }

  /** @param {number} turn */
  seekTurn(turn) {
    this.time = Math.min(Math.max(0, turn), this.end);
  }

  /** @param {number} steps */
  step(steps) {
    this.pause();
    const position = Math.min(Math.max(0, this.position() + steps), this.replay.steps);
    this.time = this.replay.timeAt(position);
    this.isStep = true;
  }

  /**
   * Go to the end of the next turn, or of the one before.
   * @param {number} turns
   */
  stepTurns(turns) {
    this.pause();
    const whole = this.turnOver;
    const back = this.time - whole > TINY ? whole : whole - 1;
    this.seekTurn(turns > 0 ? whole + turns : back + turns + 1);
    this.isStep = true;
  }

  faster() {
    this.speedNumber = Math.min(this.speedNumber + 1, this.speeds.length - 1);
  }

  slower() {
    this.speedNumber = Math.max(this.speedNumber - 1, 0);
  }

  fastestOrNormal() {
    this.speedNumber = this.speed === Infinity ? this.speeds.indexOf(1) : this.speeds.length - 1;
  }

  restart() {
    this.time = 0;
    this.isPlaying = true;
  }

  /**
   * Go to the next key moment, start and end too (-1: back), or to the next event of the kinds that were chosen.
   * @param {number} direction
   * @param {Set<string> | null} chosen
   */
  nextMark(direction, chosen) {
    const { replay } = this;
    const moments = chosen ? null : replay.ending?.moments;
    const places = moments ? [0, ...moments.map((turn) => replay.turnEnd(turn)), replay.steps] : replay.marks.filter((mark) => !chosen || chosen.has(mark.what)).map(({ at }) => at);
    const here = this.position();
    const at = direction > 0 ? places.find((at) => at > here) : places.findLast((at) => at < here);
    if (at === undefined) return;
    this.pause();
    this.time = replay.timeAt(at);
  }
}
