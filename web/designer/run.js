// The page of a mock battle: its board as it is played, and what came of it.

import { send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";
import { connectFrame } from "../viewer/framed.js";
import { LiveMatch } from "../viewer/live.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { SceneMessage } from "../viewer/types.d.ts" */

const topic = location.pathname.slice(SITE.length).replace(/^\/|\/watch$/g, "");
const PAUSE_MS = 500;
/** @type {Record<string, string>} */
const UNDER_WAY = { waiting: "It waits for others that are played …", playing: "It is being played …" };
document.body.classList.toggle("compact", /[#&]compact\b/.test(location.hash)); // before there is a viewer
const came = /** @type {HTMLElement} */ (document.getElementById("came"));
const live = new LiveMatch(topic, { begun: connectFrame });
let taking = Promise.resolve();

const source = new EventSource(`${SITE}/api/v1/${topic}/scene`);
source.addEventListener("scene", (event) => {
  /** @type {SceneMessage} */
  const message = JSON.parse(event.data);
  if (!message.isGrowing) source.close();
  taking = taking.then(() => live.take(message));
});
// A stream that was cut off begins anew, and so does this page: see LiveMatch.take.

/** Say what came of it, once it is over. */
async function tell() {
  /** @type {Answer<{ state: string, words: string, winner: number | null }>} */
  const run = await send("GET", `${SITE}/api/v1/${topic}`);
  if (run.isOk && run.state in UNDER_WAY) came.textContent = UNDER_WAY[run.state];
  if (!run.isOk && run.status) came.textContent = run.error;
  if (run.isOk && (run.state === "over" || run.state === "failed")) {
    came.textContent = run.words;
    came.classList.toggle("won", run.winner === 1);
    if (run.state === "failed") source.close();
    return;
  }
  if (run.isOk || !run.status) setTimeout(tell, PAUSE_MS);
}

tell();
