// The elements that a page has, and what is done with them.

import { make, write } from "./elements.js";

/**
 * Return an element that the page has.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} id
 */
export const part = (id) => /** @type {E} */ (document.getElementById(id));
/** @param {string} id */
export const input = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));
/** @param {string} id */
export const choice = (id) => /** @type {HTMLSelectElement} */ (document.getElementById(id));

/**
 * @param {string} id
 * @param {string} event
 * @param {() => unknown} listener
 */
export function on(id, event, listener) {
  document.getElementById(id)?.addEventListener(event, listener);
}

/**
 * Put a text into a field, unless it is there: the place of the cursor would be lost.
 * @param {HTMLInputElement} field
 * @param {string} text
 */
export function fill(field, text) {
  if (field.value !== text && document.activeElement !== field) field.value = text;
}

/** @param {HTMLElement} node @param {string[]} lines */
export function list(node, lines) {
  if ([...node.children].map((line) => line.textContent).join("\n") === lines.join("\n")) return;
  node.replaceChildren(...lines.map((line) => make("li", {}, line)));
}

/** @param {string} words */
export function say(words) {
  write(part("said"), words);
}
