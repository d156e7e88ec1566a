// Light or dark, as the reader chose or as the system has it, and a key for each form, by which the
// server knows two clicks for one. Runs before the page is drawn.
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

  let keys = new WeakMap();
  addEventListener("pageshow", ({ persisted }) => persisted && (keys = new WeakMap())); // who comes back means it anew
  addEventListener("formdata", ({ target, formData }) => {
    const form = /** @type {HTMLFormElement} */ (target);
    if (form.method !== "post" || form.enctype === "multipart/form-data") return;
    if (!keys.has(form)) keys.set(form, crypto.getRandomValues(new Uint32Array(4)).join("-"));
    formData.set("once", keys.get(form));
  });
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", toggle);
  });
})();
