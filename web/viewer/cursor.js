// A place in the replay: the things there are, and the step that led to it (visualizer/model/cursor.py).

/** @import { Replay } from "./replay.js" */
/** @import { Columns, Effect, Keyframe, Lane, Ordered, Step, Things } from "./types.d.ts" */

const KEYFRAME_CHANGES = 2000;  // what a jump goes through at most: a millisecond or two
const COLUMNS = [
  "stage", "told", "orders", "orderTeam", "pieceId", "order", "annotations", "eventStyle", "one", "other", "words",
  "attackLanes", "motions", "effect", "mover", "goal", "changes", "thing", "newId",
];

export class Cursor {
  /** @type {number | undefined} */
  framed;

  /** @param {Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.decoder = replay.things;
    /** @type {Columns} */
    this.columns = Object.fromEntries(COLUMNS.map((name) => [name, replay.columns[name].fresh()]));
    this.columns.code = this.decoder.codes.fresh();
    this.position = 0;
    /** @type {Things} */
    this.things = new Map();
    /** @type {number[]} */
    this.lastAsked = [];  // by team: the piece that was asked about last
    this.newest = 0;
    /** @type {Step} */
    this.step = { turn: 0, stage: "", told: "", ordered: [], annotations: [], motions: [], before: new Map() };
    this.#change([0], new Map());
    if (!replay.keyframes.length) replay.keyframes = this.keyframes(KEYFRAME_CHANGES);
  }

  /**
   * Go to a position, from here or from the last keyframe before it, whichever is nearer.
   * @param {number} position
   */
  seek(position) {
    if (position === this.position) return;
    const frame = this.#keyframeBefore(position);
    const isAhead = position > this.position && frame.position <= this.position;
    if (!isAhead) this.#restore(frame);
    while (this.position < position) this.advance();
  }

  advance() {
    const { stage, orders, annotations, eventStyle, one, other, words, attackLanes } = this.columns;
    const { told, motions, effect, mover, goal } = this.columns;
    const text = /** @type {string[]} */ (this.replay.words);
    const lanes = /** @type {Lane[][]} */ (this.replay.words);
    const named = [0];
    const known = new Set(named);
    const ordered = this.#list(orders.next(), () => this.#readOrder(named, known));
    const noted = this.#list(annotations.next(), () => ({
      eventStyle: text[eventStyle.next()],
      one: this.#readId(one.next(), named),
      other: this.#readId(other.next(), named),
      words: text[words.next()],
      attackLanes: lanes[attackLanes.next()],
    }));
    const moved = this.#list(motions.next(), () => {
      const [kind, rising] = /** @type {[Effect, string]} */ (this.replay.words[effect.next()]);
      return { effect: kind, id: this.#readId(mover.next(), named), other: this.#readId(goal.next(), named), words: rising };
    });
    const before = new Map();
    this.#change(named, before);
    const turn = this.replay.turns[this.position];
    this.step = { turn, stage: text[stage.next()], told: text[told.next()], ordered, annotations: noted, motions: moved, before };
    this.position += 1;
  }

  /**
   * @template T
   * @param {number} count
   * @param {() => T} read
   */
  #list(count, read) {
    /** @type {T[]} */
    const list = [];
    for (let i = 0; i < count; i++) list.push(read());
    return list;
  }

  /**
   * @param {number[]} named
   * @param {Set<number>} known
   * @returns {Ordered}
   */
  #readOrder(named, known) {
    const { orderTeam, pieceId, order } = this.columns;
    const team = orderTeam.next();
    const id = (this.lastAsked[team] ?? 0) + pieceId.next();
    this.lastAsked[team] = id;
    if (!known.has(id)) named.push(id);
    known.add(id);
    const text = /** @type {string[]} */ (this.replay.words);
    return { team, pieceId: id, order: text[order.next()] };
  }

  /**
   * @param {number} place
   * @param {number[]} named
   */
  #readId(place, named) {
    if (place === named.length) {
      this.newest += this.columns.newId.next();
      named.push(this.newest);
    }
    return named[place];
  }

  /**
   * @param {number[]} named
   * @param {Step["before"]} before
   */
  #change(named, before) {
    const { changes, thing, code } = this.columns;
    for (let count = changes.next(); count > 0; count--) {
      const id = this.#readId(thing.next(), named);
      const old = this.things.get(id) ?? null;
      const now = this.decoder.applyDelta(old, code.next());
      before.set(id, old);
      if (now) this.things.set(id, now);
      else this.things.delete(id);
    }
  }

  /**
   * Return keyframes from the start on, one after so many changes.
   * @param {number} changes
   */
  keyframes(changes) {
    this.seek(0);
    const frames = [this.#keyframe()];
    this.scout(frames, changes);
    this.#restore(frames[0]);
    return frames;
  }

  /**
   * Go to the end, and add keyframes on the way.
   * @param {Keyframe[]} frames
   */
  scout(frames, changes = KEYFRAME_CHANGES) {
    const { code } = this.columns;
    this.framed ??= code.at;
    while (this.position < this.replay.steps) {
      this.advance();
      if (code.at - this.framed >= Math.max(changes, this.things.size)) {
        frames.push(this.#keyframe());
        this.framed = code.at;
      }
    }
  }

  /** @returns {Keyframe} */
  #keyframe() {
    const { position, newest, step } = this;
    const at = Object.values(this.columns).map((column) => column.at);
    return { position, newest, step, at, lastAsked: [...this.lastAsked], things: new Map(this.things) };
  }

  /** @param {Keyframe} frame */
  #restore(frame) {
    Object.assign(this, frame, { lastAsked: [...frame.lastAsked], things: new Map(frame.things) });
    Object.values(this.columns).forEach((column, i) => (column.at = frame.at[i]));
  }

  /** @param {number} position */
  #keyframeBefore(position) {
    const frames = this.replay.keyframes;
    let [low, high] = [0, frames.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (frames[middle].position <= position) low = middle;
      else high = middle - 1;
    }
    return frames[low];
  }
}
