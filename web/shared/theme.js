// Light or dark, as the reader chose or as the system has it. Runs before the page is drawn.
"use strict";

(() => {
  const THEME = "theme"; // where the pages of matches and reports keep it, too
  const root = document.documentElement;

  try {
    const chosen = localStorage.getItem(THEME);
    if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  } catch {
    // where pages may keep nothing
  }

  function toggle() {
    const isDark = getComputedStyle(root).colorScheme === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
    try {
      localStorage.setItem(THEME, root.dataset.theme);
    } catch {
      // as above
    }
  }

  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", toggle);
  });
})();
