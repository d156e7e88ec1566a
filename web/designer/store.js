// The army as it is, what it was before, and what is kept of it in the browser.

import { browserStorage } from "../shared/storage.js";

/** @import { Army, DrawnType, Kept } from "./types.d.ts" */

const MAX_UNDO_STEPS = 200;
const STROKE_MS = 700; // changes of one kind, one soon after the other, are undone together

/** @type {DrawnType} */
const FIRST = { name: "Block", rows: ["##", "##"], behavior: "Runner", numbers: {}, code: "" };

export class Store {
  /** @type {Army} */
  army = { name: "My army", types: [{ ...FIRST }], placements: [] };
  grid = "small";
  opponent = "";
  battle = ""; // the last one
  isUnsaved = false; // of a member: whether the server has yet to be told
  isNew = true; // whether nothing was drawn yet
  type = 0;
  /** @type {number | null} */
  chosen = null;
  /** @type {string[]} */
  past = [];
  stroke = { kind: "", at: 0 };

  /**
   * @param {boolean} isMember  whether the server keeps it, too
   * @param {() => void} onChange
   * @param {string} key  by which the browser keeps it; "" where it does not
   */
  constructor(isMember, onChange, key) {
    this.isMember = isMember;
    this.onChange = onChange;
    this.key = key;
    const kept = key && browserStorage.loadValue(key);
    if (kept) this.#restore(kept);
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
    if (this.past.length > MAX_UNDO_STEPS) this.past.shift();
    this.stroke = { kind, at: now };
    this.army = JSON.parse(JSON.stringify(this.army));
    change(this.army);
    this.isUnsaved = this.isMember;
    this.isNew = false;
    this.#settle();
  }

  /**
   * Change the chosen type.
   * @param {string} kind
   * @param {(drawn: DrawnType) => void} change
   */
  changeType(kind, change) {
    this.change(`${kind} ${this.type}`, (army) => change(army.types[this.type]));
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
    this.isUnsaved = this.isMember;
    this.stroke = { kind: "", at: 0 };
    this.#settle();
    return true;
  }

  /**
   * Take what the server has kept; what was drawn here meanwhile, and it does not know yet, stays.
   * @param {Army} army
   * @param {string} grid
   */
  take(army, grid) {
    if (this.isUnsaved || JSON.stringify(army) === JSON.stringify(this.army)) return;
    if (!this.isNew) this.past.push(JSON.stringify(this.army)); // drawn by a visitor, who has signed in now
    Object.assign(this, { army, grid, type: 0, chosen: null, isNew: false });
    this.#settle();
  }

  /**
   * Begin with an army that is ready; the server keeps it once it is changed.
   * @param {Army} army
   */
  begin(army) {
    Object.assign(this, { army: JSON.parse(JSON.stringify(army)), type: 0, chosen: null });
    this.#settle();
  }

  /** The server has it now. */
  markSaved() {
    this.isUnsaved = false;
    this.#save();
  }

  /** @param {Partial<Pick<Store, "grid" | "opponent" | "battle" | "type" | "chosen">>} fields */
  set(fields) {
    Object.assign(this, fields);
    this.#settle();
  }

  #settle() {
    this.type = Math.max(0, Math.min(this.type, this.army.types.length - 1));
    if (this.chosen !== null && this.chosen >= this.army.placements.length) this.chosen = null;
    this.#save();
    this.onChange();
  }

  #save() {
    const { army, grid, opponent, battle, isUnsaved, key } = this;
    /** @type {Kept} */
    const kept = { army, grid, opponent, battle, isUnsaved };
    if (key) browserStorage.save(key, JSON.stringify(kept));
  }

  /** @param {Kept} kept */
  #restore({ army, grid, opponent, battle = "", isUnsaved = false }) {
    if (!Array.isArray(army?.types) || !army.types.length || !Array.isArray(army.placements)) return;
    if (!army.types.every((drawn) => Array.isArray(drawn.rows) && typeof drawn.name === "string")) return;
    Object.assign(this, { army, grid, opponent, battle, isUnsaved, isNew: false });
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
