// Sentences about what happened: visualizer/model/narration.py.
import { Cursor } from "./cursor.js";

/** @import { Replay } from "./replay.js" */
/** @import { Annotation, Appearance, Fact, Moment, Step, Texts, Things } from "./types.d.ts" */

const MAX_ALIKE = 3;  // of a step, in sentences

export class Narrator {
  /**
   * @param {Replay} replay
   * @param {Texts} texts
   */
  constructor(replay, texts) {
    this.replay = replay;
    this.cursor = new Cursor(replay);
    this.faults = byPlace(texts.faults);
    this.logs = byPlace(texts.logs);
  }

  /**
   * @param {number} turn
   * @param {number} team
   * @param {number} pieceId
   * @param {string} line
   */
  addLog(turn, team, pieceId, line) {
    const place = `${turn} ${team} ${pieceId}`;
    this.logs.set(place, [...(this.logs.get(place) ?? []), line]);
  }

  /**
   * Return `slime 7`, or the thing's own name if it has one.
   * @param {number} id
   * @param {Appearance | undefined} thing
   */
  name(id, thing) {
    if (!thing) return String(id);
    return String(this.replay.fact(thing, "name") ?? `${this.replay.kinds[thing.kind].title} ${id}`);
  }

  /**
   * Return the facts of a thing but its name, as pairs of name and value.
   * @param {Appearance} thing
   * @returns {[name: string, value: string][]}
   */
  facts(thing) {
    const kind = this.replay.kinds[thing.kind];
    /** @type {[string, string][]} */
    const lines = kind.facts.includes("at") ? [] : [["at", this.place(thing)]];
    if (thing.bar) lines.push([kind.bar, `${thing.bar[0]} of ${thing.bar[1]}`]);
    /** @type {[string, string][]} */
    const known = kind.facts.map((name, i) => [name, inWords(thing.facts[i])]);
    return [...lines, ...known.filter(([name]) => name !== "name")];
  }

  /**
   * Return what a pointer tells of a thing besides its name and its bar.
   * @param {Appearance} thing
   */
  hoverFacts(thing) {
    const told = this.replay.kinds[thing.kind].hover;
    return this.facts(thing).filter(([name, value]) => told.includes(name) && value !== this.replay.formats.noFact).map(([, value]) => value);
  }

  /**
   * Return the square of a thing: `12, 3`.
   * @param {Appearance} thing
   */
  place(thing) {
    const [row, up] = [Math.floor(thing.y), this.replay.rowsUp];
    return `${Math.floor(thing.x)}, ${up ? up - 1 - row : row}`;
  }

  /**
   * Return the sentence of an annotation; `things` are those after the step.
   * @param {Annotation} annotation
   * @param {Things} things
   * @param {Step} step
   */
  sentence(annotation, things, step) {
    const one = findAppearance(annotation.one, things, step);
    const other = findAppearance(annotation.other, things, step);
    /** @type {Map<string, Fact>} */
    const values = new Map([["words", annotation.words], ["other", this.name(annotation.other, other)]]);
    if (one) for (const [name, value] of this.facts(one)) values.set(name, value);
    if (one) values.set("place", this.place(one));
    if (other?.bar) values.set("other_bar", other.bar[0]);
    const says = this.replay.eventStyles[annotation.eventStyle].says;
    return says.replace(/\{([^}]*)\}/g, (_, name) => String(values.get(name) ?? "?"));
  }

  /**
   * Return what a thing did and suffered up to a position, the newest first.
   * @param {number} id
   * @param {number} position
   */
  history(id, position) {
    const { cursor, replay } = this;
    cursor.seek(replay.turnStart(Math.max(0, replay.turnAt(position) - replay.historyTurns + 1)));
    /** @type {Moment[]} */
    const moments = [];
    while (cursor.position < position) {
      cursor.advance();
      const moment = this.#moment(id, cursor.step);
      if (moment) moments.push(moment);
    }
    return moments.reverse();
  }

  /**
   * Return the sentences of what has a sign or a row of the timeline, what matters most first;
   * of many alike in a step the first ones.
   * @param {number} from
   * @param {number} to
   */
  sentences(from, to) {
    const { cursor } = this;
    /** @type {[weight: number, sentence: string][]} */
    const told = [];
    cursor.seek(from);
    while (cursor.position < to) {
      cursor.advance();
      for (const [style, alike] of this.#remarkable(cursor.step)) {
        const shown = alike.slice(0, MAX_ALIKE).map((annotation) => this.#namedSentence(null, annotation, cursor.step));
        if (alike.length > MAX_ALIKE) shown.push(`${shown.pop()}, and ${alike.length - MAX_ALIKE} more like it`);
        const { weight } = this.replay.eventStyles[style];
        for (const sentence of shown) told.push([weight, sentence]);
      }
    }
    return told.reverse().sort(([one], [other]) => other - one).map(([, sentence]) => sentence);
  }

  /**
   * Return what a step says of it, by its style.
   * @param {Step} step
   * @returns {Map<string, Annotation[]>}
   */
  #remarkable({ annotations }) {
    const byStyle = new Map();
    for (const annotation of annotations) {
      const { mark, timeline } = this.replay.eventStyles[annotation.eventStyle];
      if (mark || timeline) byStyle.set(annotation.eventStyle, [...(byStyle.get(annotation.eventStyle) ?? []), annotation]);
    }
    return byStyle;
  }

  /**
   * @param {number} id
   * @param {Step} step
   * @returns {Moment | null}
   */
  #moment(id, step) {
    const ordered = step.ordered.find((order) => order.pieceId === id);
    const annotations = step.annotations.filter((annotation) => annotation.one === id || annotation.other === id);
    if (!ordered && !annotations.length) return null;
    const sentences = annotations.map((annotation) => this.#namedSentence(id, annotation, step));
    const place = `${step.turn} ${ordered?.team} ${id}`;
    const fault = (ordered && !ordered.order && this.faults.get(place)) || "";
    const lines = (ordered && this.logs.get(place)) || [];
    return { turn: step.turn, stage: step.stage, ordered, sentences, fault, lines };
  }

  /**
   * Return the sentence of an annotation, without a subject if that is the thing itself.
   * @param {number | null} id
   * @param {Annotation} annotation
   * @param {Step} step
   */
  #namedSentence(id, annotation, step) {
    const sentence = this.sentence(annotation, this.cursor.things, step);
    if (annotation.one === id) return sentence;
    return `${this.name(annotation.one, findAppearance(annotation.one, this.cursor.things, step))} ${sentence}`;
  }
}

/**
 * Return a thing after a step; one that the step removed, as it was before.
 * @param {number} id
 * @param {Things} things
 * @param {Step} step
 */
export function findAppearance(id, things, step) {
  return (things.get(id) ?? step.before.get(id))?.appearance;
}

/**
 * @template T
 * @param {[turn: number, team: number, piece: number, text: T][]} texts
 * @returns {Map<string, T>}
 */
function byPlace(texts) {
  return new Map(texts.map(([turn, team, pieceId, text]) => [`${turn} ${team} ${pieceId}`, text]));
}

/** @param {Fact} fact */
function inWords(fact) {
  if (typeof fact === "boolean") return fact ? "yes" : "no";
  return String(fact);
}
