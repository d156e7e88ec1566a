// All that is known of the match, as visualizer/backends/page/__init__.py wrote it.
import { columnsOf } from "./columns.js";

const THOUSANDTHS = 1000;
const GONE = 0;

// What the numbers of a thing mean. They are decoded when they are read first: most never are.
class Shape {
  constructor(shape, words) {
    [this.what, this.isWord, this.units] = [shape.what, shape.words, shape.units];
    this.words = words;
  }

  values(numbers) {
    return numbers.map((number, i) =>
      this.isWord[i] ? this.words[number * this.units[i]] : (number * this.units[i]) / THOUSANDTHS,
    );
  }
}

// A thing at a moment. It is immutable: a change makes another one.
class Thing {
  constructor(shape, numbers) {
    this.shape = shape;
    this.numbers = numbers;
  }

  // As named fields, like those of visualizer/scene.py.
  get appearance() {
    this.decoded ??= APPEARANCES[this.shape.what[0]](this.shape.what, this.shape.values(this.numbers));
    return this.decoded;
  }
}

const APPEARANCES = {
  sprite: ([cls, kind, bars], [x, y, size, image, badge, ...rest]) => {
    const bar = bars ? rest.slice(0, 2) : null;
    return { cls, kind, x, y, size, image, badge, bar, facts: rest.slice(bars) };
  },
  tile: ([cls, kind], [x, y, width, height, fill, border, ...facts]) =>
    ({ cls, kind, x, y, width, height, fill, border, facts }),
  block: ([cls, kind, bars], [x, y, width, height, cells, fill, border, front, ...rest]) => {
    const bar = bars ? rest.slice(0, 2) : null;
    return { cls, kind, x, y, width, height, cells, fill, border, front, bar, facts: rest.slice(bars) };
  },
  label: ([cls, kind], [x, y, size, text, color, ...facts]) =>
    ({ cls, kind, x, y, size, text, color, facts }),
};

// The changes of visualizer/backends/page/delta_encoding.py.
export class DeltaDecoder {
  constructor(name, packed, columns, words) {
    Object.assign(this, { name, packed, columns, words });
    this.codes = columns[`${name} code`];
    [this.shapes, this.deltas] = [[], []];
    this.take();
  }

  // Take in shapes and differences that were not read before.
  take() {
    const { name, columns } = this;
    while (this.shapes.length < this.packed.length) {
      this.shapes.push(new Shape(this.packed[this.shapes.length], this.words));
    }
    for (const number of columns[`${name} shape`].rest()) {
      const shape = this.shapes[number];
      const slots = shape.units.map((_, place) => columns[`${name} ${number} ${place}`].next());
      this.deltas.push({ shape, slots });
    }
  }

  // Return what a thing becomes by a change; null if it is removed.
  changed(thing, code) {
    if (code === GONE) return null;
    const { shape, slots } = this.deltas[code - 1];
    if (thing?.shape !== shape) return new Thing(shape, slots);
    return new Thing(shape, thing.numbers.map((number, i) => number + slots[i]));
  }
}

export class Replay {
  constructor(facts, columns) {
    Object.assign(this, facts);
    this.columns = columns;
    [this.turns, this.ends, this.standings, this.marks] = [[], [0], [], []];
    this.things = new DeltaDecoder("thing", this.shapes.thing, columns, this.words);
    this.teamDeltas = new DeltaDecoder("team", this.shapes.team, columns, this.words);
    this.newest = new Map();  // the standings taken in last
    this.take();
    const backdrop = new DeltaDecoder("backdrop", this.shapes.backdrop, columns, this.words);
    let below = null;
    this.backdrop = backdrop.codes.rest().map((code) => (below = backdrop.changed(below, code)).appearance);
  }

  // Take in what the columns have that was not read before.
  take() {
    this.things.take();
    this.teamDeltas.take();
    let turn = this.turns.at(-1) ?? 0;
    for (const difference of this.columns.turn.rest()) this.#addStep((turn += difference));
    [this.steps, this.lastTurn] = [this.turns.length, turn];
    this.#addStandings();
    let at = this.marks.at(-1)?.at ?? 0;
    const places = this.columns.markAt.rest();
    this.columns.mark.rest().forEach((word, i) => this.marks.push({ at: (at += places[i]), what: this.words[word] }));
  }

  turnAt(position) {
    return position ? this.turns[position - 1] : 0;
  }

  // The position before the first step of a turn, and after the last one.
  beginOf(turn) {
    return turn > 0 ? this.ends[Math.min(turn - 1, this.lastTurn)] : 0;
  }

  endOf(turn) {
    return this.ends[Math.min(turn, this.lastTurn)];
  }

  // Return the time of a position in turns; the steps of a turn lie evenly before its end.
  timeAt(position) {
    if (!position) return 0;
    const turn = this.turnAt(position);
    const begin = this.beginOf(turn);
    return turn - 1 + (position - begin) / (this.endOf(turn) - begin);
  }

  // The score, the panel and the costs of a team at the end of a turn, or now if it has not ended.
  standing(team, turn) {
    if (turn >= this.standings.length && this.standingNow) return this.standingNow[team - 1];
    return this.standings[Math.min(turn, this.standings.length - 1)].get(team);
  }

  #addStep(turn) {
    this.turns.push(turn);
    while (this.ends.length <= turn) this.ends.push(this.ends.at(-1));
    this.ends[turn] += 1;
  }

  #addStandings() {
    const { teamDeltas, newest, columns } = this;
    for (const changed of columns.standings.rest()) {
      for (let i = 0; i < changed; i++) {
        const number = columns.team.next();
        newest.set(number, teamDeltas.changed(newest.get(number), teamDeltas.codes.next()));
      }
      this.standings.push(new Map([...newest].map(([number, thing]) => [number, standingOf(thing)])));
    }
  }
}

function standingOf(thing) {
  const [score, forfeited, cpu, ...rest] = thing.shape.values(thing.numbers);
  const panel = thing.shape.what.map(([name, columns]) =>
    ({ name, value: columns ? rest.splice(0, columns) : rest.shift() }),
  );
  return { score, forfeited, cpuMs: cpu / 10, panel };
}

// Decodes the bytes of the page into a replay and its pictures.
export async function read(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const columns = columnsOf(bytes.subarray(4 + length), facts.columns);
  let start = bytes.length - facts.images.sizes.reduce((sum, size) => sum + size, 0);
  const files = facts.images.sizes.map((size) => bytes.subarray(start, (start += size)));
  const images = await Promise.all(
    files.map((file) => createImageBitmap(new Blob([file], { type: "image/png" }))),
  );
  return { replay: new Replay(facts, columns), images };
}
