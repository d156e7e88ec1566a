// The page on which an army is designed. What is right and what is wrong, all figures, and where there
// is room, comes from the server: no rule stands here.

import { make, mark, write } from "../shared/elements.js";
import { send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";
import { Drawing } from "./drawing.js";
import { READY, TURNS, pictureOf, shifted } from "./shapes.js";
import { Store, newType } from "./store.js";
import { ZoneMap, inRows } from "./zone_map.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { Army, Figures, Grid, Inspected, Offered } from "./types.d.ts" */

const API = `${SITE}/api/v1`;
const WRITTEN = "written";
const PAUSE_MS = 120; // the server is asked once nothing was changed for so long
const MOST_TYPES = 26;
const SIDES = /** @type {const} */ (["forward", "right", "backward", "left"]);
const NAMES = { forward: "front →", right: "right ↓", backward: "← back", left: "left ↑" };
const MOVES = /** @type {const} */ ([["←", "left", -1, 0], ["→", "right", 1, 0], ["↑", "up", 0, -1], ["↓", "down", 0, 1]]);

/**
 * Return an element that the page has.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} id
 */
const part = (id) => /** @type {E} */ (document.getElementById(id));
/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));
/** @param {string} id */
const choice = (id) => /** @type {HTMLSelectElement} */ (document.getElementById(id));

