// The army as it is, what it was before, and what is kept of it in the browser.

/** @import { Army, DrawnType, Kept } from "./types.d.ts" */

const KEY = "design";
const MOST_PAST = 200;
const STROKE_MS = 700; // changes of one kind, one soon after the other, are undone together

/** @type {DrawnType} */
const FIRST = { name: "Block", rows: ["##", "##"], behavior: "Runner", numbers: {}, code: "" };

export class Store {
  /** @type {Army} */
  army = { name: "My army", types: [{ ...FIRST }], placements: [] };
  grid = "small";
  opponent = "";
  battle = ""; // the last one
  type = 0;
  /** @type {number | null} */
  chosen = null;
  /** @type {string[]} */
  past = [];
  stroke = { kind: "", at: 0 };

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    try {
      const text = localStorage.getItem(KEY);
      if (text) this.#restore(JSON.parse(text));
    } catch {
      // where pages may keep nothing, or what was kept is none of ours
    }
  }

  get drawn() {
    return this.army.types[this.type];
  }

  /**
   * Change the army; `kind` is what is done, so that strokes are undone as one.
   * @param {string} kind
   * @param {(army: Army) => void} change
   */
  change(kind, change) {
    const now = performance.now();
    const isStroke = kind === this.stroke.kind && now - this.stroke.at < STROKE_MS;
    if (!isStroke) this.past.push(JSON.stringify(this.army));
    if (this.past.length > MOST_PAST) this.past.shift();
    this.stroke = { kind, at: now };
    this.army = JSON.parse(JSON.stringify(this.army));
    change(this.army);
    this.#settle();
  }

  /** @param {Army} army */
  replace(army) {
    this.change("replace", (now) => Object.assign(now, JSON.parse(JSON.stringify(army))));
    this.type = 0;
    this.chosen = null;
    this.#settle();
  }

  undo() {
    const before = this.past.pop();
    if (!before) return false;
    this.army = JSON.parse(before);
    this.stroke = { kind: "", at: 0 };
    this.#settle();
    return true;
  }

  /** @param {Partial<Pick<Store, "grid" | "opponent" | "battle" | "type" | "chosen">>} fields */
  set(fields) {
    Object.assign(this, fields);
    this.#settle();
  }

  #settle() {
    this.type = Math.max(0, Math.min(this.type, this.army.types.length - 1));
    if (this.chosen !== null && this.chosen >= this.army.placements.length) this.chosen = null;
    try {
      /** @type {Kept} */
      const kept = { army: this.army, grid: this.grid, opponent: this.opponent, battle: this.battle };
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // as above
    }
    this.onChange();
  }

  /** @param {Kept} kept */
  #restore({ army, grid, opponent, battle = "" }) {
    if (!Array.isArray(army.types) || !army.types.length || !Array.isArray(army.placements)) return;
    if (!army.types.every((drawn) => Array.isArray(drawn.rows) && typeof drawn.name === "string")) return;
    Object.assign(this, { army, grid, opponent, battle });
  }
}

/**
 * Return a new type whose name no other one has.
 * @param {Army} army
 */
export function newType(army) {
  const names = new Set(army.types.map((drawn) => drawn.name));
  let number = army.types.length + 1;
  while (names.has(`Shape${number}`)) number++;
  return { ...FIRST, name: `Shape${number}`, rows: [], numbers: {} };
}
