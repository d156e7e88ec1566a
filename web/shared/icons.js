// The icons of buttons, one path each.

import { draw } from "./elements.js";

const ICONS = {
  restart: "M5 5h2.4v14H5zM18.5 6.4l-1.7-1.7L9.5 12l7.3 7.3 1.7-1.7-5.6-5.6z",
  markBack: "M21 12l-4.5-4.5L12 12l4.5 4.5zM10 6l-7 6 7 6z",
  turnBack: "M12.5 6.4l-1.7-1.7L3.5 12l7.3 7.3 1.7-1.7L6.9 12zM20.5 6.4l-1.7-1.7-7.3 7.3 7.3 7.3 1.7-1.7-5.6-5.6z",
  stepBack: "M15.5 6.4l-1.7-1.7L6.5 12l7.3 7.3 1.7-1.7L9.9 12z",
  play: "M8 5v14l11-7z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  step: "M8.5 6.4l1.7-1.7 7.3 7.3-7.3 7.3-1.7-1.7 5.6-5.6z",
  turn: "M3.5 6.4l1.7-1.7 7.3 7.3-7.3 7.3-1.7-1.7L9.1 12zM11.5 6.4l1.7-1.7 7.3 7.3-7.3 7.3-1.7-1.7 5.6-5.6z",
  mark: "M3 12l4.5-4.5L12 12l-4.5 4.5zM14 6l7 6-7 6z",
  end: "M19 5h-2.4v14H19zM5.5 6.4l1.7-1.7 7.3 7.3-7.3 7.3-1.7-1.7 5.6-5.6z",
  slower: "M5 11h14v2H5z",
  faster: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  fastest: "M13 2L4 14h6l-1 8 9-12h-6z",
  fullScreen: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  theme: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2v16a8 8 0 0 1 0-16z",
  result: "M12 5C6 5 2 12 2 12s4 7 10 7 10-7 10-7-4-7-10-7zm0 11a4 4 0 1 1 0-8 4 4 0 0 1 0 8z",
  help: "M11 17h2v2h-2zM12 5a4 4 0 0 0-4 4h2a2 2 0 1 1 3.2 1.6C12 11.5 11 12.4 11 15h2c0-1.8.7-2.2 " +
    "1.7-3A4 4 0 0 0 12 5z",
  sounds: "M4 9v6h4l5 4V5L8 9zM15.5 8.5a5 5 0 0 1 0 7l1.4 1.4a7 7 0 0 0 0-9.8zM18.4 5.6l-1.4 1.4a7 7 0 0 1 0 10l1.4 1.4a9 9 0 0 0 0-12.8z",
  close: "M6 4.6L4.6 6l6 6-6 6L6 19.4l6-6 6 6 1.4-1.4-6-6 6-6L18 4.6l-6 6z",
  copy: "M8 3h11v13h-2V5H8zM5 7h10v14H5zM7 9v10h6V9z",
};

/**
 * Return the icon of this name, which screen readers leave out.
 * @param {keyof typeof ICONS} name
 */
export function icon(name) {
  const shape = draw("path", { d: ICONS[name], "fill-rule": "evenodd" });
  return draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shape);
}
