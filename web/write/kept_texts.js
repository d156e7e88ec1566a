// What a browser keeps of drafts until the server has it.

import { browserStorage } from "../shared/storage.js";

/** @import { KeptText } from "./types.d.ts" */

const START = "write:";

/**
 * Return the text that is kept of a draft, if there is one.
 * @param {string} id
 * @returns {KeptText | null}
 */
export function loadText(id) {
  /** @type {KeptText | null} */
  const kept = browserStorage.loadValue(START + id);
  const isOurs = Array.isArray(kept?.files) && kept.files.every(({ name, text }) => typeof name === "string" && typeof text === "string");
  return isOurs && kept.files.length ? kept : null;
}

/**
 * Keep a text. Returns whether that is possible here.
 * @param {string} id
 * @param {KeptText} text
 */
export function saveText(id, text) {
  return browserStorage.save(START + id, JSON.stringify(text));
}

/** @param {string} id */
export function forgetText(id) {
  browserStorage.save(START + id, null);
}
