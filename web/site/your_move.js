// Tells whoever looks elsewhere that it is their move: in the title and its picture, and by a notice if
// allowed.

import { listOffers } from "../boards/offers.js";
import { byId, make } from "../shared/elements.js";
import { SITE } from "../shared/site.js";

/** @import { Position } from "../shared/types.d.ts" */

const title = document.title;
const icon = document.querySelector("link[rel=icon]");
const ask = make("button", { type: "button", class: "notify", hidden: true, click: allow }, "Notify me of my move");
/** @type {boolean | null} */
let isMine = null; // unknown until the first position comes
let asked = ""; // what others asked last

byId("ways").append(ask);

document.addEventListener("position", ({ detail: position }) => {
  const mine = new Set(position.seats.filter((seat) => seat.is_yours).map((seat) => seat.team));
  const wasMine = isMine;
  isMine = !position.outcome && position.asks.some((each) => mine.has(each.team) && !each.is_answered);
  const [offer] = listOffers(position);
  const calls = offer?.words ?? (isMine ? "Your move" : "");
  document.title = calls ? `● ${calls} · ${title}` : title;
  icon?.setAttribute("href", `${SITE}/static/sprites/slime_mind/${calls ? "king" : "slime"}_1.svg`);
  // Browsers know no notices on pages that came without encryption, but from this machine.
  const canAsk = "Notification" in window && window.isSecureContext && Notification.permission === "default";
  ask.hidden = !(canAsk && mine.size && !position.outcome && position.seats.some((seat) => !seat.is_yours));
  const isNews = offer ? offer.key !== asked : isMine && wasMine === false;
  asked = offer?.key ?? "";
  if (isNews && document.hidden) notify(position, calls);
});

async function allow() {
  await Notification.requestPermission();
  ask.hidden = true;
}

/**
 * @param {Position} position
 * @param {string} words
 */
function notify({ id, title: game, seats }, words) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const others = seats.filter((seat) => !seat.is_yours).map((seat) => seat.name);
  const body = `${game} against ${new Intl.ListFormat("en").format(others)}`;
  const notice = new Notification(words, { body, tag: id }); // one for each game
  notice.onclick = () => {
    window.focus();
    notice.close();
  };
}
