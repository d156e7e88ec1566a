// The page of a tournament that is played, and that of its matches: as it stands, by the stream.

import { follow } from "../shared/stream.js";
import { showScrolling } from "../shared/scrolling.js";
import { showPlaying } from "./playing.js";

const MIN_INTERVAL_MS = 5000; // results may come many times a second

const page = /** @type {HTMLElement} */ (document.getElementById("tournament"));
let { mark } = page.dataset;
let wanted = mark;
let renewedAt = 0;
let timer = 0;

follow(page.dataset.topic ?? "", {
  news(news) {
    showPlaying(news.matches);
    wanted = news.mark;
    renewSoon();
  },
});
document.addEventListener("visibilitychange", renewSoon);

/** Fetch what has changed, but not while nobody looks. */
function renewSoon() {
  if (wanted === mark || document.hidden || timer) return;
  timer = setTimeout(renew, Math.max(0, renewedAt + MIN_INTERVAL_MS - performance.now()));
}

async function renew() {
  try {
    const answer = await fetch(location.href);
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // it is fetched again
  }
  renewedAt = performance.now();
  timer = 0;
  renewSoon();
}

/**
 * Put the page as it stands in place of what is shown; a link that has the focus keeps it.
 * @param {Document} document_
 */
function show(document_) {
  const next = document_.getElementById("tournament");
  if (!next) return;
  const focused = page.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  page.replaceChildren(...next.children);
  mark = next.dataset.mark;
  if (focused) [...page.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
  showScrolling("#tournament .wide");
}
