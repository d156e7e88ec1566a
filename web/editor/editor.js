// The editor of bots: CodeMirror, with Python, in the colors of the site.
//
// It stands in a shadow root: there its styles are sheets made by script, which the content policy
// allows, while in a document they would be <style> elements, which it forbids.

import { acceptCompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorSelection, EditorState } from "@codemirror/state";
import {
  EditorView,
  crosshairCursor,
  drawSelection,
  dropCursor,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { makeExtensions } from "./known_names.js";
import { colors } from "./colors.js";

/** @import { Extension } from "@codemirror/state" */
/** @import { ApiEntry, CodeEditor, EditorOptions, Finding } from "../write/types.d.ts" */

const INDENT = "    ";

/** @implements {CodeEditor} */
class CodeMirrorEditor {
  isPlain = false;
  name = "";
  /** @type {Map<string, EditorState>} */
  #states = new Map(); // of the files that are not shown: text, selection and history
  #names = new Compartment();
  /** @type {ApiEntry[]} */
  #entries = [];
  #isQuiet = false;

  /**
   * @param {HTMLElement} host
   * @param {EditorOptions} options
   */
  constructor(host, options) {
    this.options = options;
    const root = host.attachShadow({ mode: "open" });
    this.view = new EditorView({ root, parent: root, state: this.#makeState("") });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  get line() {
    const { state } = this.view;
    return state.doc.lineAt(state.selection.main.head).number;
  }

  /**
   * Show a file. Its history is kept while others are shown.
   * @param {string} name
   * @param {string} text
   */
  open(name, text) {
    if (this.name) this.#states.set(this.name, this.view.state);
    const kept = this.#states.get(name);
    this.name = name;
    const isSame = kept?.doc.toString() === text;
    this.view.setState(kept && isSame ? kept : this.#makeState(text));
    this.know(this.#entries); // which may have come after that state was made
  }

  /**
   * Replace the text of the file that is shown, as one change that can be undone.
   * @param {string} text
   */
  replace(text) {
    if (text === this.text) return;
    this.#isQuiet = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.#isQuiet = false;
  }

  /** @param {string[]} names  of the files that there are */
  keepOnly(names) {
    for (const name of this.#states.keys()) if (!names.includes(name)) this.#states.delete(name);
    if (!names.includes(this.name)) this.name = "";
  }

  /**
   * @param {string} before
   * @param {string} after
   */
  rename(before, after) {
    const state = this.#states.get(before);
    this.#states.delete(before);
    if (state) this.#states.set(after, state);
    if (this.name === before) this.name = after;
  }

  /**
   * Insert lines below the one where the cursor is, as deep as it.
   * @param {string} code
   */
  insert(code) {
    const { state } = this.view;
    const line = state.doc.lineAt(state.selection.main.head);
    const depth = /^\s*/.exec(line.text)?.[0] ?? "";
    const lines = code.trimEnd().split("\n").map((each) => (each ? depth + each : ""));
    const isEmpty = !line.text.trim();
    const insert = isEmpty ? lines.join("\n") : `\n${lines.join("\n")}`;
    const from = isEmpty ? line.from : line.to;
    const selection = EditorSelection.range(from + (isEmpty ? 0 : 1), from + insert.length);
    this.view.dispatch({ changes: { from, to: line.to, insert }, selection, scrollIntoView: true, userEvent: "input.paste" });
    this.focus();
  }

  /** @param {Finding[]} findings */
  mark(findings) {
    const { state } = this.view;
    const diagnostics = findings.map(({ line, severity, text, hint }) => {
      const at = state.doc.line(Math.min(Math.max(1, line ?? 1), state.doc.lines));
      const from = at.from + (/\S/.exec(at.text)?.index ?? 0);
      /** @type {"error" | "warning" | "info"} */
      const kind = severity === "note" ? "info" : severity;
      return { from, to: at.to, severity: kind, message: hint ? `${text}\n${hint}` : text };
    });
    this.view.dispatch(setDiagnostics(state, diagnostics.sort((a, b) => a.from - b.from)));
  }

  /**
   * Put the cursor at a line, in the middle of what is seen.
   * @param {number} line
   */
  goTo(line) {
    const { doc } = this.view.state;
    const anchor = doc.line(Math.min(Math.max(1, line), doc.lines)).from;
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.focus();
  }

  /** @param {ApiEntry[]} entries  what the game gives a bot */
  know(entries) {
    this.#entries = entries;
    this.view.dispatch({ effects: this.#names.reconfigure(this.#completions()) });
  }

  focus() {
    this.view.focus();
  }

  #completions() {
    return makeExtensions(this.#entries);
  }

  /** @param {string} doc */
  #makeState(doc) {
    return EditorState.create({ doc, extensions: this.#extensions() });
  }

  /** @returns {Extension[]} */
  #extensions() {
    const { label, onChange, onRun, onSave } = this.options;
    /** @param {() => void} act */
    const does = (act) => () => (act(), true);
    return [
      keymap.of([
        { key: "Mod-Enter", run: does(onRun) },
        { key: "Mod-s", run: does(onSave), preventDefault: true },
        // Escape lets the next Tab leave the editor (CodeMirror's own way for keyboards).
        { key: "Tab", run: (view) => acceptCompletion(view) || indentMore(view), shift: indentLess },
      ]),
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      foldGutter(),
      drawSelection(),
      dropCursor(),
      EditorState.allowMultipleSelections.of(true),
      indentUnit.of(INDENT),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      rectangularSelection(),
      crosshairCursor(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      python(),
      lintGutter(),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", "data-gramm": "false", autocapitalize: "off", autocorrect: "off" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !this.#isQuiet) onChange(update.state.doc.toString());
      }),
      EditorView.domEventHandlers({ beforeinput: (event, view) => replaces(event, view) }),
      colors,
      this.#names.of(this.#completions()),
    ];
  }
}

/**
 * Replace a selection by what is typed. A browser that did so itself would keep the color of what was
 * there by a style attribute, which the content policy forbids.
 * @param {InputEvent} event
 * @param {EditorView} view
 */
function replaces({ inputType, data }, view) {
  const { state } = view;
  const { from, to, empty } = state.selection.main;
  if (empty || !data || inputType !== "insertText" || view.composing || state.selection.ranges.length > 1) return false;
  const insert = () => state.update(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
  const isTaken = state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, data, insert)); // such as brackets around it
  if (!isTaken) view.dispatch(insert());
  return true;
}

/**
 * Return an editor that stands in an element.
 * @param {HTMLElement} host
 * @param {EditorOptions} options
 * @returns {CodeEditor}
 */
export function createEditor(host, options) {
  return new CodeMirrorEditor(host, options);
}
