// The page of a game that waits for players: the link for a friend, and into the game once it begins.

import { byId, make } from "../shared/elements.js";
import { send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";

/** @import { Answer } from "../shared/types.d.ts" */

const LOOK_MS = 700;
const HIDDEN_MS = 5000;

const waiting = byId("waiting");
const { id = "" } = waiting.dataset;
const kept = `invitation ${id}`;
const invitation = document.getElementById("invitation");

// The page that made the game shows the link once: it stays while this tab is there.
if (invitation) keep(invitation);
else showKept();
if (location.pathname !== `${SITE}/lobby/${id}`) history.replaceState(null, "", `${SITE}/lobby/${id}`);
look();

/** @param {HTMLElement} shown */
function keep(shown) {
  try {
    sessionStorage.setItem(kept, shown.outerHTML);
  } catch {
    // where pages may keep nothing, the link stands here until the page is left
  }
  addButtons(shown);
}

function showKept() {
  const html = sessionStorage.getItem(kept);
  if (!html) return;
  // It was made by our own page, in this tab.
  const [shown] = new DOMParser().parseFromString(html, "text/html").body.children;
  waiting.before(shown);
  if (shown instanceof HTMLElement) addButtons(shown);
}

/** @param {HTMLElement} shown */
function addButtons(shown) {
  for (const input of shown.querySelectorAll("input")) {
    const said = make("span", { role: "status", class: "quiet" });
    const copy = async () => {
      input.select();
      try {
        await navigator.clipboard.writeText(input.value);
      } catch {
        document.execCommand("copy"); // without HTTPS there is no other way
      }
      said.textContent = "Copied";
    };
    const buttons = make("p", { class: "buttons" }, make("button", { type: "button", class: "primary", click: copy }, "Copy the link"));
    if ("share" in navigator) {
      const share = () => navigator.share({ title: document.title, url: input.value }).catch(() => {});
      buttons.append(make("button", { type: "button", click: share }, "Share …"));
    }
    buttons.append(said);
    input.closest("p")?.after(buttons);
  }
}

/** Look whether the game has begun; who waits in another tab is looked for less often. */
async function look() {
  /** @type {Answer<{ has_begun: boolean }>} */
  const answer = await send("GET", `${SITE}/api/v1/lobby/${encodeURIComponent(id)}`);
  if (answer.isOk && answer.has_begun) {
    location.replace(`${SITE}/games/${encodeURIComponent(id)}`);
    return;
  }
  if (answer.status === 404) {
    location.reload(); // it was canceled: the page says so
    return;
  }
  setTimeout(look, document.hidden ? HIDDEN_MS : LOOK_MS);
}
