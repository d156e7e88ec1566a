// Lets the link of an invitation be copied, and be sent by other programs where the browser knows some.

import { make } from "../shared/elements.js";

export function addButtons() {
  for (const input of document.querySelectorAll("#invitation input")) if (input instanceof HTMLInputElement) addTo(input);
}

/** @param {HTMLInputElement} input */
function addTo(input) {
  const said = make("span", { role: "status", class: "quiet" });
  const copy = async () => {
    input.select();
    try {
      await navigator.clipboard.writeText(input.value);
    } catch {
      document.execCommand("copy"); // without HTTPS there is no other way
    }
    said.textContent = "Copied";
  };
  const buttons = make("p", { class: "buttons" }, make("button", { type: "button", class: "primary", click: copy }, "Copy the link"));
  if ("share" in navigator) {
    const share = () => navigator.share({ title: document.title, url: input.value }).catch(() => {});
    buttons.append(make("button", { type: "button", click: share }, "Share …"));
  }
  buttons.append(said);
  input.closest("p")?.after(buttons);
}
