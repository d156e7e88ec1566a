// What the bot said in a run, its faults, and the CPU time that it took, turn by turn.

import { draw, make, mark, write } from "../shared/elements.js";
import { part } from "../shared/parts.js";

/** @import { Fault, LogLine, RunNotes } from "./types.d.ts" */

const MAX_LINES = 300; // of the list, besides faults: those around the turn that is shown
const MAX_LINES_BEFORE = 100;
const ABOVE_PX = 4;

/** @typedef {Fault | LogLine} Line */

export class Output {
  /** @type {Line[]} */
  lines = [];
  /** @type {Fault[]} */
  faults = [];
  /** @type {Map<number, number>} */
  cpu = new Map();
  turn = 0;
  /** @type {Line[]} */
  listed = [];

  /** @param {{ goToTurn: (turn: number) => void, goToFault: (fault: Fault) => void }} listener */
  constructor(listener) {
    this.listener = listener;
    part("cpu-chart").addEventListener("click", ({ clientX }) => {
      const { left, width } = part("cpu-chart").getBoundingClientRect();
      listener.goToTurn(Math.max(1, Math.ceil(((clientX - left) / width) * this.#turns)));
    });
  }

  get #turns() {
    return Math.max(1, ...this.cpu.keys());
  }

  clear() {
    this.lines = [];
    this.faults = [];
    this.cpu.clear();
    this.turn = 0;
    this.#drawCpu();
    this.show(0);
  }

  /** @param {RunNotes} notes  those that were not taken before */
  add({ faults, log, cpu }) {
    this.faults.push(...faults);
    if (faults.length || log.length) this.lines = [...this.lines, ...log, ...faults].sort((a, b) => a.turn - b.turn);
    for (const { turn, ms } of cpu) this.cpu.set(turn, ms);
    if (cpu.length) this.#drawCpu();
    this.show(this.turn);
  }

  /** @param {number} turn */
  show(turn) {
    this.turn = turn;
    this.#list();
    this.#tellCpu();
  }

  #list() {
    const at = this.lines.findIndex((line) => line.turn >= this.turn);
    const here = at < 0 ? this.lines.length : at;
    const first = Math.max(0, Math.min(here - MAX_LINES_BEFORE, this.lines.length - MAX_LINES));
    part("output-empty").hidden = this.lines.length > 0;
    this.#relist(this.lines.filter((line, index) => "values" in line || (index >= first && index < first + MAX_LINES)));
    /** @type {HTMLElement | null} */
    let shown = null;
    for (const item of part("output").children) {
      const isNow = Number(/** @type {HTMLElement} */ (item).dataset.turn) === this.turn;
      item.classList.toggle("now", isNow);
      if (isNow) shown ??= /** @type {HTMLElement} */ (item);
    }
    const panel = part("panel-output");
    if (shown && !panel.matches(":hover, :focus-within")) panel.scrollTop = shown.offsetTop - part("cpu").offsetHeight - ABOVE_PX;
  }

  /**
   * List lines. What is listed already stays, for somebody may be about to click it.
   * @param {Line[]} lines
   */
  #relist(lines) {
    let same = 0;
    while (same < lines.length && lines[same] === this.listed[same]) same++;
    const list = part("output");
    for (let count = list.childElementCount; count > same; count--) list.lastElementChild?.remove();
    list.append(...lines.slice(same).map((line) => this.#item(line)));
    this.listed = lines;
  }

  /** @param {Line} line */
  #item(line) {
    const { turn, piece, text } = line;
    const who = piece ? [make("span", { class: "piece", title: "number of the piece" }, `#${piece}`)] : [];
    const toTurn = make("button", { type: "button", class: "to-turn", title: "Show this turn", click: () => this.listener.goToTurn(turn) }, turn ? `turn ${turn}` : "start");
    if (!("values" in line)) return make("li", { "data-turn": turn, class: `log-${line.kind}` }, toTurn, ...who, make("span", { class: "text" }, text));
    return this.#fault(line, toTurn, who);
  }

  /**
   * @param {Fault} fault
   * @param {HTMLElement} toTurn
   * @param {HTMLElement[]} who
   */
  #fault(fault, toTurn, who) {
    const { turn, text, hint, traceback } = fault;
    const place = fault.line ? `${fault.file}:${fault.line}` : "";
    const toLine = make("button", { type: "button", class: "to-line", title: "Show this line", click: () => this.listener.goToFault(fault) }, place);
    const values = fault.values.map(({ name, value }) => make("div", {}, make("dt", {}, name), make("dd", {}, value)));
    const more = traceback ? [make("details", {}, make("summary", {}, "Traceback"), make("pre", { tabindex: 0 }, traceback))] : [];
    return make("li", { "data-turn": turn, class: "fault" }, toTurn, ...who, ...(place ? [toLine] : []), make("span", { class: "text" }, text),
      ...(hint ? [make("p", {}, hint)] : []), ...(values.length ? [make("dl", {}, ...values)] : []), ...more);
  }

  #drawCpu() {
    part("cpu").hidden = !this.cpu.size;
    if (!this.cpu.size) return;
    const most = Math.max(...this.cpu.values(), 0.001);
    const turns = this.#turns;
    const bars = [...this.cpu].map(([turn, ms]) => `M${turn - 0.9} 40V${(40 - (38 * ms) / most).toFixed(2)}h.8V40z`).join("");
    mark(part("cpu-chart"), "viewBox", `0 0 ${turns} 40`);
    part("cpu-chart").replaceChildren(draw("path", { d: bars }), draw("rect", { class: "now", y: "0", width: "1", height: "40" }));
    const [turn] = [...this.cpu].reduce((a, b) => (b[1] > a[1] ? b : a));
    write(part("cpu-most"), `most: ${milliseconds(most)} in turn ${turn}`);
  }

  #tellCpu() {
    if (!this.cpu.size) return;
    const ms = this.cpu.get(this.turn);
    write(part("cpu-now"), ms === undefined ? "CPU" : `turn ${this.turn}: ${milliseconds(ms)} CPU`);
    const now = part("cpu-chart").querySelector(".now");
    if (now) mark(now, "x", Math.max(0, this.turn - 1));
  }
}

/** @param {number} ms */
function milliseconds(ms) {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
