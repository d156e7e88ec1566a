// The page on which an army is designed, fights, and is handed in.

import { make, mark, write } from "../shared/elements.js";
import { choice, on, part, say } from "../shared/parts.js";
import { API, send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";
import { handIn, loadArmies, storeArmy } from "./armies.js";
import { ArmyDesigner } from "./army_designer.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { Army, Offered } from "./types.d.ts" */

const ROOM = encodeURIComponent(new URLSearchParams(location.search).get("room") ?? ""); // for whose battle one draws
const SAVING_MS = 800; // after the last change the server is told to keep it, where there is an account

class Designer extends ArmyDesigner {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  saving;
  /** @type {Army[]} */
  stored = [];

  setUp() {
    super.setUp();
    on("opponent", "change", () => this.store.set({ opponent: choice("opponent").value }));
    on("battle", "click", () => this.fight());
    on("hand-in", "click", () => this.handIn());
    on("keep", "click", () => this.keep());
    on("seal", "click", () => this.seal());
    this.#offer();
    for (const button of document.querySelectorAll("#steps button")) button.addEventListener("click", () => this.showStep(button));
    this.showStep(document.querySelectorAll("#steps button")[0]);
    if (this.store.isNew) this.store.begin(this.offered.armies[0]);
    this.recall();
    this.#offerStored();
    if (ROOM) this.enterRoom();
    else this.load();
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
    mark(part("hand-in"), "disabled", true);
    const answer = await handIn(this.store.army, this.store.grid, choice("ladder").value);
    mark(part("hand-in"), "disabled", false);
    if (!this.showRefusal(answer)) location.assign(SITE + answer.path);
  }

  async keep() {
    const answer = await storeArmy(this.store.army, this.store.grid, this.store.isMember);
    if (answer && this.showRefusal(answer)) return;
    this.#offerStored();
    say(`${this.store.army.name} is in store`);
  }

  /** Let one start from the armies in store. */
  async #offerStored() {
    this.stored = await loadArmies(this.store.isMember);
    document.getElementById("stored")?.remove();
    if (!this.stored.length) return;
    const options = this.stored.map(({ name }, at) => make("option", { value: `stored ${at}` }, name));
    choice("start-from").append(make("optgroup", { id: "stored", label: "In store" }, ...options));
  }

  /** @param {string} said */
  start(said) {
    const [kind, at] = said.split(" ");
    if (kind !== "stored") return super.start(said);
    choice("start-from").value = "";
    this.store.replace(this.stored[Number(at)]);
  }

  /** Draw for a room: on its grid, beginning with what has fought there last, where nothing is drawn. */
  async enterRoom() {
    /** @type {Answer<{ army: Army | null, grid: string }>} */
    const own = await send("GET", `${API}/rooms/${ROOM}`);
    if (this.showRefusal(own)) return;
    if (own.army && this.store.isNew) this.store.begin(own.army);
    this.store.set({ grid: own.grid });
    mark(part("grid"), "disabled", true);
    part("seal").hidden = false;
    part("battle").classList.remove("primary");
  }

  async seal() {
    const { army, grid } = this.store;
    const answer = await send("PUT", `${API}/rooms/${ROOM}/army`, { army });
    if (this.showRefusal(answer)) return;
    if (!this.store.isMember) await storeArmy(army, grid, false);
    location.assign(`${SITE}/rooms/${ROOM}`);
  }
}

/** @type {Answer<Offered>} */
const offered = await send("GET", `${API}/designs`);
if (offered.isOk) new Designer(offered, "member" in part("designer").dataset, "design").setUp();
else {
  part("design-failure").hidden = false;
  part("design-failure").textContent = offered.error;
}