class Designer {
  /** @type {Inspected} */
  inspected = { figures: [], cells: 0, mistakes: [] };
  asked = 0;
  isCodeShown = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @param {Offered} offered */
  constructor(offered) {
    this.offered = offered;
    this.store = new Store(() => this.changed());
    this.drawing = new Drawing(part("drawing"), (rows) =>
      this.store.change(`draw ${this.store.type}`, (army) => (army.types[this.store.type].rows = rows)),
    );
    const map = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (part("map")));
    this.map = new ZoneMap(map, {
      place: (u, v) => this.place(u, v),
      choose: (chosen) => this.store.set({ chosen, type: chosen === null ? this.store.type : this.store.army.placements[chosen][0] }),
      move: (index, u, v) =>
        this.store.change(`move ${index}`, (army) => (army.placements[index] = [army.placements[index][0], u, v])),
      remove: (index) => this.removeShapes((_, at) => at === index),
      say,
    });
  }

  begin() {
    this.#listen();
    this.#offer();
    this.changed();
    part("designer").hidden = false;
    this.recall();
  }

  /** @returns {Grid} */
  get grid() {
    const { grids } = this.offered;
    return grids.find((grid) => grid.name === this.store.grid) ?? grids[0];
  }

  #offer() {
    const { offered, store } = this;
    choice("grid").append(...offered.grids.map(({ name, max_cells }) => make("option", { value: name }, `${name}, ${max_cells} cells`)));
    choice("start-from").append(
      make("option", { value: "" }, "…"),
      make("option", { value: "-1" }, "an empty sheet"),
      ...offered.armies.map(({ name }, at) => make("option", { value: at }, name)),
    );
    choice("opponent").append(...offered.opponents.map(({ name, words }) => make("option", { value: name }, words)));
    if (offered.opponents.some(({ name }) => name === store.opponent)) choice("opponent").value = store.opponent;
    choice("ladder")?.append(...offered.ladders.map(({ id, name }) => make("option", { value: id }, name)));
    choice("ladder")?.closest("label")?.toggleAttribute("hidden", offered.ladders.length < 2);
    choice("behavior").append(
      ...offered.behaviors.map(({ name }) => make("option", { value: name }, name)),
      make("option", { value: WRITTEN }, "written by you"),
    );
    part("ready").append(
      ...READY.map(([name, rows]) =>
        make("button", { type: "button", title: name, "aria-label": name, click: () => this.use(rows) }, pictureOf(rows, 0)),
      ),
    );
    part("tools").append(
      make(
        "div",
        {},
        ...Object.entries(TURNS).map(([name, change]) => tool(name, name, () => this.drawing.change(change))),
        tool("Clear", "Clear the sheet", () => this.drawing.clear()),
      ),
      make(
        "div",
        {},
        ...MOVES.map(([sign, name, dx, dy]) => tool(sign, `Move ${name}`, () => this.drawing.change((rows) => shifted(rows, dx, dy)))),
        tool("+", "Larger cells", () => this.drawing.resize(-1)),
        tool("−", "Smaller cells, on a larger sheet", () => this.drawing.resize(1)),
      ),
    );
  }

  #listen() {
    const { store } = this;
    on("army-name", "input", () => store.change("name", (army) => (army.name = input("army-name").value)));
    on("grid", "change", () => store.set({ grid: choice("grid").value, chosen: null }));
    on("opponent", "change", () => store.set({ opponent: choice("opponent").value }));
    on("start-from", "change", () => this.start(choice("start-from").value));
    on("undo", "click", () => this.undo());
    on("open", "click", () => input("file").click());
    on("file", "change", () => this.open());
    on("download", "click", () => this.download());
    on("add-type", "click", () => this.addType());
    on("remove-type", "click", () => this.removeType());
    on("type-name", "input", () => this.changeType("type name", (drawn) => (drawn.name = input("type-name").value.replace(/\s/g, "_"))));
    on("behavior", "change", () => this.behave(choice("behavior").value));
    on("show-code", "click", () => {
      this.isCodeShown = !this.isCodeShown;
      this.#showBehavior();
    });
    on("change-code", "click", () => this.behave(WRITTEN));
    on("code", "input", () => this.changeType("code", (drawn) => (drawn.code = input("code").value)));
    on("fill", "click", () => this.fill(Math.max(1, Number(input("count").value) || 1)));
    on("fill-up", "click", () => this.fill(500));
    on("remove-shape", "click", () => this.removeShapes((_, at) => at === store.chosen));
    on("remove-shapes", "click", () => this.removeShapes(([type]) => type === store.type));
    on("all-rows", "change", () => this.showMap());
    on("battle", "click", () => this.fight());
    on("hand-in", "click", () => this.handIn());
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea");
      if (!isTyping && (event.ctrlKey || event.metaKey) && event.key === "z") {
        event.preventDefault();
        this.undo();
      }
    });
  }

  // ---- what is done

  /** @param {string} said */
  start(said) {
    choice("start-from").value = "";
    const army = said === "-1" ? emptyArmy() : this.offered.armies[Number(said)];
    if (said === "" || !army) return;
    this.store.replace(army);
    say(`started from ${army.name}`);
  }

  undo() {
    say(this.store.undo() ? "undone" : "there is nothing to undo");
  }

  /** @param {string[]} rows */
  use(rows) {
    this.changeType("use", (drawn) => (drawn.rows = rows));
  }

  /**
   * @param {string} kind
   * @param {(drawn: Army["types"][number]) => void} change
   */
  changeType(kind, change) {
    this.store.change(`${kind} ${this.store.type}`, (army) => change(army.types[this.store.type]));
  }

  addType() {
    const { store } = this;
    store.change("add type", (army) => void army.types.push(newType(army)));
    store.set({ type: store.army.types.length - 1, chosen: null });
    input("type-name").focus();
    input("type-name").select();
  }

  removeType() {
    const { store } = this;
    const { type } = store;
    store.change("remove type", (army) => {
      army.types.splice(type, 1);
      if (!army.types.length) army.types.push(newType(army));
      army.placements = army.placements
        .filter((each) => each[0] !== type)
        .map(([each, u, v]) => [each > type ? each - 1 : each, u, v]);
    });
    store.set({ chosen: null });
  }

  /** @param {string} behavior */
  behave(behavior) {
    const given = this.offered.behaviors.find(({ name }) => name === this.store.drawn.behavior);
    this.changeType("behavior", (drawn) => {
      if (behavior === WRITTEN && !drawn.code.trim()) drawn.code = given?.code ?? "";
      drawn.behavior = behavior;
      drawn.numbers = {};
    });
    if (behavior === WRITTEN) input("code").focus();
  }

  /** @param {number} u @param {number} v */
  place(u, v) {
    const { store } = this;
    if (!store.drawn.rows.length) {
      say("draw the type first");
      return;
    }
    store.change("place", (army) => void army.placements.push([store.type, u, v]));
    store.set({ chosen: store.army.placements.length - 1 });
    say(`placed ${store.drawn.name}, column ${u}, ${inRows(v)}`);
  }

  /** @param {(place: Army["placements"][number], index: number) => boolean} isRemoved */
  removeShapes(isRemoved) {
    const { store } = this;
    const count = store.army.placements.filter(isRemoved).length;
    if (!count) return;
    store.change("remove", (army) => (army.placements = army.placements.filter((place, at) => !isRemoved(place, at))));
    store.set({ chosen: null });
    say(count === 1 ? "removed a shape" : `removed ${count} shapes`);
  }

  /** @param {number} count */
  async fill(count) {
    const { army, type, grid: preset } = this.store;
    /** @type {Answer<Army>} */
    const answer = await send("POST", `${API}/designs/fill`, { army, type, count, preset });
    if (this.#isRefused(answer)) return;
    const placed = answer.placements.length - army.placements.length;
    this.store.change("fill", (now) => (now.placements = answer.placements));
    say(placed ? `placed ${placed}` : "there is no room, or no cell is left");
    if (!placed) part("go-why").textContent = "";
  }

  async open() {
    const [file] = input("file").files ?? [];
    if (!file) return;
    /** @type {Answer<Army>} */
    const answer = await send("POST", `${API}/designs/open`, { source: await file.text() });
    input("file").value = "";
    if (this.#isRefused(answer)) return;
    const { name, types, placements } = answer;
    this.store.replace({ name, types, placements });
    say(`opened ${name}`);
  }

  async download() {
    const file = await this.#file();
    if (!file) return;
    const address = URL.createObjectURL(new Blob([file.source], { type: "text/x-python" }));
    make("a", { href: address, download: file.name }).click();
    URL.revokeObjectURL(address);
  }

  async fight() {
    const button = /** @type {HTMLButtonElement} */ (part("battle"));
    button.disabled = true;
    const body = { army: this.store.army, opponent: choice("opponent").value };
    /** @type {Answer<{ id: string, path: string }>} */
    const answer = await send("POST", `${API}/designs/battle`, body);
    button.disabled = false;
    if (this.#isRefused(answer)) return;
    this.store.set({ battle: answer.id });
    location.assign(SITE + answer.path);
  }

  /** Say what came of the last battle, as long as it is kept. */
  async recall() {
    const { battle } = this.store;
    if (!battle) return;
    /** @type {Answer<{ state: string, words: string, path: string }>} */
    const run = await send("GET", `${API}/runs/${battle}`);
    if (!run.isOk) return;
    part("last").hidden = false;
    part("last").replaceChildren(
      "Last battle: ",
      run.state === "over" ? `${run.words} ` : "",
      make("a", { href: SITE + run.path }, run.state === "over" ? "Watch it again" : "watch it"),
    );
  }

  async handIn() {
    const file = await this.#file();
    if (!file) return;
    const files = { [file.name]: base64(file.source) };
    const body = { files, name: this.store.army.name, ladder: choice("ladder").value };
    /** @type {Answer<{ path: string }>} */
    const answer = await send("POST", `${API}/bots`, body);
    if (!this.#isRefused(answer)) location.assign(SITE + answer.path);
  }

  async #file() {
    /** @type {Answer<{ name: string, source: string }>} */
    const answer = await send("POST", `${API}/designs/file`, { army: this.store.army, preset: this.store.grid });
    return this.#isRefused(answer) ? null : answer;
  }

  /**
   * @param {Answer<unknown>} answer
   * @returns {answer is import("../shared/types.d.ts").Refused}
   */
  #isRefused(answer) {
    part("go-why").textContent = answer.isOk ? "" : answer.error;
    return !answer.isOk;
  }

  // ---- what is shown

  changed() {
    if (!this.map) return; // it is being made
    this.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.inspect(), PAUSE_MS);
  }

  async inspect() {
    const number = ++this.asked;
    const { army, grid: preset } = this.store;
    /** @type {Answer<Inspected>} */
    const answer = await send("POST", `${API}/designs/inspect`, { army, preset });
    if (number !== this.asked) return;
    if (answer.isOk) this.inspected = answer;
    else this.inspected.mistakes = [{ words: answer.error, type: null, placement: null }];
    this.showInspected();
  }

  show() {
    const { store } = this;
    const { army, drawn } = store;
    fill(input("army-name"), army.name);
    fill(input("type-name"), drawn.name);
    choice("grid").value = this.grid.name;
    this.drawing.show(drawn.rows);
    mark(part("drawing"), "class", `ink-${store.type % 8}`);
    this.#showBehavior();
    this.#showTypes();
    this.showMap();
    mark(part("undo"), "disabled", !store.past.length);
    mark(part("add-type"), "disabled", army.types.length >= MOST_TYPES);
    mark(part("remove-shape"), "disabled", store.chosen === null);
    mark(part("remove-shapes"), "disabled", !army.placements.some(([type]) => type === store.type));
    write(part("map-type"), drawn.name);
  }

  showMap() {
    const { army, type, chosen } = this.store;
    const wrong = new Set(this.inspected.mistakes.flatMap(({ placement }) => (placement === null ? [] : [placement])));
    const isWhole = input("all-rows").checked;
    this.map.show({ army, grid: this.grid, type, chosen, isWhole, wrong });
    part("rows-help").hidden = !isWhole;
  }

  #showTypes() {
    const { army, type } = this.store;
    const counts = army.types.map((_, at) => army.placements.filter(([each]) => each === at).length);
    const wrong = new Set(this.inspected.mistakes.map((mistake) => mistake.type));
    const items = army.types.map(({ name, rows, behavior }, at) => {
      const words = [`×${counts[at]}`, behavior === WRITTEN ? "own code" : behavior];
      const button = make(
        "button",
        { type: "button", "aria-pressed": at === type ? "true" : "false", click: () => this.store.set({ type: at, chosen: null }) },
        pictureOf(rows, at),
        make("span", {}, make("b", {}, name || "no name"), make("small", {}, words.join(" · "))),
      );
      if (wrong.has(at)) button.append(make("span", { class: "bad", title: "something is wrong" }, "!"));
      return make("li", {}, button);
    });
    const hadFocus = part("types").contains(document.activeElement);
    part("types").replaceChildren(...items);
    if (hadFocus) part("types").querySelectorAll("button")[type]?.focus();
  }

  #showBehavior() {
    const { drawn } = this.store;
    const given = this.offered.behaviors.find(({ name }) => name === drawn.behavior);
    choice("behavior").value = drawn.behavior;
    write(part("behavior-words"), given?.words ?? "What you write below is what it does.");
    write(part("behavior-type"), drawn.name);
    part("given").hidden = !given;
    part("written").hidden = Boolean(given);
    part("show-code").hidden = !given;
    part("code-card").hidden = Boolean(given) && !this.isCodeShown;
    mark(part("show-code"), "aria-expanded", this.isCodeShown ? "true" : "false");
    write(part("show-code"), this.isCodeShown ? "Hide its code" : "Show its code");
    if (given) write(part("given-code"), given.code);
    fill(input("code"), drawn.code);
    const numbers = given?.numbers ?? [];
    const kind = `${this.store.type} ${drawn.behavior}`;
    if (part("numbers").dataset.kind !== kind) {
      part("numbers").dataset.kind = kind;
      part("numbers").replaceChildren(
        ...numbers.map(({ name, words, usual, least, most }) =>
          make(
            "label",
            {},
            words[0].toUpperCase() + words.slice(1),
            make("input", {
              type: "number", min: least, max: most, "data-name": name,
              input: (event) => this.#number(name, usual, /** @type {HTMLInputElement} */ (event.target).value),
            }),
          ),
        ),
      );
    }
    for (const field of part("numbers").querySelectorAll("input")) {
      const usual = numbers.find(({ name }) => name === field.dataset.name)?.usual;
      fill(field, String(drawn.numbers[field.dataset.name ?? ""] ?? usual ?? ""));
    }
  }

  /** @param {string} name @param {number} usual @param {string} typed */
  #number(name, usual, typed) {
    const value = Math.trunc(Number(typed));
    this.changeType(`number ${name}`, (drawn) => {
      if (typed === "" || value === usual || !Number.isSafeInteger(value)) delete drawn.numbers[name];
      else drawn.numbers[name] = value;
    });
  }

  showInspected() {
    const { inspected, store } = this;
    this.#showFigures(inspected.figures[store.type] ?? null);
    const ofType = inspected.mistakes.filter(({ type }) => type === store.type);
    list(part("type-wrong"), ofType.map(({ words }) => words));
    const elsewhere = inspected.mistakes.filter(({ type }) => type !== null && type !== store.type);
    const others = inspected.mistakes.filter(({ type }) => type === null);
    list(part("zone-wrong"), [...others, ...elsewhere].map(({ words }) => words));
    // An army that has only begun is no mistake.
    part("zone-wrong").classList.toggle("hint", !store.army.placements.length && !elsewhere.length);
    const { max_cells: most } = this.grid;
    write(part("cells"), `${inspected.cells} of ${most} cells`);
    const meter = /** @type {HTMLMeterElement} */ (part("meter"));
    meter.max = most;
    meter.value = Math.min(most, inspected.cells);
    part("cells").classList.toggle("bad", inspected.cells > most);
    this.#showTypes();
    this.showMap();
  }

  /** @param {Figures | null} figures */
  #showFigures(figures) {
    for (const side of SIDES) {
      const one = figures?.sides.find((each) => each.side === side);
      const node = part(`side-${side}`);
      node.replaceChildren(
        make("b", {}, NAMES[side]),
        ...(one ? [make("span", {}, `attack ${one.attack}`), make("span", {}, `defense ${one.defense}`)] : []),
      );
    }
    const facts = figures
      ? [["size", figures.size], ["speed", figures.speed === 1 ? "a cell a turn" : `a cell in ${figures.speed} turns`],
        ["hp", figures.hp], ["range", figures.range]]
      : [["size", "no shape yet"]];
    part("facts").replaceChildren(...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  }
}

