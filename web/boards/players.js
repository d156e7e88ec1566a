// What stands above each board: the clocks, who is away, and the next game after the end.

import { BACK, SEAT_ACTS, deliverAct, lateReason, getOutbox, failureReason } from "./deliveries.js";
import { button, byId, make, write } from "../shared/elements.js";
import { Messages } from "./messages.js";
import { list, listOffers } from "./offers.js";
import { refuse, say } from "./page.js";
import { gamePath, send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";

/** @import { Delivery, Item, PossibleAct, Position, ShownClock } from "../shared/types.d.ts" */

const id = byId("orders").dataset.id ?? "";
const strip = byId("players");
const clocks = make("ul", { class: "clocks", "aria-label": "Clocks", hidden: true });
const away = make("p", { class: "away" });
const offers = make("div", { class: "offers" });
const again = make("p", { class: "again", hidden: true });
/** The way to another opponent, side, name or clock, before the first turn is over. */
const change = make("p", { id: "change", hidden: true }, make("a", { href: byId("orders").dataset.change ?? "" }, "Another opponent, side or clock"));
const messages = new Messages(id);
const LOW_S = 30;
const REMATCH = "rematch";
const REMATCH_PAGE = `${SITE}/games/${encodeURIComponent(id)}/rematch`;
const UNPLAYED_TURN = 2; // the opponent may have moved in the first

/** @type {Position | null} */
let newest = null;
let shownAt = 0;

strip.append(clocks, away, offers, messages.news, change, again);
getOutbox(id).when(REMATCH, (item, answer) => {
  refuse(lateReason(item, answer));
  goToRematch(answer);
});
document.addEventListener("position", ({ detail }) => {
  newest = detail;
  shownAt = performance.now();
  show(newest);
});
setInterval(() => newest && !newest.outcome && tick(newest), 250);

/** @param {Position} position */
function show(position) {
  clocks.hidden = !position.clocks.length || position.outcome !== null;
  clocks.replaceChildren(...position.clocks.map((clock) => clockItem(position, clock)));
  tick(position);
  const words = position.seats
    .filter((seat) => seat.substitute && !position.outcome)
    .map((seat) => `${seat.name} is away: ${seat.substitute} plays.`);
  away.replaceChildren(
    words.join(" "),
    ...position.acts
      .filter(({ name }) => SEAT_ACTS.includes(name))
      .map((act) => button(act.name === BACK ? BACK : "Let my bot finish", () => doAct(position, act))),
  );
  const isMine = position.seats.some((seat) => seat.is_yours);
  const isAgainstBots = position.seats.every((seat) => seat.is_yours || seat.kind === "bot");
  change.hidden = !byId("orders").dataset.change || !isMine || !isAgainstBots || position.turn > UNPLAYED_TURN || position.outcome !== null;
  showOffers(position);
  showAgain(position);
  messages.show(position);
}

/**
 * @param {Position} position
 * @param {ShownClock} clock
 */
function clockItem({ seats }, clock) {
  const board = clock.piece ? `, board ${clock.piece}` : "";
  return make(
    "li",
    { class: clock.is_running ? "runs" : "" },
    make("span", {}, seats[clock.team - 1].name + board),
    make("b", { role: "timer" }),
  );
}

/**
 * Write what is left on each clock by now; the server decides when it is over.
 * @param {Position} position
 */
function tick(position) {
  const passed = (performance.now() - shownAt) / 1000;
  position.clocks.forEach((clock, index) => {
    const left = Math.max(0, clock.remaining_s - (clock.is_running ? passed : 0));
    const item = clocks.children[index];
    if (item.lastElementChild) write(item.lastElementChild, formatTime(left));
    item.classList.toggle("low", clock.is_running && left < LOW_S);
  });
}

/**
 * Show what others ask, each as a sentence with two buttons.
 * @param {Position} position
 */
function showOffers(position) {
  const asked = listOffers(position);
  const keys = JSON.stringify(asked.map(({ key }) => key));
  if (offers.dataset.keys === keys) return; // a button that has the focus keeps it
  offers.dataset.keys = keys;
  for (const { words } of asked) say(`${words}.`);
  offers.replaceChildren(
    ...asked.map((offer) =>
      make(
        "p",
        {},
        make("span", {}, `${offer.words}.`),
        button("Accept", () => (offer.agree ? doAct(position, offer.agree) : askRematch()), { class: "primary" }),
        button("Decline", () => (offer.decline ? doAct(position, offer.decline) : declineRematch())),
      ),
    ),
  );
}

async function declineRematch() {
  refuse(failureReason(await send("DELETE", gamePath(id, REMATCH), {})));
}

/** @param {Position} position */
function showAgain(position) {
  const isMine = position.seats.some((seat) => seat.is_yours);
  again.hidden = !position.outcome || !isMine || offers.childElementCount > 0;
  const { rematch, rematch_wishes: wishes, rematch_refusals: refusals, seats } = position;
  const state = `${rematch} ${wishes} ${refusals}`;
  if (again.hidden || again.dataset.state === state) return;
  again.dataset.state = state;
  const mine = seats.filter((seat) => seat.is_yours && seat.kind === "person");
  const others = seats.filter((seat) => !seat.is_yours && seat.kind === "person");
  const silent = others.filter((seat) => !wishes.includes(seat.team)).map((seat) => seat.name);
  const unwilling = others.filter((seat) => refusals.includes(seat.team)).map((seat) => seat.name);
  const hasAsked = mine.every((seat) => wishes.includes(seat.team));
  if (rematch && again.dataset.waits) {
    location.assign(REMATCH_PAGE); // it is what the reader waits for
  } else if (rematch) {
    again.replaceChildren(make("a", { class: "button primary", href: REMATCH_PAGE }, "Go to the rematch"));
  } else if (unwilling.length) {
    const words = `${list(unwilling)} ${unwilling.length === 1 ? "does" : "do"} not want a rematch.`;
    again.replaceChildren(make("span", { role: "status" }, words));
  } else if (hasAsked) {
    again.dataset.waits = "yes";
    again.replaceChildren(make("span", { role: "status" }, `You would like to play again; waiting for ${list(silent)}.`));
  } else {
    again.replaceChildren(button("Play again, with the seats changed", askRematch));
  }
}

/** Ask for it; who asks again is answered the same. */
export async function askRematch() {
  /** @type {Item<"rematch">} */
  const item = { kind: REMATCH, key: REMATCH, words: "play again", method: "POST", path: gamePath(id, REMATCH), body: {} };
  const answer = await getOutbox(id).deliver(item);
  refuse(failureReason(answer));
  goToRematch(answer);
}

/** @param {Delivery<"rematch">} answer */
function goToRematch(answer) {
  if (answer.isOk && answer.rematch) location.assign(REMATCH_PAGE);
}

/**
 * @param {Position} position
 * @param {PossibleAct} act
 */
async function doAct(position, act) {
  refuse(failureReason(await deliverAct(id, position, act)));
}

/**
 * Return a time as people read it: `2 d 3 h`, `1:05:09`, `9:41`.
 * @param {number} seconds
 */
function formatTime(seconds) {
  const whole = Math.ceil(seconds);
  const [days, hours] = [Math.floor(whole / 86400), Math.floor(whole / 3600)];
  const [minutes, rest] = [Math.floor(whole / 60) % 60, whole % 60];
  if (days) return `${days} d ${hours % 24} h`;
  /** @param {number} number */
  const twoDigits = (number) => `${number}`.padStart(2, "0");
  return hours ? `${hours}:${twoDigits(minutes)}:${twoDigits(rest)}` : `${minutes}:${twoDigits(rest)}`;
}
