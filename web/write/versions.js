// The versions of a draft: kept, compared with the present text, and restored.

import { make, write } from "../shared/elements.js";
import { input, on, part, say } from "../shared/parts.js";
import { send } from "../shared/requests.js";
import { comparison } from "./diff.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { DraftStore } from "./draft_store.js" */
/** @import { Draft, DraftFile, Version } from "./types.d.ts" */

export class Versions {
  /** @type {DraftFile[]} */
  compared = [];
  number = 0;
  #dialog = /** @type {HTMLDialogElement} */ (part("comparing"));

  /**
   * @param {DraftStore} store
   * @param {() => void} onChange
   */
  constructor(store, onChange) {
    this.store = store;
    this.onChange = onChange;
    on("keep-version", "click", () => this.save());
    input("version-note").addEventListener("keydown", (event) => event.key === "Enter" && this.save());
    on("restore", "click", () => this.restore());
    on("comparing-close", "click", () => this.#dialog.close());
    this.#draw();
  }

  async save() {
    const why = await this.store.saveVersion(input("version-note").value.trim());
    write(part("versions-why"), why);
    if (why) return;
    input("version-note").value = "";
    say("this version is kept");
    await this.reload();
  }

  async reload() {
    /** @type {Answer<Draft>} */
    const draft = await send("GET", this.store.path);
    if (!draft.isOk) return;
    this.store.draft.versions = draft.versions;
    this.#draw();
    this.onChange();
  }

  /** @param {Version} version */
  async compare({ number, note }) {
    /** @type {Answer<{ files: DraftFile[] }>} */
    const answer = await send("GET", `${this.store.path}/versions/${number}`);
    write(part("versions-why"), answer.isOk ? "" : answer.error);
    if (!answer.isOk) return;
    this.compared = answer.files;
    this.number = number;
    part("comparing-title").textContent = `Version ${number}${note ? `, ${note}` : ""}, and what has changed since`;
    part("comparing-changes").replaceChildren(...comparison(answer.files, this.store.draft.files));
    this.#dialog.showModal();
  }

  async restore() {
    this.#dialog.close();
    const why = await this.store.saveVersion(`before version ${this.number} was restored`);
    write(part("versions-why"), why);
    if (why) return;
    this.store.replace(this.compared);
    say(`version ${this.number} is restored; what was here is a version, too`);
    await this.store.flush();
    await this.reload();
  }

  #draw() {
    const { versions } = this.store.draft;
    part("versions-empty").hidden = versions.length > 0;
    part("versions").replaceChildren(
      ...versions.map((version) =>
        make("li", {},
          make("b", {}, `Version ${version.number}`),
          make("span", {}, version.note),
          make("time", { datetime: version.made_at, class: "relative" }, version.made_at),
          make("button", { type: "button", "aria-label": `Compare version ${version.number}`, click: () => this.compare(version) }, "Compare"),
        ),
      ),
    );
  }
}
