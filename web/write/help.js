// What a game gives a bot, and examples that can be inserted.

import { make } from "../shared/elements.js";
import { input, part, say } from "../shared/parts.js";
import { send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { ApiEntry, CodeEditor, WritingHelp } from "./types.d.ts" */

const MAX_OPEN = 12; // entries that are found, of which the texts are shown at once

export class Help {
  /** @type {WritingHelp} */
  help = { entries: [], examples: [], rules: "", guide: "" };

  /**
   * @param {string} game
   * @param {CodeEditor} editor
   */
  constructor(game, editor) {
    this.game = game;
    this.editor = editor;
    input("help-search").addEventListener("input", () => this.#draw());
  }

  async load() {
    /** @type {Answer<WritingHelp>} */
    const answer = await send("GET", `${SITE}/api/v1/writing/${this.game}`);
    if (!answer.isOk) return;
    this.help = answer;
    this.editor.know(answer.entries);
    part("rules").setAttribute("href", SITE + answer.rules);
    part("guide").setAttribute("href", SITE + answer.guide);
    this.#draw();
  }

  #draw() {
    const { entries, examples } = this.help;
    const wanted = input("help-search").value.trim().toLowerCase();
    /** @param {string[]} texts */
    const isWanted = (...texts) => !wanted || texts.some((text) => text.toLowerCase().includes(wanted));
    const shown = examples.filter(({ title, text, code }) => isWanted(title, text, code));
    part("examples").replaceChildren(...shown.map(({ title, text, code }) => this.#example(title, text, code)));
    const found = entries.filter(({ name, of, text }) => isWanted(name, of, wanted.length > 3 ? text : ""));
    const isOpen = wanted !== "" && found.length <= MAX_OPEN;
    const groups = [...new Set(found.map(({ of }) => of))];
    part("entries").replaceChildren(...groups.map((of) => group(of, found.filter((entry) => entry.of === of), isOpen)));
    if (!shown.length && !found.length && wanted) part("entries").replaceChildren(make("p", { class: "quiet" }, `Nothing has “${wanted}” in it.`));
  }

  /**
   * @param {string} title
   * @param {string} text
   * @param {string} code
   */
  #example(title, text, code) {
    const insert = make("button", { type: "button", "aria-label": `Insert: ${title}`, click: () => {
      this.editor.insert(code);
      say(`inserted: ${title}`);
    } }, "Insert");
    return make("details", {}, make("summary", {}, title), make("p", { class: "quiet" }, text),
      make("pre", { tabindex: 0 }, make("code", {}, code)), insert);
  }
}

/**
 * @param {string} of
 * @param {ApiEntry[]} entries
 * @param {boolean} isOpen
 */
function group(of, entries, isOpen) {
  const items = entries.flatMap((entry) => [make("dt", {}, make("code", {}, formatSignature(entry))), make("dd", {}, entry.text)]);
  return make("details", { open: isOpen }, make("summary", {}, of || "Names to import", " ", make("small", {}, entries.length)), make("dl", {}, ...items));
}

/** @param {ApiEntry} entry */
function formatSignature({ name, kind, signature }) {
  if (kind === "class") return `class ${name}`;
  return kind === "method" || kind === "function" ? name + signature.replace(/^\(self(, )?/, "(") : `${name}: ${signature}`;
}
