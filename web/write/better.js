// Whether a draft is better than another bot: the verdict of many games, which grows while they are played.

import { draw, mark, write } from "../shared/elements.js";
import { choice, on, part } from "../shared/parts.js";
import { send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { DraftStore } from "./draft_store.js" */
/** @import { Versus } from "./types.d.ts" */

const LOOK_MS = 1000;

export class Better {
  id = "";

  /** @param {DraftStore} store */
  constructor(store) {
    this.store = store;
    on("versus", "click", () => this.start());
    on("versus-stop", "click", () => this.stop());
    on("versus-opponent", "change", () => (choice("versus-opponent").dataset.chosen = ""));
  }

  async start() {
    mark(part("versus"), "disabled", true);
    write(part("versus-why"), "");
    const isSaved = await this.store.flush();
    const body = { against: choice("versus-opponent").value, games: Number(choice("versus-games").value) };
    /** @type {Answer<{ id: string }> | null} */
    const answer = isSaved ? await send("POST", `${this.store.path}/versus`, body) : null;
    mark(part("versus"), "disabled", false);
    if (!answer?.isOk) {
      write(part("versus-why"), answer?.error ?? "The text is not saved yet.");
      return;
    }
    this.id = answer.id;
    this.#look(answer.id);
  }

  async stop() {
    const answer = await send("DELETE", `${SITE}/api/v1/versus/${this.id}`, {});
    write(part("versus-why"), answer.error ?? "");
  }

  /** @param {string} id */
  async #look(id) {
    /** @type {Answer<Versus>} */
    const versus = await send("GET", `${SITE}/api/v1/versus/${id}`);
    if (id !== this.id) return;
    if (versus.isOk) this.#show(versus);
    else if (versus.status) write(part("versus-why"), versus.error);
    const isOn = versus.isOk ? versus.state === "waiting" || versus.state === "playing" : !versus.status;
    part("versus-stop").hidden = part("versus").hidden = false;
    part(isOn ? "versus" : "versus-stop").hidden = true;
    if (isOn) setTimeout(() => this.#look(id), LOOK_MS);
  }

  /** @param {Versus} versus */
  #show({ state, played, of, wins, draws, losses, low, high, confidence, verdict }) {
    part("versus-result").hidden = false;
    write(part("versus-verdict"), verdict || (state === "waiting" ? "It waits for others …" : "The games begin …"));
    const percent = [low, high].map((share) => Math.round(100 * share));
    const range = played ? `, ${percent[0]} % to ${percent[1]} % of the points (${Math.round(100 * confidence)} % confidence)` : "";
    write(part("versus-counts"), `${played} of ${of} games: ${wins} won, ${draws} drawn, ${losses} lost${range}`);
    const bar = part("versus-bar");
    mark(bar, "aria-label", part("versus-counts").textContent);
    bar.replaceChildren(
      draw("rect", { class: "ground", width: "100", height: "14" }),
      draw("rect", { class: "range", x: 100 * low, y: "2", width: played ? Math.max(0.6, 100 * (high - low)) : 0, height: "10" }),
      draw("rect", { class: "half", x: "49.7", width: ".6", height: "14" }),
    );
  }
}
