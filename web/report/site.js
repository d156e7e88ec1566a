// What the pages of a report can do beyond being read: sorted tables, hidden results, copied commands.
"use strict";

import "../shared/theme.js";
import { showScrolling } from "../shared/scrolling.js";
import { browserStorage } from "../shared/storage.js";

const RESULTS = "results";  // whether they are hidden

/**
 * Results are hidden on this page, and on those of the matches watched from here.
 * @param {boolean} hides
 */
function hideResults(hides) {
  document.documentElement.toggleAttribute("data-hides-results", hides);
  document.querySelector(".hide-results")?.setAttribute("aria-pressed", String(hides));
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll("a.watch, .foot a.button");
  for (const link of links) link.hash = hides ? "hide" : "";
  browserStorage.save(RESULTS, hides ? "hidden" : "shown");
}

function addResultsButton() {
  const matches = document.querySelector(".spoiler")?.closest(".cards, .scroll");
  if (!matches) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "hide-results";
  button.textContent = "Hide results";
  button.addEventListener("click", () => hideResults(button.getAttribute("aria-pressed") !== "true"));
  matches.before(button);
  hideResults(browserStorage.load(RESULTS) === "hidden");
}

/**
 * A cell's value: a number where all of its column are.
 * @param {HTMLTableRowElement} row
 * @param {number} column
 */
function cellValue(row, column) {
  const cell = row.cells[column];
  return (cell.dataset.sort ?? cell.textContent).trim();
}

/**
 * @param {HTMLTableRowElement[]} rows
 * @param {number} column
 * @returns {(one: HTMLTableRowElement, other: HTMLTableRowElement, sign: number) => number}
 */
function comparer(rows, column) {
  const values = new Map(rows.map((row) => [row, cellValue(row, column)]));
  const isNumeric = [...values.values()].every((value) => value === "" || !Number.isNaN(Number(value)));
  const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  return (one, other, sign) => {
    const [a, b] = [one, other].map((row) => values.get(row) ?? "");
    if (a === "" || b === "") return Number(a === "") - Number(b === "");  // what is unknown stays last
    return sign * (isNumeric ? Number(a) - Number(b) : words.compare(a, b));
  };
}

/**
 * @param {HTMLTableElement} table
 * @param {HTMLTableCellElement} heading
 */
function sortBy(table, heading) {
  const up = heading.ariaSort ? heading.ariaSort !== "ascending" : heading.dataset.first === "up" || !heading.classList.contains("number");
  const { cells } = /** @type {HTMLTableRowElement} */ (heading.parentElement);
  for (const other of cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", up ? "ascending" : "descending");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const compare = comparer(rows, heading.cellIndex);
  body.append(...rows.sort((one, other) => compare(one, other, up ? 1 : -1)));
}

/** @param {HTMLTableElement} table */
function makeSortable(table) {
  for (const heading of table.tHead?.rows[0].cells ?? []) {
    if ("unsorted" in heading.dataset) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sortBy(table, heading));
  }
}

/**
 * A click on a command copies it, where the browser lets us.
 * @param {HTMLElement} code
 */
function makeCopyable(code) {
  code.tabIndex = 0;
  code.title = "copy";
  const copy = async () => {
    getSelection()?.selectAllChildren(code);
    await navigator.clipboard?.writeText(code.textContent);
    code.classList.add("copied");
    setTimeout(() => code.classList.remove("copied"), 1200);
  };
  code.addEventListener("click", copy);
  code.addEventListener("keydown", (event) => event.key === "Enter" && copy());
}

addEventListener("DOMContentLoaded", () => {
  addResultsButton();
  /** @type {NodeListOf<HTMLTableElement>} */
  const tables = document.querySelectorAll("table.sortable");
  tables.forEach(makeSortable);
  /** @type {NodeListOf<HTMLElement>} */
  const commands = document.querySelectorAll("td code");
  commands.forEach(makeCopyable);
  showScrolling(".scroll");
});
