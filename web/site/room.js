// The page of a room: what it waits for, the armies that one has in store, and on to the next step.

import { handIn, loadArmies } from "../designer/armies.js";
import { make, mark, write } from "../shared/elements.js";
import { choice, part } from "../shared/parts.js";
import { send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";
import { addButtons } from "./sharing.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { Army } from "../designer/types.d.ts" */
/** @typedef {{ phase: string, number: number, run: string, words: string }} Room */

const POLL_MS = 1000;
const HIDDEN_MS = 5000;
const { id = "", phase = "", number = "", run = "", member } = part("room").dataset;
const API = `${SITE}/api/v1/rooms/${encodeURIComponent(id)}`;
const PAGE = `${SITE}/rooms/${encodeURIComponent(id)}`;
/** @type {Army[]} */
let stored = [];

addButtons();
document.getElementById("hand-in")?.addEventListener("click", handInLast);
if (document.getElementById("seal")) {
  part("seal").addEventListener("submit", seal);
  mark(part("seal-army"), "disabled", false); // before this, the browser itself would send the form, which seals nothing
  offerStored();
}
if (phase !== "over") poll();

/** Look how the room stands; whoever watches a battle is not told how it ended before they ask. */
async function poll() {
  /** @type {Answer<Room>} */
  const room = await send("GET", API);
  if (room.status === 404) {
    location.reload();
    return;
  }
  if (room.isOk && (room.phase !== phase || String(room.number) !== number || room.run !== run)) {
    if (!run || room.run) return location.replace(PAGE);
    part("see-result").hidden = false;
    part("status").hidden = true;
    return;
  }
  if (room.isOk) write(part("status"), room.words);
  setTimeout(poll, document.hidden ? HIDDEN_MS : POLL_MS);
}

/** Let one choose among the armies in store, too. */
async function offerStored() {
  stored = await loadArmies(member !== undefined);
  if (!stored.length) return;
  const options = stored.map(({ name }, at) => make("option", { value: `stored ${at}` }, name));
  choice("army").append(make("optgroup", { label: "Your armies, the newest first" }, ...options));
}

/**
 * Seal what is chosen; the server knows the ready armies by their names.
 * @param {Event} event
 */
async function seal(event) {
  event.preventDefault();
  const [kind, at] = choice("army").value.split(" ");
  const answer = await send("PUT", `${API}/army`, { army: kind === "stored" ? stored[Number(at)] : kind });
  write(part("room-why"), answer.isOk ? "" : answer.error);
  if (answer.isOk) location.replace(PAGE);
}

async function handInLast() {
  /** @type {Answer<{ army: Army, grid: string }>} */
  const own = await send("GET", API);
  const answer = own.isOk ? await handIn(own.army, own.grid, "") : own;
  write(part("room-why"), answer.isOk ? "" : answer.error);
  if (answer.isOk) location.assign(SITE + answer.path);
}
