// All that is known of the match, as visualizer/backends/page/__init__.py wrote it.
import { splitColumns } from "./columns.js";

/**
 * @import {
 *   Appearance, Bar, BarredWhat, Block, Columns, Fact, FileFacts, Keyframe, Label, Outline, PackedShape, PanelWhat, PlainWhat,
 *   QuietStretch, ReplayFacts, Sprite, Standing, Tile, What, Word,
 * } from "./types.d.ts"
 */

const THOUSANDTHS = 1000;
const GONE = 0;
export const TINY = 1e-6;  // what makes up for rounding: the time of a position must lead back to it

/**
 * What the numbers of a thing mean. They are decoded when they are read first: most never are.
 * @template {What | PanelWhat} W
 */
class Shape {
  /**
   * @param {PackedShape<W>} shape
   * @param {Word[]} words
   */
  constructor(shape, words) {
    this.what = shape.what;
    this.isWord = shape.words;
    this.units = shape.units;
    this.words = words;
  }

  /** @param {number[]} numbers */
  values(numbers) {
    return numbers.map((number, i) =>
      this.isWord[i] ? this.words[number * this.units[i]] : (number * this.units[i]) / THOUSANDTHS,
    );
  }
}

/**
 * A thing at a moment. It is immutable: a change makes another one.
 * @template {What | PanelWhat} W
 */
export class Thing {
  /** @type {Appearance | undefined} */
  decoded;

  /**
   * @param {Shape<W>} shape
   * @param {number[]} numbers
   */
  constructor(shape, numbers) {
    this.shape = shape;
    this.numbers = numbers;
  }

  // As named fields, like those of visualizer/scene.py.
  get appearance() {
    if (this.decoded) return this.decoded;
    const what = /** @type {What} */ (this.shape.what);
    const decode = /** @type {(what: What, values: Word[]) => Appearance} */ (APPEARANCES[what[0]]);
    return (this.decoded = decode(what, this.shape.values(this.numbers)));
  }
}

/**
 * @type {{
 *   sprite: (what: BarredWhat, values: [number, number, number, string, string, ...Fact[]]) => Sprite,
 *   tile: (what: PlainWhat, values: [number, number, number, number, string, string, ...Fact[]]) => Tile,
 *   block: (what: BarredWhat, values: [number, number, number, number, Outline, string, string, ...Fact[]]) => Block,
 *   label: (what: PlainWhat, values: [number, number, number, string, string, ...Fact[]]) => Label,
 * }}
 */
const APPEARANCES = {
  sprite: ([, kind, bars], [x, y, size, image, badge, ...rest]) =>
    ({ cls: "sprite", kind, x, y, size, image, badge, bar: makeBar(bars, rest), facts: rest.slice(bars) }),
  tile: ([, kind], [x, y, width, height, fill, border, ...facts]) =>
    ({ cls: "tile", kind, x, y, width, height, fill, border, facts }),
  block: ([, kind, bars], [x, y, width, height, outline, fill, border, ...rest]) => {
    const bar = makeBar(bars, rest);
    return { cls: "block", kind, x, y, width, height, outline, fill, border, bar, facts: rest.slice(bars) };
  },
  label: ([, kind], [x, y, size, text, color, ...facts]) =>
    ({ cls: "label", kind, x, y, size, text, color, facts }),
};

/** @type {(bars: number, rest: Fact[]) => Bar | null} */
const makeBar = (bars, rest) => /** @type {Bar | null} */ (bars ? rest.slice(0, 2) : null);

/**
 * The changes of visualizer/backends/page/delta_encoding.py.
 * @template {What | PanelWhat} W
 */
export class DeltaDecoder {
  /**
   * @param {string} name
   * @param {PackedShape<W>[]} packed
   * @param {Columns} columns
   * @param {Word[]} words
   */
  constructor(name, packed, columns, words) {
    this.name = name;
    this.packed = packed;
    this.columns = columns;
    this.words = words;
    this.codes = columns[`${name} code`];
    /** @type {Shape<W>[]} */
    this.shapes = [];
    /** @type {{ shape: Shape<W>, slots: number[] }[]} */
    this.deltas = [];
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

  /**
   * Return what a thing becomes by a change; null if it is removed.
   * @param {Thing<W> | null | undefined} thing
   * @param {number} code
   */
  applyDelta(thing, code) {
    if (code === GONE) return null;
    const { shape, slots } = this.deltas[code - 1];
    if (thing?.shape !== shape) return new Thing(shape, slots);
    return new Thing(shape, thing.numbers.map((number, i) => number + slots[i]));
  }
}

export class Replay {
  /** @type {Keyframe[]} */
  keyframes = [];
  /** @type {QuietStretch[]} */
  quiet = [];
  quietSpeed = 1;
  steps = 0;
  lastTurn = 0;

  /**
   * @param {ReplayFacts} facts
   * @param {Columns} columns
   */
  constructor(facts, columns) {
    Object.assign(this, facts);
    this.columns = columns;
    /** @type {number[]} */
    this.turns = [];
    this.ends = [0];
    /** @type {Map<number, Standing>[]} */
    this.standings = [];
    /** @type {{ at: number, what: string }[]} */
    this.marks = [];
    /** @type {string[]} */
    this.captions = [];  // of each turn that has ended
    this.things = new DeltaDecoder("thing", this.shapes.thing, columns, this.words);
    this.teamDeltas = new DeltaDecoder("team", this.shapes.team, columns, this.words);
    /** @type {Map<number, Thing<PanelWhat>>} */
    this.newest = new Map();  // the standings taken in last
    this.take();
    const backdrop = new DeltaDecoder("backdrop", this.shapes.backdrop, columns, this.words);
    /** @type {Thing<What> | null} */
    let below = null;
    this.backdrop = backdrop.codes.rest().flatMap((code) => {
      below = backdrop.applyDelta(below, code);
      return below ? [below.appearance] : [];
    });
  }

