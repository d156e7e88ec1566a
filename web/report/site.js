// What the pages of a report can do beyond being read: sorted tables, night and day, hidden results,
// copied commands.
"use strict";

const THEME = "theme";  // where the pages of matches keep it, too
const RESULTS = "results";  // whether they are hidden

function restoreTheme() {
  try {
    const theme = localStorage.getItem(THEME);
    if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  } catch {
    // where pages may keep nothing
  }
}

function toggleTheme() {
  const isNight = getComputedStyle(document.documentElement).colorScheme === "dark";
  document.documentElement.dataset.theme = isNight ? "light" : "dark";
  try {
    localStorage.setItem(THEME, document.documentElement.dataset.theme);
  } catch {
    // as above
  }
}

function addThemeButton() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "theme";
  button.title = "By day, or by night";
  button.setAttribute("aria-label", button.title);
  button.addEventListener("click", toggleTheme);
  document.querySelector("header").append(button);
}

// Results are hidden on this page, and on those of the matches watched from here.
function hideResults(hides) {
  document.documentElement.toggleAttribute("data-hides-results", hides);
  document.querySelector(".hide-results").setAttribute("aria-pressed", hides);
  for (const link of document.querySelectorAll("a.watch, .foot a.button")) link.hash = hides ? "hide" : "";
  try {
    localStorage.setItem(RESULTS, hides ? "hidden" : "shown");
  } catch {
    // as above
  }
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
  let kept = null;
  try {
    kept = localStorage.getItem(RESULTS);
  } catch {
    // as above
  }
  hideResults(kept === "hidden");
}

// A cell's value: a number where all of its column are.
function valueOf(row, column) {
  const cell = row.cells[column];
  return (cell.dataset.sort ?? cell.textContent).trim();
}

function comparer(rows, column) {
  const values = new Map(rows.map((row) => [row, valueOf(row, column)]));
  const isNumeric = [...values.values()].every((value) => value === "" || !Number.isNaN(Number(value)));
  const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  return (one, other, sign) => {
    const [a, b] = [values.get(one), values.get(other)];
    if (a === "" || b === "") return (a === "") - (b === "");  // what is unknown stays last
    return sign * (isNumeric ? a - b : words.compare(a, b));
  };
}

function sortBy(table, heading) {
  const up = heading.ariaSort ? heading.ariaSort !== "ascending" : heading.dataset.first === "up" || !heading.classList.contains("number");
  for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", up ? "ascending" : "descending");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const compare = comparer(rows, heading.cellIndex);
  body.append(...rows.sort((one, other) => compare(one, other, up ? 1 : -1)));
}

function makeSortable(table) {
  for (const heading of table.tHead.rows[0].cells) {
    if ("unsorted" in heading.dataset) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sortBy(table, heading));
  }
}

// A click on a command copies it, where the browser lets us.
function makeCopied(code) {
  code.tabIndex = 0;
  code.title = "copy";
  const copy = async () => {
    getSelection().selectAllChildren(code);
    await navigator.clipboard?.writeText(code.textContent);
    code.classList.add("copied");
    setTimeout(() => code.classList.remove("copied"), 1200);
  };
  code.addEventListener("click", copy);
  code.addEventListener("keydown", (event) => event.key === "Enter" && copy());
}

restoreTheme();
addEventListener("DOMContentLoaded", () => {
  addThemeButton();
  addResultsButton();
  document.querySelectorAll("table.sortable").forEach(makeSortable);
  document.querySelectorAll("td code").forEach(makeCopied);
});
