// The editor where the built one is missing, or where somebody prefers it: a text area.

import { make } from "../shared/elements.js";

/** @import { CodeEditor, EditorOptions, Finding } from "./types.d.ts" */

const INDENT = "    ";

/** @implements {CodeEditor} */
export class PlainEditor {
  isPlain = true;
  name = "";
  isLeaving = false; // Escape was pressed: the next Tab leaves
  /** @type {Finding[]} */
  findings = [];

  /**
   * @param {HTMLElement} host
   * @param {EditorOptions} options
   */
  constructor(host, options) {
    this.options = options;
    this.numbers = make("pre", { class: "line-numbers", "aria-hidden": "true" });
    /** @type {HTMLTextAreaElement} */
    this.area = make("textarea", {
      class: "plain-code", "aria-label": options.label, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      input: () => this.#onChange(),
      keydown: (event) => this.#key(event),
      scroll: () => this.#onScroll(),
    });
    host.append(make("div", { class: "plain-editor" }, this.numbers, this.area));
  }

  get text() {
    return this.area.value;
  }

  get line() {
    return this.text.slice(0, this.area.selectionStart).split("\n").length;
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  open(name, text) {
    const isSame = name === this.name && text === this.text;
    this.name = name;
    if (isSame) return;
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = 0;
    this.#number();
  }

  /** @param {string} text */
  replace(text) {
    if (text === this.text) return;
    const { selectionStart, scrollTop } = this.area;
    this.area.value = text;
    this.area.setSelectionRange(selectionStart, selectionStart);
    this.area.scrollTop = scrollTop;
    this.#number();
  }

  keepOnly() {}

  /**
   * @param {string} before
   * @param {string} after
   */
  rename(before, after) {
    if (this.name === before) this.name = after;
  }

  /** @param {string} code */
  insert(code) {
    const line = this.text.split("\n")[this.line - 1];
    const depth = /^\s*/.exec(line)?.[0] ?? "";
    const lines = code.trimEnd().split("\n").map((each) => (each ? depth + each : ""));
    const end = this.text.indexOf("\n", this.area.selectionStart);
    const at = end < 0 ? this.text.length : end;
    const isEmpty = !line.trim();
    this.focus();
    this.area.setSelectionRange(isEmpty ? at - line.length : at, at);
    this.#type(`${isEmpty ? "" : "\n"}${lines.join("\n")}`);
  }

  /** @param {Finding[]} findings */
  mark(findings) {
    this.findings = findings;
    this.#number();
  }

  /** @param {number} line */
  goTo(line) {
    const lines = this.text.split("\n");
    const row = Math.min(Math.max(1, line), lines.length) - 1;
    const start = lines.slice(0, row).reduce((sum, each) => sum + each.length + 1, 0);
    this.focus();
    this.area.setSelectionRange(start, start + lines[row].length);
    const height = this.area.scrollHeight / lines.length;
    this.area.scrollTop = Math.max(0, height * row - this.area.clientHeight / 2);
  }

  know() {}

  focus() {
    this.area.focus();
  }

  #onChange() {
    this.#number();
    this.options.onChange(this.text);
  }

  // The numbers of lines, with a sign at those where something is wrong.
  #number() {
    const wrong = new Map(this.findings.map(({ line, severity }) => [line, severity]));
    const count = this.text.split("\n").length;
    const rows = Array.from({ length: count }, (_, i) => {
      const kind = wrong.get(i + 1);
      return make("span", kind ? { class: `at-${kind}` } : {}, `${kind ? "●" : ""}${i + 1}\n`);
    });
    this.numbers.replaceChildren(...rows);
    this.#onScroll();
  }

  #onScroll() {
    this.numbers.scrollTop = this.area.scrollTop;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key === "Enter") this.#does(event, this.options.onRun);
    else if (isCommand && event.key === "s") this.#does(event, this.options.onSave);
    else if (event.key === "Tab" && !isCommand && !event.altKey && !this.isLeaving) {
      this.#does(event, () => (event.shiftKey ? this.#indentLess() : this.#indent()));
    } else if (event.key === "Enter" && !isCommand && !event.isComposing) this.#does(event, () => this.#newLine());
    if (event.key !== "Shift") this.isLeaving = event.key === "Escape";
  }

  /**
   * @param {KeyboardEvent} event
   * @param {() => void} act
   */
  #does(event, act) {
    event.preventDefault();
    act();
  }

  #indent() {
    const { selectionStart: start, selectionEnd: end } = this.area;
    if (start === end) this.#type(INDENT);
    else this.#changeLines((line) => (line ? INDENT + line : line));
  }

  #indentLess() {
    this.#changeLines((line) => line.replace(/^ {1,4}/, ""));
  }

  #newLine() {
    const before = this.text.slice(0, this.area.selectionStart).split("\n").at(-1) ?? "";
    const depth = /^\s*/.exec(before)?.[0] ?? "";
    this.#type(`\n${depth}${/:\s*(#.*)?$/.test(before) ? INDENT : ""}`);
  }

  /** @param {(line: string) => string} change */
  #changeLines(change) {
    const { selectionStart, selectionEnd } = this.area;
    const start = this.text.lastIndexOf("\n", selectionStart - 1) + 1;
    const after = this.text.indexOf("\n", Math.max(selectionStart, selectionEnd - 1));
    const end = after < 0 ? this.text.length : after;
    const lines = this.text.slice(start, end).split("\n").map(change).join("\n");
    this.area.setSelectionRange(start, end);
    this.#type(lines);
    this.area.setSelectionRange(start, start + lines.length);
  }

  /**
   * Type a text in place of the selection, so that the browser can undo it.
   * @param {string} text
   */
  #type(text) {
    // The one way by which a browser takes a change of a script into what can be undone.
    if (document.execCommand("insertText", false, text)) return;
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
    this.#onChange();
  }
}
