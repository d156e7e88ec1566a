// What a browser keeps of drafts until the server has it.

/** @import { KeptText } from "./types.d.ts" */

const START = "write:";

/**
 * Return the text that is kept of a draft, if there is one.
 * @param {string} id
 * @returns {KeptText | null}
 */
export function loadText(id) {
  try {
    /** @type {KeptText} */
    const kept = JSON.parse(localStorage.getItem(START + id) ?? "null");
    const isOurs = Array.isArray(kept?.files) && kept.files.every(({ name, text }) => typeof name === "string" && typeof text === "string");
    return isOurs && kept.files.length ? kept : null;
  } catch {
    return null; // where pages may keep nothing, or what was kept is none of ours
  }
}

/**
 * Keep a text. Returns whether that is possible here.
 * @param {string} id
 * @param {KeptText} text
 */
export function saveText(id, text) {
  try {
    localStorage.setItem(START + id, JSON.stringify(text));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} id */
export function forgetText(id) {
  try {
    localStorage.removeItem(START + id);
  } catch {
    // as above
  }
}
