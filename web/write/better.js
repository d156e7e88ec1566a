// Whether a draft is better than another bot: the verdict of many games, which grows while they are played.

import { draw, mark, write } from "../shared/elements.js";
import { choice, on, part } from "../shared/parts.js";
import { isTransient, send } from "../shared/requests.js";
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
    const body = { against: choice("versus-opponent").value, games: Number(choice("versus-games").value), preset: choice("preset").value };
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
    else if (!isTransient(versus.status)) write(part("versus-why"), versus.error);
    const isOn = versus.isOk ? versus.state === "waiting" || versus.state === "playing" : isTransient(versus.status);
    part("versus-stop").hidden = part("versus").hidden = false;
    part(isOn ? "versus" : "versus-stop").hidden = true;
    if (isOn) setTimeout(() => this.#look(id), LOOK_MS);
  }

  /** @param {Versus} versus */
  #show({ state, against, played, of, wins, draws, losses, low, high, confidence, verdict }) {
    part("versus-result").hidden = false;
    write(part("versus-verdict"), verdict || (state === "waiting" ? "It waits for others …" : "The games begin …"));
    const [from, to] = [winShare(low, 0), winShare(high, 1)];
    const isKnown = low !== null || high !== null;
    const range = isKnown ? `; ${low === null ? "−∞" : elo(low)} to ${high === null ? "+∞" : elo(high)} Elo, with ${Math.round(100 * confidence)} % confidence` : "";
    write(part("versus-counts"), `Against ${against}, ${played} of at most ${of} games: ${wins} won, ${draws} drawn, ${losses} lost${range}`);
    const bar = part("versus-bar");
    mark(bar, "aria-label", part("versus-counts").textContent);
    bar.replaceChildren(
      draw("rect", { class: "ground", width: "100", height: "14" }),
      draw("rect", { class: "range", x: 100 * from, y: "2", width: isKnown ? Math.max(0.6, 100 * (to - from)) : 0, height: "10" }),
      draw("rect", { class: "half", x: "49.7", width: ".6", height: "14" }),
    );
  }
}

/**
 * Return the share of points that a lead in Elo stands for.
 * @param {number | null} lead
 * @param {number} unlimited
 */
function winShare(lead, unlimited) {
  return lead === null ? unlimited : 1 / (1 + 10 ** (-lead / 400));
}

/** @param {number} lead */
function elo(lead) {
  return `${lead < 0 ? "−" : "+"}${Math.abs(Math.round(lead))}`;
}
