// All that is known of the match, as visualizer/page/__init__.py wrote it down.
import { columnsOf } from "./columns.js";

const THOUSANDTHS = 1000;
const GONE = 0;

// What the numbers of a thing mean. Numbers stay as they were packed until someone looks.
class Shape {
  constructor(head, words) {
    [this.what, this.isWord, this.units] = [head.what, head.words, head.units];
    this.words = words;
  }

  values(numbers) {
    return numbers.map((number, i) =>
      this.isWord[i] ? this.words[number * this.units[i]] : (number * this.units[i]) / THOUSANDTHS,
    );
  }
}

// A thing at a moment. It never changes: what changes is another one.
class Thing {
  constructor(shape, numbers) {
    this.shape = shape;
    this.numbers = numbers;
  }

  // As named fields, like those of visualizer/scene.py.
  get look() {
    this.looked ??= LOOKS[this.shape.what[0]](this.shape.what, this.shape.values(this.numbers));
    return this.looked;
  }
}

const LOOKS = {
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
  label: ([cls, kind], [x, y, size, text, colour, ...facts]) =>
    ({ cls, kind, x, y, size, text, colour, facts }),
};

// The changes of visualizer/page/track.py.
export class Track {
  constructor(name, heads, columns, words) {
    this.codes = columns[`${name} code`];
    const shapes = heads.map((head) => new Shape(head, words));
    this.deltas = columns[`${name} shape`].rest().map((number) => {
      const shape = shapes[number];
      const slots = shape.units.map((_, place) => columns[`${name} ${number} ${place}`].next());
      return { shape, slots };
    });
  }

  // What a thing becomes by a change; null if it is no more.
  changed(thing, code) {
    if (code === GONE) return null;
    const { shape, slots } = this.deltas[code - 1];
    if (thing?.shape !== shape) return new Thing(shape, slots);
    return new Thing(shape, thing.numbers.map((number, i) => number + slots[i]));
  }
}

export class Story {
  constructor(facts, columns) {
    Object.assign(this, facts);
    this.columns = columns;
    this.turns = runningSums(columns.turn.rest());
    this.steps = this.turns.length;
    this.lastTurn = this.turns[this.steps - 1] ?? 0;
    this.ends = this.#endsOfTurns();
    this.things = new Track("thing", this.shapes.thing, columns, this.words);
    this.standings = this.#standings();
    this.marks = this.#marks();
    const backdrop = new Track("backdrop", this.shapes.backdrop, columns, this.words);
    let below = null;
    this.backdrop = backdrop.codes.rest().map((code) => (below = backdrop.changed(below, code)).look);
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

  // In turns: t is the end of turn t, and the steps of a turn lie evenly before it.
  timeAt(position) {
    if (!position) return 0;
    const turn = this.turnAt(position);
    const begin = this.beginOf(turn);
    return turn - 1 + (position - begin) / (this.endOf(turn) - begin);
  }

  // How a team stood at the end of a turn.
  standing(team, turn) {
    return this.standings[Math.min(turn, this.standings.length - 1)].get(team);
  }

  #endsOfTurns() {
    const ends = new Array(this.lastTurn + 1).fill(0);
    for (const turn of this.turns) ends[turn] += 1;
    return runningSums(ends);
  }

  #standings() {
    const { stood, team } = this.columns;
    const track = new Track("team", this.shapes.team, this.columns, this.words);
    const now = new Map();
    return stood.take(this.lastTurn + 1).map((changed) => {
      for (let i = 0; i < changed; i++) {
        const number = team.next();
        now.set(number, track.changed(now.get(number), track.codes.next()));
      }
      return new Map([...now].map(([number, thing]) => [number, standingOf(thing)]));
    });
  }

  #marks() {
    const at = runningSums(this.columns["mark at"].rest());
    return this.columns.mark.rest().map((word, i) => ({ at: at[i], what: this.words[word] }));
  }
}

function standingOf(thing) {
  const [score, lost, cpu, ...rest] = thing.shape.values(thing.numbers);
  const panel = thing.shape.what.map(([name, columns]) =>
    ({ name, value: columns ? rest.splice(0, columns) : rest.shift() }),
  );
  return { score, lost, cpuMs: cpu / 10, panel };
}

function runningSums(numbers) {
  let sum = 0;
  return numbers.map((number) => (sum += number));
}

// From the bytes of the page to a story and its pictures.
export async function read(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const columns = columnsOf(bytes.subarray(4 + length), facts.columns);
  let start = bytes.length - facts.images.sizes.reduce((sum, size) => sum + size, 0);
  const files = facts.images.sizes.map((size) => bytes.subarray(start, (start += size)));
  const images = await Promise.all(
    files.map((file) => createImageBitmap(new Blob([file], { type: "image/png" }))),
  );
  return { story: new Story(facts, columns), images };
}
