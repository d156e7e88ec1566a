// What is wrong with a bot: found by the check, or in a run. It stands at its line, and in a list.

import { make, write } from "../shared/elements.js";
import { part } from "../shared/parts.js";
import { isTransient, send } from "../shared/requests.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { DraftStore } from "./draft_store.js" */
/** @import { Fault, Finding } from "./types.d.ts" */

const BUSY_MS = 5000; // after there was no answer, or another check of the same author's was not over
const TIMEOUT_MS = 100_000; // many may wait for a check
const WORDS = { error: "Error", warning: "Warning", note: "Note" };

export class Problems {
  /** @type {Finding[]} */
  checked = [];
  /** @type {Finding[]} */
  faults = [];
  isAsking = false;

  /**
   * @param {DraftStore} store
   * @param {{ mark: (findings: Finding[]) => void, goTo: (finding: Finding) => void }} editor
   */
  constructor(store, editor) {
    this.store = store;
    this.editor = editor;
  }

  /** Have the server check what it has; once more if it has something else by then. */
  async check() {
    if (this.isAsking) return;
    this.isAsking = true;
    let edits;
    do {
      edits = this.store.edits;
      write(part("problems-count"), "Checking …");
      /** @type {Answer<{ findings: Finding[] }>} */
      const answer = await send("POST", `${this.store.path}/check`, {}, TIMEOUT_MS);
      if (answer.isOk && edits === this.store.edits) this.show(answer.findings);
      else if (isTransient(answer.status)) setTimeout(() => this.check(), BUSY_MS);
      else if (!answer.isOk) write(part("problems-count"), `Not checked: ${answer.error}`);
    } while (edits !== this.store.edits && !this.store.isDirty);
    this.isAsking = false;
  }

  /** @param {Finding[]} findings  of the check */
  show(findings) {
    this.checked = findings;
    this.#draw();
  }

  goToFirst() {
    const first = this.checked.find(({ severity, line }) => severity === "error" && line);
    if (first) this.editor.goTo(first);
  }

  /** @param {Fault[]} faults  of a run */
  showFaults(faults) {
    /** @type {Map<string, Finding>} */
    const byPlace = new Map();
    for (const { file, line, text, hint, turn } of faults) {
      const place = `${file}:${line}:${text}`;
      const words = turn ? `${text} (turn ${turn})` : text;
      if (!byPlace.has(place)) byPlace.set(place, { file, line, severity: "error", text: words, hint });
    }
    this.faults = [...byPlace.values()];
    this.#draw();
  }

  #draw() {
    const all = [...this.checked, ...this.faults];
    const errors = all.filter(({ severity }) => severity === "error").length;
    write(part("problems-count"), describeCount(all.filter(({ severity }) => severity !== "note").length, errors));
    part("problems").classList.toggle("has-errors", errors > 0);
    const items = all.map((finding) => {
      const { file, line, severity, text, hint } = finding;
      const place = line ? `${file}:${line}` : "";
      return make("li", { class: `is-${severity}` },
        make("button", { type: "button", click: () => this.editor.goTo(finding) },
          make("b", {}, WORDS[severity]), " ", make("span", {}, text), " ", make("small", {}, place)),
        ...(hint ? [make("p", { class: "quiet" }, hint)] : []),
      );
    });
    part("findings").replaceChildren(...items);
    this.editor.mark(all);
  }
}

/**
 * @param {number} count
 * @param {number} errors
 */
function describeCount(count, errors) {
  if (!count) return "No problems found";
  const found = `${count} ${count === 1 ? "problem" : "problems"}`;
  return errors && errors < count ? `${found}, of which ${errors} ${errors === 1 ? "is an error" : "are errors"}` : found;
}
