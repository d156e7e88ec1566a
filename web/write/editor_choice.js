// The editor: the built one, or a text area where that is missing or not wanted.

import { input } from "../shared/parts.js";
import { SITE } from "../shared/site.js";
import { PlainEditor } from "./plain_editor.js";

/** @import { CodeEditor, EditorOptions } from "./types.d.ts" */

const KEY = "write-plain-editor";
const BUILT = `${SITE}/static/bundles/editor.js`; // has null in place of a function where it was not built

/** @type {Promise<((host: HTMLElement, options: EditorOptions) => CodeEditor) | null> | undefined} */
let loading;

/** Begin to load the editor, while the server is asked for the text. */
export function loadEditor() {
  if (!isPlainWanted()) loading = importEditor();
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
    wantPlain(input("plain-editor").checked);
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

function isPlainWanted() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false; // where pages may keep nothing
  }
}

/** @param {boolean} isWanted */
function wantPlain(isWanted) {
  try {
    if (isWanted) localStorage.setItem(KEY, "yes");
    else localStorage.removeItem(KEY);
  } catch {
    // as above
  }
}
