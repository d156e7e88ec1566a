// Saying in words what happened: visualizer/telling.py.
import { Reel } from "./reel.js";

const TURNS_TOLD = 12;

export class Teller {
  constructor(story, texts) {
    this.story = story;
    this.reel = new Reel(story);
    this.faults = byPlace(texts.faults);
    this.logs = byPlace(texts.logs);
  }

  // `slime 7`, or the name that it has.
  name(id, look) {
    if (!look) return String(id);
    const kind = this.story.kinds[look.kind];
    const named = kind.facts.indexOf("name");
    return named < 0 ? `${kind.title} ${id}` : String(look.facts[named]);
  }

  // Name and value of all that is known of a thing but its name.
  facts(look) {
    const kind = this.story.kinds[look.kind];
    const lines = kind.facts.includes("at") ? [] : [["at", this.place(look)]];
    if (look.bar) lines.push([kind.bar, `${look.bar[0]} of ${look.bar[1]}`]);
    const known = kind.facts.map((name, i) => [name, inWords(look.facts[i])]);
    return [...lines, ...known.filter(([name]) => name !== "name")];
  }

  // Its square: `12, 3`.
  place(look) {
    const [row, up] = [Math.floor(look.y), this.story.rowsUp];
    return `${Math.floor(look.x)}, ${up ? up - 1 - row : row}`;
  }

  // What a note of a step says; `things` are those after it.
  sentence(note, things, step) {
    const one = lookOf(note.one, things, step);
    const other = lookOf(note.other, things, step);
    const values = new Map([["words", note.words], ["other", this.name(note.other, other)]]);
    if (one) for (const [name, value] of this.facts(one)) values.set(name, value);
    if (one) values.set("place", this.place(one));
    if (other?.bar) values.set("other_bar", other.bar[0]);
    const says = this.story.happenings[note.happening].says;
    return says.replace(/\{([^}]*)\}/g, (_, name) => String(values.get(name) ?? "?"));
  }

  // What a thing did and what was done to it up to a position, the newest first.
  history(id, position) {
    const { reel, story } = this;
    reel.seek(story.beginOf(Math.max(0, story.turnAt(position) - TURNS_TOLD + 1)));
    const moments = [];
    while (reel.position < position) {
      reel.advance();
      const moment = this.#moment(id, reel.step);
      if (moment) moments.push(moment);
    }
    return moments.reverse();
  }

  #moment(id, step) {
    const ordered = step.ordered.find((order) => order.about === id);
    const notes = step.notes.filter((note) => note.one === id || note.other === id);
    if (!ordered && !notes.length) return null;
    const sentences = notes.map((note) => this.#toldOf(id, note, step));
    const place = ordered && `${step.turn} ${ordered.team} ${id}`;
    const fault = (ordered && !ordered.order && this.faults.get(place)) || "";
    const lines = (ordered && this.logs.get(place)) || [];
    return { turn: step.turn, stage: step.stage, ordered, sentences, fault, lines };
  }

  // Without a subject if it is the thing itself.
  #toldOf(id, note, step) {
    const sentence = this.sentence(note, this.reel.things, step);
    if (note.one === id) return sentence;
    return `${this.name(note.one, lookOf(note.one, this.reel.things, step))} ${sentence}`;
  }
}

// How a thing looks after a step, or before if it is gone by then.
export function lookOf(id, things, step) {
  return (things.get(id) ?? step.before.get(id))?.look;
}

function byPlace(rounds) {
  return new Map(rounds.map(([turn, team, about, said]) => [`${turn} ${team} ${about}`, said]));
}

function inWords(fact) {
  if (typeof fact === "boolean") return fact ? "yes" : "no";
  return String(fact);
}
