// The ways that things took lately, as a line behind them (visualizer/model/timeline.py).

/** @import { Replay } from "./replay.js" */
/** @import { Drawing, Point } from "./types.d.ts" */

export class Trails {
  /** @param {Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.taken = 0;
    /** @type {Map<number, Map<number, Point>>} */
    this.byTurn = new Map();
  }

  /**
   * Return each trail up to the end of a turn, back to where it begins.
   * @param {number} turn
   * @returns {Drawing[]}
   */
  at(turn) {
    this.#take();
    return [...(this.byTurn.get(turn)?.keys() ?? [])].map((team) =>
      ({ form: "path", numbers: this.#points(team, turn).flat(), color: this.replay.teams[team - 1].color }));
  }

  // Take in the points that were not read before: a match that is being played gets more.
  #take() {
    for (const [turn, team, x, y] of this.replay.trails.slice(this.taken)) {
      const points = this.byTurn.get(turn) ?? new Map();
      this.byTurn.set(turn, points.set(team, [x, y]));
    }
    this.taken = this.replay.trails.length;
  }

  /**
   * @param {number} team
   * @param {number} last
   */
  #points(team, last) {
    /** @type {Point[]} */
    const points = [];
    for (let turn = last; ; turn--) {
      const point = this.byTurn.get(turn)?.get(team);
      if (!point) return points;
      points.push(point);
    }
  }
}
