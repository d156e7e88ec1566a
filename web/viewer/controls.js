// The actions: their keys, their buttons, and the help that lists them.
import { byId, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { browserStorage } from "../shared/storage.js";

/** @import { Viewer } from "./viewer.js" */
/** @typedef {{ name: string, keys: string[], says: string, act: (viewer: Viewer) => void }} Action */
/** @typedef {Parameters<typeof icon>[0]} Icon */

// In the order of the help. Keys are KeyboardEvent.key, letters small, with `shift+` before.
/** @type {[name: string, keys: string[], says: string, act: (viewer: Viewer) => void][]} */
const LISTED = [
  ["play", [" ", "k"], "Play or pause", (v) => v.playOrPause()],
  ["stepBack", ["arrowleft"], "One step back", (v) => v.go((p) => p.step(-1))],
  ["step", ["arrowright"], "One step forward", (v) => v.go((p) => p.step(1))],
  ["turnBack", ["shift+arrowleft", "pageup"], "One turn back", (v) => v.go((p) => p.stepTurns(-1))],
  ["turn", ["shift+arrowright", "pagedown"], "One turn forward", (v) => v.go((p) => p.stepTurns(1))],
  ["markBack", ["p", "arrowup"], "Previous key moment", (v) => v.go((p) => p.nextMark(-1, v.timeline.chosen))],
  ["mark", ["n", "arrowdown"], "Next key moment", (v) => v.go((p) => p.nextMark(1, v.timeline.chosen))],
  ["folds", ["u"], "Fold or unfold quiet stretches", (v) => v.toggleFold()],
  ["restart", ["home"], "Restart", (v) => v.go((p) => p.restart())],
  ["end", ["end"], "To the end", (v) => v.toEnd()],
  ["slower", ["-"], "Slower", (v) => v.go((p) => p.slower())],
  ["faster", ["+", "="], "Faster", (v) => v.go((p) => p.faster())],
  ["fastest", ["m"], "Maximum or normal speed", (v) => v.go((p) => p.fastestOrNormal())],
  ["zoomIn", ["i"], "Zoom in", (v) => v.zoom(1.5)],
  ["zoomOut", ["o"], "Zoom out", (v) => v.zoom(1 / 1.5)],
  ["fit", ["0"], "The whole board", (v) => v.fit()],
  ["follow", ["b"], "Follow the selected piece, or let it go", (v) => v.follow()],
  ["fullScreen", ["f"], "Full screen on or off", () => toggleFullScreen()],
  ["drawings", ["d"], "Drawings of the bots on or off", (v) => v.drawings.toggle()],
  ["result", ["r"], "Hide or show the result", (v) => v.hideResult(!v.hidesResult)],
  ["sounds", ["s"], "Sounds on or off", (v) => v.sounds.toggle()],
  ["theme", ["t"], "Light or dark theme", (v) => toggleTheme(v)],
  ["help", ["h", "?"], "Help", () => toggleHelp()],
  ["deselect", ["escape"], "Deselect", (v) => v.select(null)],
];
/** @type {Action[]} */
export const ACTIONS = LISTED.map(([name, keys, says, act]) => ({ name, keys, says, act }));

const POINTER = [
  ["click, tap", "A piece: inspect it"],
  ["drag", "The timeline: seek; the board, when zoomed in: move it"],
  ["wheel, pinch", "The board: zoom in or out"],
];
/** @type {Record<string, string>} */
const KEY_WORDS = {
  " ": "Space", arrowleft: "←", arrowright: "→", arrowup: "↑", arrowdown: "↓",
  pageup: "Page ↑", pagedown: "Page ↓", home: "Home", end: "End", escape: "Esc", "-": "−",
};
const UNLISTED = ["=", "?"];  // the same keys without shift, or known from elsewhere
/** @type {Record<string, Icon>} */
const ICON_OF = { zoomIn: "faster", zoomOut: "slower", fit: "fullScreen" };

/** @param {Viewer} viewer */
export function setUpControls(viewer) {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = document.querySelectorAll("button[data-action]");
  for (const button of buttons) {
    const action = /** @type {Action} */ (ACTIONS.find(({ name }) => name === button.dataset.action));
    const name = /** @type {Icon} */ (action.name);
    button.append(icon(ICON_OF[name] ?? name));
    button.title = `${action.says} (${action.keys.filter((key) => !UNLISTED.includes(key)).map(keyInWords).join(", ")})`;
    button.setAttribute("aria-label", action.says);
    button.addEventListener("click", (event) => {
      action.act(viewer);
      if (event.detail) button.blur();  // after a click, Space plays again
    });
  }
  /** @type {HTMLElement | null} */
  const fullScreen = document.querySelector("[data-action=fullScreen]");
  if (fullScreen) fullScreen.hidden = !document.fullscreenEnabled;
  addEventListener("keydown", (event) => onKey(event, viewer));
  fillHelp();
  restoreTheme();
}

/**
 * @param {KeyboardEvent} event
 * @param {Viewer} viewer
 */
function onKey(event, viewer) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (byId("help").open && event.key !== "Escape" && event.key.toLowerCase() !== "h") return;
  const target = /** @type {Partial<Element>} */ (event.target);
  if (target.closest?.("input:not([type=checkbox]), textarea, select")) return;
  if (target.closest?.("button, summary, input") && [" ", "Enter"].includes(event.key)) return;
  const key = event.key.toLowerCase();
  const shifted = event.shiftKey && ACTIONS.find(({ keys }) => keys.includes(`shift+${key}`));
  const action = shifted || ACTIONS.find(({ keys }) => keys.includes(key));
  if (!action) return;
  if (byId("help").open && action.name === "deselect") return;
  event.preventDefault();
  action.act(viewer);
}

/** @param {string} key */
function keyInWords(key) {
  const word = KEY_WORDS[key.replace("shift+", "")] ?? key.replace("shift+", "").toUpperCase();
  return key.startsWith("shift+") ? `Shift ${word}` : word;
}

function fillHelp() {
  /** @type {[keys: HTMLElement[], says: string][]} */
  const lines = ACTIONS.map(({ keys, says }) => [
    keys.filter((key) => !UNLISTED.includes(key)).map((key) => make("kbd", {}, keyInWords(key))), says,
  ]);
  /** @type {[keys: HTMLElement[], says: string][]} */
  const pointer = POINTER.map(([how, says]) => [[make("kbd", {}, how)], says]);
  byId("keys").append(...[...pointer, ...lines].map(([keys, says]) =>
    make("div", {}, make("dt", {}, ...keys), make("dd", {}, says)),
  ));
  byId("help").addEventListener("click", (event) => {
    if (event.target === byId("help")) byId("help").close();
  });
}

function toggleHelp() {
  if (byId("help").open) byId("help").close();
  else byId("help").showModal();
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

/** @param {Viewer} viewer */
function toggleTheme(viewer) {
  const theme = getComputedStyle(document.documentElement).colorScheme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  browserStorage.save("theme", theme);
  viewer.repaint();
}

function restoreTheme() {
  const theme = browserStorage.load("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}
