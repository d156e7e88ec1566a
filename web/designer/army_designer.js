// An army is drawn: its types, how they behave, and where they stand. What is right and what is wrong, all
// figures, and where there is room, comes from the server: no rule stands here.

import { make, mark, write } from "../shared/elements.js";
import { API, send } from "../shared/requests.js";
import { BehaviorPanel } from "./behavior_panel.js";
import { Drawing } from "./drawing.js";
import { showFigures } from "./figures.js";
import { choice, fill, input, list, on, part, say } from "../shared/parts.js";
import { READY, TURNS, makePicture, shift } from "./shapes.js";
import { Store, newType } from "./store.js";
import { ZoneMap, inRows } from "./zone_map.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { Army, Grid, Inspected, Offered } from "./types.d.ts" */

const WRITTEN = "written";
const PAUSE_MS = 120; // the server is asked once nothing was changed for so long
const MAX_TYPES = 26;
const MOVES = /** @type {const} */ ([["←", "left", -1, 0], ["→", "right", 1, 0], ["↑", "up", 0, -1], ["↓", "down", 0, 1]]);

export class ArmyDesigner {
  /** @type {Inspected} */
  inspected = { figures: [], cells: 0, mistakes: [] };
  asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {Offered} offered
   * @param {boolean} isMember  whether the server keeps what is drawn
   * @param {string} key  by which the browser keeps it; "" where it does not
   */
  constructor(offered, isMember, key) {
    this.offered = offered;
    this.store = new Store(isMember, () => this.onChange(), key);
    this.drawing = new Drawing(part("drawing"), (rows) =>
      this.store.change(`draw ${this.store.type}`, (army) => (army.types[this.store.type].rows = rows)),
    );
    this.behavior = new BehaviorPanel(this.store, offered.behaviors);
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

  setUp() {
    this.#listen();
    this.#offer();
    this.onChange();
    part("designer").hidden = false;
  }

  /** @returns {Grid} */
  get grid() {
    const { grids } = this.offered;
    return grids.find((grid) => grid.name === this.store.grid) ?? grids[0];
  }

  #offer() {
    const { offered } = this;
    choice("grid").append(...offered.grids.map(({ name, max_cells }) => make("option", { value: name }, `${name}, ${max_cells} cells`)));
    choice("start-from").append(
      make("option", { value: "" }, "…"),
      make("option", { value: "-1" }, "an empty sheet"),
      ...offered.armies.map(({ name }, at) => make("option", { value: at }, name)),
    );
    part("ready").append(
      ...READY.map(([name, rows]) =>
        make("button", { type: "button", title: name, "aria-label": name, click: () => this.use(rows) }, makePicture(rows, 0)),
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
        ...MOVES.map(([sign, name, dx, dy]) => tool(sign, `Move ${name}`, () => this.drawing.change((rows) => shift(rows, dx, dy)))),
        tool("+", "Larger cells", () => this.drawing.resize(-1)),
        tool("−", "Smaller cells, on a larger sheet", () => this.drawing.resize(1)),
      ),
    );
  }

  #listen() {
    const { store } = this;
    on("army-name", "input", () => store.change("name", (army) => (army.name = input("army-name").value)));
    on("grid", "change", () => store.set({ grid: choice("grid").value, chosen: null }));
    on("start-from", "change", () => this.start(choice("start-from").value));
    on("undo", "click", () => this.undo());
    on("open", "click", () => input("file").click());
    on("file", "change", () => this.open());
    on("download", "click", () => this.download());
    on("add-type", "click", () => this.addType());
    on("remove-type", "click", () => this.removeType());
    on("type-name", "input", () => this.store.changeType("type name", (drawn) => (drawn.name = input("type-name").value.replace(/\s/g, "_"))));
    on("fill", "click", () => this.fill(Math.max(1, Number(input("count").value) || 1)));
    on("fill-up", "click", () => this.fill(500));
    on("remove-shape", "click", () => this.removeShapes((_, at) => at === store.chosen));
    on("remove-shapes", "click", () => this.removeShapes(([type]) => type === store.type));
    on("all-rows", "change", () => this.showMap());
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
    this.store.changeType("use", (drawn) => (drawn.rows = rows));
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
    if (this.showRefusal(answer)) return;
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
    if (this.showRefusal(answer)) return;
    const { name, types, placements } = answer;
    this.store.replace({ name, types, placements });
    say(`opened ${name}`);
  }

  async download() {
    const file = await this.file();
    if (!file) return;
    const address = URL.createObjectURL(new Blob([file.source], { type: "text/x-python" }));
    make("a", { href: address, download: file.name }).click();
    URL.revokeObjectURL(address);
  }

  async file() {
    /** @type {Answer<{ name: string, source: string }>} */
    const answer = await send("POST", `${API}/designs/file`, { army: this.store.army, preset: this.store.grid });
    return this.showRefusal(answer) ? null : answer;
  }

  /**
   * @param {Answer<unknown>} answer
   * @returns {answer is import("../shared/types.d.ts").Refused}
   */
  showRefusal(answer) {
    part("go-why").textContent = answer.isOk ? "" : answer.error;
    return !answer.isOk;
  }

  // ---- what is shown

  onChange() {
    if (!this.map) return; // it is being made
    this.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.inspect(), PAUSE_MS);
    this.scheduleSave();
  }

  /** Keep what is drawn, where that is more than the store does. */
  scheduleSave() {}

  async inspect() {
    const number = ++this.asked;
    const { army, grid: preset } = this.store;
    /** @type {Answer<Inspected>} */
    const answer = await send("POST", `${API}/designs/inspect`, { army, preset });
    if (number !== this.asked) return;
    if (answer.isOk) this.inspected = answer;
    else this.inspected.mistakes = [{ words: answer.error, type: null, placement: null }];
    this.showInspection();
  }

  show() {
    const { store } = this;
    const { army, drawn } = store;
    fill(input("army-name"), army.name);
    fill(input("type-name"), drawn.name);
    choice("grid").value = this.grid.name;
    this.drawing.show(drawn.rows);
    mark(part("drawing"), "class", `ink-${store.type % 8}`);
    this.behavior.show();
    this.#showTypes();
    this.showMap();
    mark(part("undo"), "disabled", !store.past.length);
    mark(part("add-type"), "disabled", army.types.length >= MAX_TYPES);
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
        makePicture(rows, at),
        make("span", {}, make("b", {}, name || "no name"), make("small", {}, words.join(" · "))),
      );
      if (wrong.has(at)) button.append(make("span", { class: "bad", title: "something is wrong" }, "!"));
      return make("li", {}, button);
    });
    const hadFocus = part("types").contains(document.activeElement);
    part("types").replaceChildren(...items);
    if (hadFocus) part("types").querySelectorAll("button")[type]?.focus();
  }

  showInspection() {
    const { inspected, store } = this;
    showFigures(inspected.figures[store.type] ?? null);
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
