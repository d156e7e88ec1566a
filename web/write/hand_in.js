// Handing in a draft, and what became of it.

import { make, mark, write } from "../shared/elements.js";
import { choice, on, part } from "../shared/parts.js";
import { isTransient, send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { DraftStore } from "./draft_store.js" */

/** @typedef {{ path: string, is_identical: boolean, version: number }} HandedIn */

const POLL_MS = 700;
const RETRY_MS = 3000;

const SIGN_IN = "Playing on a ladder needs an account. This bot goes along: ";

export class HandIn {
  #dialog = /** @type {HTMLDialogElement} */ (part("handing-in"));

  /** @param {DraftStore} store @param {() => void} onHandedIn */
  constructor(store, onHandedIn) {
    this.store = store;
    this.onHandedIn = onHandedIn;
    on("hand-in", "click", () => this.open());
    on("hand-in-now", "click", () => this.handIn());
    on("handing-in-close", "click", () => this.#dialog.close());
  }

  async open() {
    const { member, homeBot } = part("workbench").dataset;
    part("handing-in-why").textContent = "";
    part("handed-in").replaceChildren();
    for (const id of ["hand-in-now", "ladder-line"]) part(id).hidden = true;
    this.#dialog.showModal();
    if (homeBot) {
      const command = `submit ${homeBot} --server ADDRESS`;
      part("handing-in-words").replaceChildren("This bot is a file of yours. Hand it in to a server with the command ", make("code", {}, command), "; ", make("code", {}, "submit --help"), " says more.");
      return;
    }
    if (member === undefined) {
      const to = `${SITE}/sign-in?next=${encodeURIComponent(location.pathname.slice(SITE.length))}`;
      part("handing-in-words").replaceChildren(SIGN_IN, make("a", { href: to }, "sign in or register"));
      return;
    }
    part("handing-in-words").textContent = "It is checked, and plays its first matches at once.";
    /** @type {Answer<{ ladders: { id: string, name: string }[] }>} */
    const answer = await send("GET", `${this.store.path}/ladders`);
    if (!answer.isOk) {
      write(part("handing-in-why"), answer.error);
      return;
    }
    const { ladders } = answer;
    choice("ladder").replaceChildren(...ladders.map(({ id, name }) => make("option", { value: id }, name)));
    part("ladder-line").hidden = ladders.length < 1;
    part("hand-in-now").hidden = ladders.length < 1;
    if (!ladders.length) part("handing-in-words").textContent = "There is no ladder of this game that is open now.";
  }

  async handIn() {
    mark(part("hand-in-now"), "disabled", true);
    write(part("handing-in-why"), "");
    const isSaved = await this.store.flush();
    /** @type {Answer<HandedIn> | null} */
    const answer = isSaved ? await send("POST", `${this.store.path}/hand-in`, { ladder: choice("ladder").value }) : null;
    mark(part("hand-in-now"), "disabled", false);
    if (!answer?.isOk) {
      write(part("handing-in-why"), answer?.error ?? "The text is not saved yet, so it was not handed in.");
      return;
    }
    for (const id of ["hand-in-now", "ladder-line"]) part(id).hidden = true;
    const words = answer.is_identical ? "The same files had been handed in before. " : `Handed in; it is kept here as version ${answer.version}. `;
    part("handing-in-words").replaceChildren(words, make("a", { href: SITE + answer.path, target: "_blank", rel: "noopener" }, "Its page"));
    this.onHandedIn();
    this.#follow(SITE + answer.path);
  }

  /**
   * Show the checks of what was handed in as they run: a part of its page.
   * @param {string} address
   */
  async #follow(address) {
    if (!this.#dialog.open) return;
    let wait = RETRY_MS;
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      if (isTransient(answer.status)) throw new Error(String(answer.status));
      const checks = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("checks");
      if (!answer.ok || !checks) return;
      const isOver = checks.dataset.state !== "checking";
      for (const link of checks.querySelectorAll("a")) link.target = "_blank";
      part("handed-in").replaceChildren(document.adoptNode(checks));
      if (isOver) return;
      wait = POLL_MS;
    } catch {
      // the server does not answer: it is asked again
    }
    setTimeout(() => this.#follow(address), wait);
  }
}
