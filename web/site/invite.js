// The page of a game that waits for players: the link for a friend, and into the game once it begins.

import { byId, draw, make } from "../shared/elements.js";
import { send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";
import { tabStorage } from "../shared/storage.js";
import { addButtons } from "./sharing.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @typedef {{ link: string, viewBox: string, path: string }} Invitation */

const POLL_MS = 700;
const HIDDEN_MS = 5000;

const waiting = byId("waiting");
const { id = "", declined = "0" } = waiting.dataset;
const kept = `invitation ${id}`;
const invitation = document.getElementById("invitation");

// The page that made the game shows the links once: they stay while this tab is there.
if (invitation) tabStorage.save(kept, JSON.stringify([...invitation.querySelectorAll(".invitation")].map(read)));
/** @type {Invitation[]} */
const invitations = invitation ? [] : tabStorage.loadValue(kept) ?? [];
if (invitations.length) waiting.before(makeCard(invitations));
addButtons();
if (location.pathname !== `${SITE}/lobby/${id}`) history.replaceState(null, "", `${SITE}/lobby/${id}`);
poll();

/**
 * Return a link of this page, and its QR code as the path of an SVG.
 * @param {Element} shown
 * @returns {Invitation}
 */
function read(shown) {
  const code = shown.querySelector("svg");
  return {
    link: shown.querySelector("input")?.value ?? "",
    viewBox: code?.getAttribute("viewBox") ?? "",
    path: code?.querySelector("path")?.getAttribute("d") ?? "",
  };
}

/** @param {Invitation[]} invitations */
function makeCard(invitations) {
  const rows = invitations.map(({ link, viewBox, path }) =>
    make(
      "div",
      { class: "invitation" },
      make("p", {}, make("input", { type: "text", readonly: true, value: link, "aria-label": "The link for your friend" })),
      make(
        "div",
        { class: "code", role: "img", "aria-label": "The same link as a QR code, for a phone" },
        draw("svg", { class: "qr", viewBox }, draw("path", { d: path, stroke: "#000" })),
      ),
    ),
  );
  return make("section", { class: "card once", id: "invitation", "aria-label": "Invitation" }, make("p", {}, "Send this link to your friend: it works once, and needs no account."), ...rows);
}

/** Look whether the game has begun; who waits in another tab is looked for less often. */
async function poll() {
  /** @type {Answer<{ has_begun: boolean, declined: number }>} */
  const answer = await send("GET", `${SITE}/api/v1/lobby/${encodeURIComponent(id)}`);
  if (answer.isOk && answer.has_begun) {
    location.replace(`${SITE}/games/${encodeURIComponent(id)}`);
    return;
  }
  if (answer.status === 404 || (answer.isOk && answer.declined !== Number(declined))) {
    location.reload(); // it was canceled, or a challenge declined: the page says so
    return;
  }
  setTimeout(poll, document.hidden ? HIDDEN_MS : POLL_MS);
}
