// A place in the story: the things there are, and the step that led to it.

const KEYFRAME_CHANGES = 2000;  // what a jump goes through at most: a millisecond or two
const COLUMNS = [
  "stage", "asked", "by", "about", "order", "told", "happening", "one", "other", "words", "reach", "changed",
  "thing", "new",
];

export class Reel {
  constructor(story) {
    this.story = story;
    this.track = story.things;
    this.columns = Object.fromEntries(COLUMNS.map((name) => [name, story.columns[name].fresh()]));
    this.columns.code = this.track.codes.fresh();
    this.position = 0;
    this.things = new Map();
    this.asked = [];
    this.newest = 0;
    this.step = { turn: 0, stage: "", ordered: [], notes: [], before: new Map() };
    this.#change([0], new Map());
    story.keyframes ??= this.keyframes(KEYFRAME_CHANGES);
  }

  // Go there: on from here, or from the keyframe before it, whichever is nearer.
  seek(position) {
    if (position === this.position) return;
    const frame = this.#keyframeBefore(position);
    const isAhead = position > this.position && frame.position <= this.position;
    if (!isAhead) this.#restore(frame);
    while (this.position < position) this.advance();
  }

  advance() {
    const { stage, asked, told, happening, one, other, words, reach } = this.columns;
    const text = this.story.words;
    const named = [0];
    const known = new Set(named);
    const step = { turn: this.story.turns[this.position], stage: text[stage.next()] };
    step.ordered = this.#list(asked.next(), () => this.#ordered(named, known));
    step.notes = this.#list(told.next(), () => ({
      happening: text[happening.next()],
      one: this.#named(one.next(), named),
      other: this.#named(other.next(), named),
      words: text[words.next()],
      reach: text[reach.next()],
    }));
    step.before = new Map();
    this.#change(named, step.before);
    this.step = step;
    this.position += 1;
  }

  #list(count, read) {
    const list = [];
    for (let i = 0; i < count; i++) list.push(read());
    return list;
  }

  #ordered(named, known) {
    const { by, about, order } = this.columns;
    const team = by.next();
    const id = (this.asked[team] ?? 0) + about.next();
    this.asked[team] = id;
    if (!known.has(id)) named.push(id);
    known.add(id);
    return { team, about: id, order: this.story.words[order.next()] };
  }

  #named(place, named) {
    if (place === named.length) {
      this.newest += this.columns.new.next();
      named.push(this.newest);
    }
    return named[place];
  }

  #change(named, before) {
    const { changed, thing, code } = this.columns;
    for (let count = changed.next(); count > 0; count--) {
      const id = this.#named(thing.next(), named);
      const old = this.things.get(id) ?? null;
      const now = this.track.changed(old, code.next());
      before.set(id, old);
      if (now) this.things.set(id, now);
      else this.things.delete(id);
    }
  }

  // From the beginning, one after so many changes.
  keyframes(changes) {
    this.seek(0);
    const frames = [this.#keyframe()];
    const { code } = this.columns;
    let read = code.at;
    while (this.position < this.story.steps) {
      this.advance();
      if (code.at - read >= Math.max(changes, this.things.size)) {
        frames.push(this.#keyframe());
        read = code.at;
      }
    }
    this.#restore(frames[0]);
    return frames;
  }

  #keyframe() {
    const { position, newest, step } = this;
    const at = Object.values(this.columns).map((column) => column.at);
    return { position, newest, step, at, asked: [...this.asked], things: new Map(this.things) };
  }

  #restore(frame) {
    Object.assign(this, frame, { asked: [...frame.asked], things: new Map(frame.things) });
    Object.values(this.columns).forEach((column, i) => (column.at = frame.at[i]));
  }

  #keyframeBefore(position) {
    const frames = this.story.keyframes;
    let [low, high] = [0, frames.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (frames[middle].position <= position) low = middle;
      else high = middle - 1;
    }
    return frames[low];
  }
}