/**
 * Return a button that changes the drawing.
 * @param {string} sign
 * @param {string} name
 * @param {() => void} click
 */
function tool(sign, name, click) {
  const isWord = /[a-z]/i.test(sign);
  return make("button", { type: "button", title: name, "aria-label": isWord ? null : name, click }, sign);
}

/** @returns {Army} */
function emptyArmy() {
  const army = { name: "My army", types: [], placements: [] };
  return { ...army, types: [newType(army)] };
}

/**
 * @param {string} id
 * @param {string} event
 * @param {() => unknown} listener
 */
function on(id, event, listener) {
  document.getElementById(id)?.addEventListener(event, listener);
}

/**
 * Put a text into a field, unless it is there: the place of the cursor would be lost.
 * @param {HTMLInputElement} field
 * @param {string} text
 */
function fill(field, text) {
  if (field.value !== text && document.activeElement !== field) field.value = text;
}

/** @param {HTMLElement} node @param {string[]} lines */
function list(node, lines) {
  if ([...node.children].map((line) => line.textContent).join("\n") === lines.join("\n")) return;
  node.replaceChildren(...lines.map((line) => make("li", {}, line)));
}

/** @param {string} words */
function say(words) {
  write(part("said"), words);
}

/** @param {string} text */
function base64(text) {
  let letters = "";
  for (const byte of new TextEncoder().encode(text)) letters += String.fromCharCode(byte);
  return btoa(letters);
}

/** @type {Answer<Offered>} */
const offered = await send("GET", `${API}/designs`);
if (offered.isOk) new Designer(offered).begin();
else {
  part("design-failure").hidden = false;
  part("design-failure").textContent = offered.error;
}
