// The match that plays on the first page, or on the channel: its frame comes after everything else was
// painted, and makes room for the next match when it is over.

import { make } from "../shared/elements.js";

/** @typedef {{ path: string, title: string, names: string[], what: string }} Featured */

const POLL_MS = 10_000;
const END_MS = 1_000;

const figure = document.querySelector(".featured, .nothing_on");
const site = figure?.getAttribute("data-site") ?? "";
const ladder = figure?.getAttribute("data-ladder"); // whose channel it is
const source = `${site}/api/v1/featured${ladder ? `?ladder=${ladder}` : ""}`;
if (figure?.classList.contains("nothing_on")) setTimeout(waitForMatch, POLL_MS);
else if (figure) {
  const address = figure.getAttribute("data-watch");
  const show = () => whenIdle(() => (address ? addFrame(figure, address) : poll(figure)));
  if (document.readyState === "complete") show();
  else addEventListener("load", show);
  if (address) setTimeout(() => poll(figure), POLL_MS);
}

/**
 * Show a match in the frame.
 * @param {Element} figure
 * @param {string} address
 */
function addFrame(figure, address) {
  figure.setAttribute("data-watch", address);
  const frame = make("iframe", { src: `${address}#autoplay&loop&bare&told`, tabindex: -1 });
  frame.title = figure.querySelector("figcaption a")?.textContent ?? "";
  figure.querySelector(".frame")?.replaceChildren(frame);
}

/** Load the channel again once a match is on, as long as somebody looks. */
async function waitForMatch() {
  if (!document.hidden && (await fetchFeatured())) location.reload();
  else setTimeout(waitForMatch, POLL_MS);
}

/**
 * Look for another match that is on, as long as somebody sees this one.
 * @param {Element} figure
 */
async function poll(figure) {
  if (!document.hidden) {
    const next = await fetchFeatured();
    if (next && `${site}${next.path}` !== figure.getAttribute("data-watch")) {
      afterEnd(figure, () => change(figure, next));
      return;
    }
  }
  setTimeout(() => poll(figure), POLL_MS);
}

/**
 * Return the match that is on; null if there is none, or if the server does not say so now.
 * @returns {Promise<Featured | null>}
 */
async function fetchFeatured() {
  try {
    const answer = await fetch(source);
    return answer.ok ? (await answer.json()).match : null;
  } catch {
    return null;
  }
}

/**
 * Show another match, and say which.
 * @param {Element} figure
 * @param {Featured} next
 */
function change(figure, { path, title, names, what }) {
  const link = make("a", { href: `${site}${path}` }, `${title}: ${names.join(" : ")}`);
  figure.querySelector("figcaption")?.replaceChildren(link, make("span", { class: "quiet" }, what));
  addFrame(figure, `${site}${path}`);
  setTimeout(() => poll(figure), POLL_MS);
}

/**
 * Do something once the match in the frame has been shown to its end.
 * @param {Element} figure
 * @param {() => void} act
 */
function afterEnd(figure, act) {
  const viewer = figure.querySelector("iframe")?.contentWindow?.viewer;
  if (!viewer || viewer.playback.isResting) act();
  else setTimeout(() => afterEnd(figure, act), END_MS);
}

/**
 * Do something when nothing else is to be done.
 * @param {() => void} act
 */
function whenIdle(act) {
  if ("requestIdleCallback" in window) requestIdleCallback(act, { timeout: 1000 });
  else setTimeout(act, 200);
}
