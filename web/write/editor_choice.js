// The editor: the built one, or a text area where that is missing or not wanted.

import { input } from "../shared/parts.js";
import { SITE } from "../shared/site.js";
import { browserStorage } from "../shared/storage.js";
import { PlainEditor } from "./plain_editor.js";

/** @import { CodeEditor, EditorOptions } from "./types.d.ts" */

const KEY = "write-plain-editor";
const BUILT = `${SITE}/static/bundles/editor.js`; // has null in place of a function where it was not built

/** @type {Promise<((host: HTMLElement, options: EditorOptions) => CodeEditor) | null> | undefined} */
let loading;

/** Begin to load the editor, while the server is asked for the text. */
export function loadEditor() {
  if (!browserStorage.load(KEY)) loading = importEditor();
}

/**
 * Return an editor in an element.
 * @param {HTMLElement} host
 * @param {EditorOptions} options
 * @returns {Promise<CodeEditor>}
 */
export async function openEditor(host, options) {
  const createEditor = await (loading ?? null);
  input("plain-editor").checked = createEditor === null;
  input("plain-editor").addEventListener("change", () => {
    browserStorage.save(KEY, input("plain-editor").checked ? "yes" : null);
    location.reload();
  });
  return createEditor ? createEditor(host, options) : new PlainEditor(host, options);
}

/** @returns {Promise<((host: HTMLElement, options: EditorOptions) => CodeEditor) | null>} */
async function importEditor() {
  try {
    const { createEditor } = await import(BUILT);
    return createEditor;
  } catch (error) {
    console.warn("the built editor could not be loaded, a text area takes its place:", error);
    return null;
  }
}
