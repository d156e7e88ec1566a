// The course of a game: steps, each with a goal that a match decides, a hint, and the next step.

import { make, mark } from "../shared/elements.js";
import { part, say } from "../shared/parts.js";
import { send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";
import { hasCourse } from "./chooser.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { DraftStore } from "./draft_store.js" */
/** @import { Panels } from "./panels.js" */
/** @import { Runner } from "./runner.js" */
/** @import { CodeEditor, CourseAnswer, CourseStep, Learner, Run, TryAnswer } from "./types.d.ts" */

export class Course {
  /** @type {CourseStep[]} */
  steps = [];
  number = 1; // of the step that is shown
  tried = ""; // the run with which it was tried last
  /** @type {TryAnswer | null} */
  result = null;

  /**
   * @param {DraftStore} store
   * @param {CodeEditor} editor
   * @param {Runner} runner
   */
  constructor(store, editor, runner) {
    this.store = store;
    this.editor = editor;
    this.runner = runner;
    this.path = `${SITE}/api/v1/courses/${store.draft.game}`;
  }

  /** @param {Panels} panels */
  async load(panels) {
    const tab = part("tab-course");
    if (!hasCourse(this.store.draft.game)) return;
    await this.#ask();
    if (!this.steps.length) return;
    tab.hidden = false;
    if (location.hash === "#course") panels.show(tab);
    if ("organizer" in tab.dataset) this.#showPeople();
  }

  /** @param {Run} run  that is over */
  async judge(run) {
    if (run.id !== this.tried) return;
    /** @type {Answer<TryAnswer>} */
    const answer = await send("GET", `${this.path}/tries/${run.id}`);
    if (!answer.isOk) return;
    this.result = answer;
    say(answer.words);
    await this.#ask(true);
    part("panel-course").scrollTop = 0;
  }

  async #ask(stays = false) {
    /** @type {Answer<CourseAnswer>} */
    const answer = await send("GET", this.path);
    if (!answer.isOk) return;
    this.steps = answer.steps;
    if (!stays) this.number = answer.next ?? answer.steps.length;
    this.#draw();
  }

  /** @param {number} number */
  #show(number) {
    this.number = number;
    this.result = null;
    this.#draw();
  }

  async #try() {
    this.result = null;
    this.#draw();
    const begun = await this.runner.play(() => send("POST", `${this.path}/steps/${this.number}/try`, { draft: this.store.draft.id }).then((answer) => makeRun(answer)));
    this.tried = begun ? (this.runner.run?.id ?? "") : "";
  }

  #draw() {
    const step = this.steps[this.number - 1];
    if (!step) return;
    const { title, text, task, hint, code } = step;
    const insert = make("button", { type: "button", click: () => this.editor.insert(code) }, "Insert these lines");
    const lines = code ? [make("pre", { tabindex: 0 }, make("code", {}, code.trim())), insert] : [];
    part("course").replaceChildren(
      this.#progress(),
      make("div", { class: "course-head" }, make("h3", {}, `Step ${this.number} of ${this.steps.length}: ${title}`),
        make("button", { type: "button", class: "primary", click: () => this.#try() }, "Try it")),
      ...this.#came(),
      make("p", {}, ...formatCode(text)),
      make("p", { class: "task" }, make("b", {}, "Task: "), ...formatCode(task)),
      make("details", {}, make("summary", {}, "Hint"), make("p", {}, ...formatCode(hint)), ...lines),
    );
  }

  #progress() {
    const marks = this.steps.map(({ number, title, is_done: isDone }) => {
      const button = make("button", { type: "button", title, class: isDone ? "done" : "", click: () => this.#show(number) }, isDone ? "✓" : number);
      mark(button, "aria-label", `Step ${number}, ${title}${isDone ? ", done" : ""}`);
      mark(button, "aria-current", number === this.number ? "step" : null);
      return button;
    });
    return make("div", { class: "course-steps", role: "group", "aria-label": "Steps" }, ...marks);
  }

  #came() {
    const { result } = this;
    if (!result || result.step !== this.number) return [];
    const goals = result.goals.map(({ words, counted, is_met: isMet }) =>
      make("li", { class: isMet ? "met" : "" }, make("span", { "aria-label": isMet ? "met:" : "not met:" }, isMet ? "✓" : "✗"), ` ${words} (counted: ${counted})`),
    );
    const { next } = result;
    const on = result.is_done && next !== null ? [make("button", { type: "button", class: "primary", click: () => this.#show(next) }, "Next step")] : [];
    return [make("div", { class: "came-of", role: "status" }, make("p", {}, make("b", {}, result.words)), make("ul", {}, ...goals), ...on)];
  }

  // For an organizer: who has come how far.
  async #showPeople() {
    /** @type {Answer<{ people: Learner[] }>} */
    const answer = await send("GET", `${this.path}/people`);
    if (!answer.isOk) return;
    const rows = answer.people.map(({ name, done, tries }) =>
      make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, done.length ? done.join(", ") : "none"), make("td", {}, tries)),
    );
    const head = make("tr", {}, ...["Name", "Steps done", "Tries"].map((name) => make("th", { scope: "col" }, name)));
    part("course-people").hidden = false;
    part("course-table").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
  }
}

/**
 * Return a text, in which what stands between backticks is code.
 * @param {string} text
 */
function formatCode(text) {
  return text.split("`").map((part, at) => (at % 2 ? make("code", {}, part) : part));
}

/**
 * Return the run of a try that was begun, or why it was not.
 * @param {any} answer
 */
function makeRun(answer) {
  return answer.isOk ? { ...answer.run, isOk: true, status: answer.status } : answer;
}
