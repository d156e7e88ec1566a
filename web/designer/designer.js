// The page on which an army is designed, fights, and is handed in.

import { make, mark, write } from "../shared/elements.js";
import { choice, on, part } from "../shared/parts.js";
import { send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";
import { API, ArmyDesigner } from "./army_designer.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { Army, Offered } from "./types.d.ts" */

const SAVING_MS = 800; // after the last change the server is told to keep it, where there is an account

class Designer extends ArmyDesigner {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  saving;

  setUp() {
    super.setUp();
    on("opponent", "change", () => this.store.set({ opponent: choice("opponent").value }));
    on("battle", "click", () => this.fight());
    on("hand-in", "click", () => this.handIn());
    this.#offer();
    for (const button of document.querySelectorAll("#steps button")) button.addEventListener("click", () => this.showStep(button));
    this.showStep(document.querySelectorAll("#steps button")[0]);
    if (this.store.isNew) this.store.begin(this.offered.armies[0]);
    this.recall();
    this.load();
  }

  /**
   * Show the cards of one step: a phone has no room for all of them.
   * @param {Element} chosen
   */
  showStep(chosen) {
    for (const button of document.querySelectorAll("#steps button")) mark(button, "aria-pressed", button === chosen ? "true" : "false");
    part("designer").dataset.step = chosen.textContent ?? "";
  }

  showInspection() {
    super.showInspection();
    const { mistakes } = this.inspected;
    const [first] = mistakes;
    const words = first ? `Not ready yet: ${first.words}` : `${this.store.army.name} is ready to fight. Try it, or change it below and try again.`;
    write(part("next"), words + (mistakes.length > 1 ? `, and ${mistakes.length - 1} more` : ""));
    part("next").classList.toggle("bad", mistakes.length > 0);
  }

  async load() {
    if (!this.store.isMember) return;
    /** @type {Answer<{ design: { army: Army, preset: string } | null }>} */
    const answer = await send("GET", `${API}/designs/mine`);
    if (answer.isOk && answer.design) this.store.take(answer.design.army, answer.design.preset);
  }

  async save() {
    const { army, grid: preset } = this.store;
    const answer = await send("PUT", `${API}/designs/mine`, { army, preset });
    if (answer.isOk && army === this.store.army) this.store.markSaved();
  }

  scheduleSave() {
    clearTimeout(this.saving);
    if (this.store.isMember && this.store.isUnsaved) this.saving = setTimeout(() => this.save(), SAVING_MS);
  }

  #offer() {
    const { offered, store } = this;
    for (const [label, isStarter] of /** @type {const} */ ([["Starter armies, the weakest first", true], ["Armies of the ladder, the strongest first", false]])) {
      const armies = offered.opponents.filter((one) => one.is_starter === isStarter);
      const options = armies.map(({ name, words }) => make("option", { value: name }, words));
      if (options.length) choice("opponent").append(make("optgroup", { label }, ...options));
    }
    const wanted = new URLSearchParams(location.search).get("against") ?? store.opponent;
    if (offered.opponents.some(({ name }) => name === wanted)) choice("opponent").value = wanted;
    choice("ladder")?.append(...offered.ladders.map(({ id, name }) => make("option", { value: id }, name)));
    choice("ladder")?.closest("label")?.toggleAttribute("hidden", offered.ladders.length < 2);
  }

  async fight() {
    const button = /** @type {HTMLButtonElement} */ (part("battle"));
    button.disabled = true;
    const body = { army: this.store.army, opponent: choice("opponent").value };
    /** @type {Answer<{ id: string, path: string }>} */
    const answer = await send("POST", `${API}/designs/battle`, body);
    button.disabled = false;
    if (this.showRefusal(answer)) return;
    this.store.set({ battle: answer.id });
    location.assign(SITE + answer.path);
  }

  /** Say what came of the last battle, as long as it is kept. */
  async recall() {
    const { battle } = this.store;
    if (!battle) return;
    /** @type {Answer<{ state: string, words: string, path: string }>} */
    const run = await send("GET", `${API}/runs/${battle}`);
    if (!run.isOk) return;
    part("last").hidden = false;
    part("last").replaceChildren(
      "Last battle: ",
      run.state === "over" ? `${run.words} ` : "",
      make("a", { href: SITE + run.path }, run.state === "over" ? "Watch it again" : "watch it"),
    );
  }

  async handIn() {
    const file = await this.file();
    if (!file) return;
    const files = { [file.name]: base64(file.source) };
    const body = { files, name: this.store.army.name, ladder: choice("ladder").value };
    /** @type {Answer<{ path: string }>} */
    const answer = await send("POST", `${API}/bots`, body);
    if (!this.showRefusal(answer)) location.assign(SITE + answer.path);
  }
}

/** @param {string} text */
function base64(text) {
  let letters = "";
  for (const byte of new TextEncoder().encode(text)) letters += String.fromCharCode(byte);
  return btoa(letters);
}

/** @type {Answer<Offered>} */
const offered = await send("GET", `${API}/designs`);
if (offered.isOk) new Designer(offered, "member" in part("designer").dataset, "design").setUp();
else {
  part("design-failure").hidden = false;
  part("design-failure").textContent = offered.error;
}
