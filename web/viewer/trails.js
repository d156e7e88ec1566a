// The ways that things took lately, as a line behind them (visualizer/model/trails.py).

export class Trails {
  constructor(replay) {
    this.replay = replay;
    [this.taken, this.byTurn] = [0, new Map()];
  }

  // Return each trail up to the end of a turn, back to where it begins.
  at(turn) {
    this.#take();
    return [...(this.byTurn.get(turn)?.keys() ?? [])].map((team) =>
      ({ form: "path", numbers: this.#points(team, turn).flat(), color: this.replay.teams[team - 1].color }));
  }

  // Take in the points that were not read before: a match that is being played gets more.
  #take() {
    for (const [turn, team, x, y] of this.replay.trails.slice(this.taken)) {
      if (!this.byTurn.has(turn)) this.byTurn.set(turn, new Map());
      this.byTurn.get(turn).set(team, [x, y]);
    }
    this.taken = this.replay.trails.length;
  }

  #points(team, last) {
    const points = [];
    for (let turn = last; this.byTurn.get(turn)?.has(team); turn--) points.push(this.byTurn.get(turn).get(team));
    return points;
  }
}
