// The parts of the page of which one is shown at a time: panels as tabs, and on a phone code, board or more.

import { mark } from "../shared/elements.js";
import { part } from "../shared/parts.js";

const TABS = "#panel-tabs [role=tab]";

export class Panels {
  constructor() {
    /** @type {HTMLElement[]} */
    this.tabs = [...part("panel-tabs").querySelectorAll(/** @type {"button"} */ (TABS))];
    for (const tab of this.tabs) tab.addEventListener("click", () => this.show(tab));
    part("panel-tabs").addEventListener("keydown", (event) => this.#key(event));
    /** @type {NodeListOf<HTMLElement>} */
    const views = document.querySelectorAll("[data-view]");
    for (const button of views) button.addEventListener("click", () => showView(button.dataset.view ?? "code"));
    this.show(this.tabs[0]);
  }

  /** @param {HTMLElement} shown */
  show(shown) {
    for (const tab of this.tabs) {
      mark(tab, "aria-selected", String(tab === shown));
      mark(tab, "tabindex", tab === shown ? 0 : -1);
      part(tab.getAttribute("aria-controls") ?? "").hidden = tab !== shown;
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = this.tabs.findIndex((tab) => tab === document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.show(next);
    next.focus();
  }
}

/**
 * Show a part of the page where there is room for one alone.
 * @param {string} name  "code", "board" or "panel"
 */
export function showView(name) {
  part("workbench").dataset.shown = name;
  /** @type {NodeListOf<HTMLElement>} */
  const views = document.querySelectorAll("[data-view]");
  for (const button of views) mark(button, "aria-pressed", String(button.dataset.view === name));
}
