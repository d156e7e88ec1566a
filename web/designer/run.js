// The page of a mock battle: its board as it is played, and what came of it.

import { byId, make, write } from "../shared/elements.js";
import { isTransient, send } from "../shared/requests.js";
import { describeRun } from "../shared/runs.js";
import { SITE } from "../shared/site.js";
import { connectFrame } from "../viewer/framed.js";
import { LiveMatch, followMatch } from "../viewer/live.js";

/** @import { Answer } from "../shared/types.d.ts" */

const topic = location.pathname.slice(SITE.length).replace(/^\/|\/watch$/g, "");
const PAUSE_MS = 500;
const UNDER_WAY = ["waiting", "playing"];
document.body.classList.toggle("compact", /[#&]compact\b/.test(location.hash)); // before there is a viewer
const came = /** @type {HTMLElement} */ (document.getElementById("came"));
const live = new LiveMatch(topic, { begun: connectFrame });
const before = make("p", { id: "before", "aria-hidden": true }); // where its board will be
byId("stage").append(before);
let whyHidden = ""; // of an opponent whose source is secret
const leave = followMatch(live, (words) => (whyHidden = words));

/** Say what came of it, once it is over. */
async function tell() {
  /** @type {Answer<{ state: string, words: string, position: number, wait_s: number, winner: number | null }>} */
  const run = await send("GET", `${SITE}/api/v1/${topic}`);
  if (run.isOk) write(came, describeRun(run));
  if (run.isOk) write(before, (run.state === "playing" && whyHidden) || describeRun(run));
  else if (!isTransient(run.status)) write(came, run.error);
  if (run.isOk && !UNDER_WAY.includes(run.state)) {
    came.classList.toggle("won", run.winner === 1);
    if (run.state !== "over") leave();
    return;
  }
  if (run.isOk || isTransient(run.status)) setTimeout(tell, PAUSE_MS);
}

tell();
