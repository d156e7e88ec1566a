// Shows times as the reader's own clocks do, and of some how long that is from now.

const AGAIN_MS = 30_000;
const SOON_S = 2 * 86_400; // beyond that the day says it
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["hour", 3600], ["minute", 60], ["second", 1]];
const WORDS = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/** @param {Date} at */
function local(at) {
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** @param {Date} at */
function fromNow(at) {
  const seconds = (at.getTime() - Date.now()) / 1000;
  if (Math.abs(seconds) > SOON_S) return "";
  const [unit, length] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ["second", 1];
  return ` (${WORDS.format(Math.trunc(seconds / length), unit)})`;
}

/** @param {HTMLTimeElement} time */
function show(time) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) return;
  time.title ||= time.textContent ?? ""; // as the server says it, with its zone
  const zone = at.toLocaleTimeString("en", { timeZoneName: "short" }).replace(/^.*[AP]M\s/, " ");
  time.textContent = local(at) + (time.classList.contains("relative") ? zone + fromNow(at) : "");
}

const showAll = () => document.querySelectorAll("time").forEach(show);

showAll();
setInterval(showAll, AGAIN_MS);
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) {
    for (const node of addedNodes) {
      if (node instanceof HTMLElement) for (const time of node.querySelectorAll("time")) show(time);
    }
  }
}).observe(document.body, { childList: true, subtree: true });
