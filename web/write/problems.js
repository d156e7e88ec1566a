// What is wrong with a bot: found by the check, or in a run. It stands at its line, and in a list.

import { make, write } from "../shared/elements.js";
import { part } from "../shared/parts.js";
import { send } from "../shared/requests.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { DraftStore } from "./draft_store.js" */
/** @import { Fault, Finding } from "./types.d.ts" */

const WORDS = { error: "Error", warning: "Warning", note: "Note" };

export class Problems {
  /** @type {Finding[]} */
  checked = [];
  /** @type {Finding[]} */
  faults = [];
  asked = 0;

  /**
   * @param {DraftStore} store
   * @param {{ mark: (findings: Finding[]) => void, goTo: (finding: Finding) => void }} editor
   */
  constructor(store, editor) {
    this.store = store;
    this.editor = editor;
  }

  /** Have the server check what it has. */
  async check() {
    const number = ++this.asked;
    const { edits } = this.store;
    /** @type {Answer<{ findings: Finding[] }>} */
    const answer = await send("POST", `${this.store.path}/check`, {});
    if (number !== this.asked || edits !== this.store.edits || !answer.isOk) return;
    this.show(answer.findings);
  }

  /** @param {Finding[]} findings  of the check */
  show(findings) {
    this.checked = findings;
    this.#draw();
  }

  /** @param {Fault[]} faults  of a run */
  showFaults(faults) {
    /** @type {Map<string, Finding>} */
    const byPlace = new Map();
    for (const { file, line, column, text, turn } of faults) {
      const place = `${file}:${line}`;
      if (line && !byPlace.has(place)) byPlace.set(place, { file, line, column, severity: "error", text: `${text} (turn ${turn})`, hint: "" });
    }
    this.faults = [...byPlace.values()];
    this.#draw();
  }

  #draw() {
    const all = [...this.checked, ...this.faults];
    const errors = all.filter(({ severity }) => severity === "error").length;
    write(part("problems-count"), wordsOf(all.length, errors));
    part("problems").classList.toggle("wrong", errors > 0);
    const items = all.map((finding) => {
      const { file, line, severity, text, hint } = finding;
      const place = line ? `${file}:${line}` : file;
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
function wordsOf(count, errors) {
  if (!count) return "No problems found";
  const found = `${count} ${count === 1 ? "problem" : "problems"}`;
  return errors && errors < count ? `${found}, of which ${errors} ${errors === 1 ? "is an error" : "are errors"}` : found;
}