  // Take in what the columns have that was not read before.
  take() {
    this.things.take();
    this.teamDeltas.take();
    let turn = this.turns.at(-1) ?? 0;
    for (const difference of this.columns.turn.rest()) this.#addStep((turn += difference));
    this.steps = this.turns.length;
    this.lastTurn = turn;
    this.#addStandings();
    let at = this.marks.at(-1)?.at ?? 0;
    const texts = /** @type {string[]} */ (this.words);
    const places = this.columns.markAt.rest();
    for (const word of this.columns.caption.rest()) this.captions.push(texts[word]);
    this.columns.mark.rest().forEach((word, i) => this.marks.push({ at: (at += places[i]), what: texts[word] }));
  }

  /**
   * Return a fact of a thing by its name, if its kind has it.
   * @param {Appearance} thing
   * @param {string} name
   */
  fact(thing, name) {
    return thing.facts[this.kinds[thing.kind].facts.indexOf(name)];
  }

  /** @param {number} position */
  turnAt(position) {
    return position ? this.turns[position - 1] : 0;
  }

  /**
   * The position before the first step of a turn, and after the last one.
   * @param {number} turn
   */
  turnStart(turn) {
    return turn > 0 ? this.ends[Math.min(turn - 1, this.lastTurn)] : 0;
  }

  /** @param {number} turn */
  turnEnd(turn) {
    return this.ends[Math.min(turn, this.lastTurn)];
  }

  /**
   * Return the time of a position in turns; a turn whose steps are over is over.
   * @param {number} position
   */
  timeAt(position) {
    if (!position) return 0;
    const turn = this.turnAt(position);
    const [begin, end] = [this.turnStart(turn), this.turnEnd(turn)];
    return position === end ? turn : turn - 1 + this.landing(position - begin, end - begin);
  }

  /**
   * Return the position at a time: after the steps that have been played by then.
   * @param {number} time
   */
  positionAt(time) {
    const turn = Math.ceil(time);
    const [begin, end] = [this.turnStart(turn), this.turnEnd(turn)];
    return begin + this.countLanded(time - (turn - 1), end - begin);
  }

  /**
   * Return in what part of a turn a step moves, when the turn has so many of them.
   * @param {number} steps
   */
  moveLength(steps) {
    const { moves, minMoveS } = this.motion;
    return Math.min(moves, Math.max(moves / steps, minMoveS * this.turnsPerS));
  }

  /**
   * Return the fraction of a turn at which a step lands, counted from 1.
   * @param {number} number
   * @param {number} steps
   */
  landing(number, steps) {
    const first = this.moveLength(steps);
    return first + ((this.motion.moves - first) * (number - 1)) / Math.max(1, steps - 1);
  }

  /**
   * @param {number} fraction
   * @param {number} steps
   */
  countLanded(fraction, steps) {
    const { moves } = this.motion;
    if (!steps || fraction >= moves - TINY) return steps;
    const first = this.moveLength(steps);
    const since = fraction - first + TINY;
    return since < 0 ? 0 : 1 + Math.floor((since / (moves - first)) * (steps - 1));
  }

  /**
   * The score, the panel and the costs of a team at the end of a turn, or now if it has not ended.
   * @param {number} team
   * @param {number} turn
   * @returns {Standing}
   */
  standing(team, turn) {
    if (turn >= this.standings.length && this.standingNow) return this.standingNow[team - 1];
    return /** @type {Standing} */ (this.standings[Math.min(turn, this.standings.length - 1)].get(team));
  }

  /** @param {number} turn */
  #addStep(turn) {
    this.turns.push(turn);
    while (this.ends.length <= turn) this.ends.push(this.ends[this.ends.length - 1]);
    this.ends[turn] += 1;
  }

  #addStandings() {
    const { teamDeltas, newest, columns } = this;
    for (const changed of columns.standings.rest()) {
      for (let i = 0; i < changed; i++) {
        const number = columns.team.next();
        const standing = teamDeltas.applyDelta(newest.get(number), teamDeltas.codes.next());
        if (standing) newest.set(number, standing);
      }
      this.standings.push(new Map([...newest].map(([number, thing]) => [number, makeStanding(thing)])));
    }
  }
}

/**
 * @param {Thing<PanelWhat>} thing
 * @returns {Standing}
 */
function makeStanding(thing) {
  const [score, forfeited, cpu, ...rest] = /** @type {[number, number, number, ...Fact[]]} */ (thing.shape.values(thing.numbers));
  const panel = thing.shape.what.map(([name, columns]) =>
    ({
      name,
      value:
        /** @type {Fact | number[]} */
        (columns ? rest.splice(0, columns) : rest.shift()),
    }),
  );
  return { score, forfeited, cpuMs: cpu / 10, panel };
}

/**
 * Decodes the bytes of the page into a replay and its pictures.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function read(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  /** @type {FileFacts} */
  const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const columns = splitColumns(bytes.subarray(4 + length), facts.columns);
  let start = bytes.length - facts.images.sizes.reduce((sum, size) => sum + size, 0);
  const files = facts.images.sizes.map((size) => bytes.subarray(start, (start += size)));
  const images = await Promise.all(
    files.map((file) => createImageBitmap(new Blob([file], { type: "image/png" }))),
  );
  return { replay: new Replay(facts, columns), images };
}
