// Says below the board of a game that is over how it turned, with links to its turns.

import { byId, make } from "../shared/elements.js";
import { gamePath, send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";

/** @import { Answer, Position } from "../shared/types.d.ts" */
/** @typedef {{ turn: number, team: number }} LeadChange */
/** @typedef {{ turn: number | null, winner: number | null, leads: LeadChange[], moments: number[], line: string }} TurningPoints */

const section = byId("turning");
const id = byId("orders").dataset.id ?? "";
let isAsked = false;

document.addEventListener("position", ({ detail: position }) => {
  if (position.outcome && !isAsked) {
    isAsked = true;
    show(position);
  } else if (!position.outcome) {
    isAsked = false; // the last move was taken back
    section.hidden = true;
  }
});

/** @param {Position} position */
async function show({ seats }) {
  /** @type {Answer<TurningPoints>} */
  const points = await send("GET", gamePath(id, "turning_points"));
  if (!points.isOk || (points.turn === null && !points.leads.length && !points.line)) return;
  /** @param {number} team */
  const playerName = (team) => seats[team - 1].name;
  const parts = [make("h2", { id: "turning-head" }, "How it turned")];
  if (points.line) parts.push(make("p", {}, make("strong", {}, points.line)));
  if (points.moments.length) {
    parts.push(make("p", {}, "Key moments: ", ...points.moments.flatMap((turn, place) => [place ? ", " : "", turnLink(turn)]), "."));
  }
  if (points.turn !== null && points.winner !== null) {
    parts.push(make("p", {}, `${playerName(points.winner)} won it in `, turnLink(points.turn), "."));
  }
  if (points.leads.length) {
    const leads = points.leads.flatMap(({ turn, team }, place) => [`${place ? ", " : ""}${playerName(team)} in `, turnLink(turn)]);
    parts.push(make("p", { class: "quiet" }, "Who took the lead: ", ...leads, "."));
  }
  section.replaceChildren(...parts);
  section.hidden = false;
}

/** @param {number} turn */
function turnLink(turn) {
  return make("a", { href: `${SITE}/games/${encodeURIComponent(id)}/watch#t=${turn}` }, `turn ${turn}`);
}
