// Asks for a name.

import { input, part } from "../shared/parts.js";

/**
 * Return the name that was typed, or "" if nobody wants to give one.
 * @param {string} title
 * @param {string} before
 * @param {(name: string) => string} whyNot  returns why a name cannot be, or ""
 * @returns {Promise<string>}
 */
export function askName(title, before, whyNot) {
  /** @type {HTMLDialogElement} */
  const dialog = part("naming");
  const field = input("new-name");
  part("naming-title").textContent = title;
  part("naming-why").textContent = "";
  field.value = before;
  dialog.showModal();
  field.select();
  return new Promise((resolve) => {
    /** @param {string} name */
    const end = (name) => {
      part("naming-form").onsubmit = part("naming-cancel").onclick = dialog.oncancel = null;
      dialog.close();
      resolve(name);
    };
    part("naming-form").onsubmit = (event) => {
      event.preventDefault();
      const name = field.value.trim();
      const why = name ? whyNot(name) : "A name is missing.";
      part("naming-why").textContent = why;
      if (!why) end(name);
    };
    part("naming-cancel").onclick = () => end("");
    dialog.oncancel = () => end("");
  });
}
