// Sends a form with something typed only if the server answers: otherwise the browser would show a
// page of its own in place of ours, and what was typed would be gone.

import { sendOnce } from "../shared/requests.js";
import { SITE } from "../shared/site.js";

const TIMEOUT_MS = 10_000;
const ALIVE = `${SITE}/static/shared/theme.js`; // a small file, which needs no database
const NO_ANSWER = "The server does not answer, so this was not sent. What you typed is still here; try again later.";
const TYPED = "textarea, input:not([type=hidden], [type=checkbox], [type=radio], [type=submit])";

/** @type {Set<HTMLFormElement>} */
const asking = new Set(); // forms for which the server is asked
/** @type {WeakSet<HTMLFormElement>} */
const answered = new WeakSet(); // forms that may be sent
const refused = /** @type {HTMLElement} */ (document.getElementById("refused")); // each page has it

document.addEventListener("submit", async (event) => {
  const { submitter } = event;
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || form.method !== "post" || answered.delete(form)) return;
  /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */
  const fields = form.querySelectorAll(TYPED);
  if (![...fields].some((field) => field.value)) return;
  event.preventDefault();
  if (asking.has(form)) return; // a second click
  asking.add(form);
  const isAlive = (await sendOnce("HEAD", ALIVE, undefined, TIMEOUT_MS)).isOk;
  asking.delete(form);
  refused.textContent = isAlive ? "" : NO_ANSWER;
  if (!isAlive) return;
  answered.add(form);
  form.requestSubmit(submitter);
});
