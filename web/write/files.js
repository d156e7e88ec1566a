// The files of a bot, as tabs.

import { make, mark } from "../shared/elements.js";
import { on, part, say } from "../shared/parts.js";
import { askName } from "./naming.js";

/** @import { DraftStore } from "./draft_store.js" */
/** @import { CodeEditor } from "./types.d.ts" */

const NAME = /^(?:[A-Za-z_]\w*\/){0,3}[A-Za-z_][\w.-]*\.(py|json|txt|csv|toml|md)$/;
const MAIN = /^player_\w*\.py$|^__init__\.py$/;

export class Files {
  shown = "";

  /**
   * @param {DraftStore} store
   * @param {CodeEditor} editor
   * @param {() => void} onShow
   */
  constructor(store, editor, onShow) {
    this.store = store;
    this.editor = editor;
    this.onShow = onShow;
    on("add-file", "click", () => this.add());
    on("rename-file", "click", () => this.rename());
    on("remove-file", "click", () => this.remove());
    part("files").addEventListener("keydown", (event) => this.#key(event));
    this.refresh();
  }

  get names() {
    return this.store.draft.files.map(({ name }) => name);
  }

  /** Show what the draft has now; the text of the file that is shown may be another one. */
  refresh() {
    const { main } = this.store.draft;
    this.editor.keepOnly(this.names);
    if (!this.names.includes(this.shown)) this.shown = this.names.includes(main) ? main : this.names[0];
    this.show(this.shown);
  }

  /** @param {string} name */
  show(name) {
    const file = this.store.file(name);
    if (!file) return;
    this.shown = name;
    this.editor.open(name, file.text);
    this.#draw();
    this.onShow();
  }

  /** Put the text that the draft has into the editor, as a change that can be undone. */
  retype() {
    const file = this.store.file(this.shown);
    if (file) this.editor.replace(file.text);
    if (!file || this.names.length !== part("files").childElementCount) this.refresh();
  }

  async add() {
    const name = await askName("Add a file", "", (typed) => this.#whyNot(typed));
    if (!name) return;
    this.store.add({ name, text: "" });
    this.show(name);
    this.editor.focus();
    say(`added ${name}`);
  }

  async rename() {
    const before = this.shown;
    const name = await askName(`Rename ${before}`, before, (typed) => (typed === before ? "" : this.#whyNot(typed)));
    if (!name || name === before) return;
    this.store.renameFile(before, name);
    this.editor.rename(before, name);
    this.show(name);
    say(`${before} is called ${name} now`);
  }

  remove() {
    const { shown } = this;
    if (this.names.length < 2) {
      say("a bot has at least one file");
      return;
    }
    const size = this.store.file(shown)?.text.trim().length ?? 0;
    if (size && !window.confirm(`Remove ${shown}? Its text stays in the versions that you have kept.`)) return;
    this.store.remove(shown);
    this.refresh();
    say(`removed ${shown}`);
  }

  /** @param {string} name */
  #whyNot(name) {
    if (this.names.includes(name)) return `There is a file ${name} already.`;
    return NAME.test(name) ? "" : "Expected letters, digits and _, and an ending such as .py or .json: paths.py";
  }

  #draw() {
    const { main } = this.store.draft;
    const tabs = this.names.map((name) => {
      const isShown = name === this.shown;
      const title = name === main || MAIN.test(name) ? "The main file: it has the player" : null;
      return make("button", {
        type: "button", role: "tab", title, "aria-selected": String(isShown), tabindex: isShown ? 0 : -1, click: () => this.show(name),
      }, name);
    });
    const hadFocus = part("files").contains(document.activeElement);
    part("files").replaceChildren(...tabs);
    if (hadFocus) tabs[this.names.indexOf(this.shown)]?.focus();
    mark(part("remove-file"), "disabled", this.names.length < 2);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const { names } = this;
    this.show(names[(names.indexOf(this.shown) + step + names.length) % names.length]);
  }
}
