// The drawing of an army beside its code: what is drawn is written into the main file, whose comments hold
// the drawing, and a file that the designer wrote is opened as a drawing again.

import { mark, write } from "../shared/elements.js";
import { on, part } from "../shared/parts.js";
import { API, send } from "../shared/requests.js";
import { ArmyDesigner } from "../designer/army_designer.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { Army, Offered } from "../designer/types.d.ts" */
/** @import { DraftStore } from "./draft_store.js" */
/** @import { Files } from "./files.js" */

const WRITE_MS = 300; // after the last stroke
const OTHER = "The code was changed by hand since it was drawn. Whoever draws on replaces that; it is kept as a version.";
const NONE = "This file was not drawn, so there is no drawing to show: ";

class Designer extends ArmyDesigner {
  isOpening = false;
  /** @type {() => void} */
  onDrawn = () => {};

  scheduleSave() {
    if (!this.isOpening) this.onDrawn();
  }
}

export class ArmyDrawing {
  /** @type {Designer | null} */
  designer = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  written = ""; // the text that was drawn last, or from which the drawing was opened
  isChangedByHand = false;

  /**
   * @param {DraftStore} store
   * @param {Files} files
   */
  constructor(store, files) {
    this.store = store;
    this.files = files;
    on("show-drawing", "click", () => this.show(part("drawing-side").hidden === true));
    on("begin-drawing", "click", () => this.startDrawing());
    part("files").addEventListener("click", () => this.show(false));
  }

  /** @returns {string} */
  get main() {
    const { draft } = this.store;
    return draft.main || draft.files[0].name;
  }

  /** @param {boolean} isShown */
  async show(isShown) {
    part("drawing-side").hidden = !isShown;
    part("editor").hidden = isShown;
    mark(part("show-drawing"), "aria-pressed", String(isShown));
    if (isShown && (await this.#hasDesigner())) await this.#open();
    else if (!isShown) this.files.retype();
  }

  /** Begin a drawing in place of the code, which is kept as a version. */
  async startDrawing() {
    const { designer } = this;
    if (!designer) return;
    const why = await this.store.saveVersion("before it was drawn");
    write(part("drawing-words"), why);
    if (why) return;
    this.#showDesigner(true);
    designer.store.replace(designer.offered.armies[0]);
  }

  async #hasDesigner() {
    if (this.designer) return true;
    /** @type {Answer<Offered>} */
    const offered = await send("GET", `${API}/designs`);
    if (!offered.isOk) {
      write(part("drawing-words"), offered.error);
      return false;
    }
    this.designer = new Designer(offered, false, "");
    this.designer.isOpening = true;
    this.designer.setUp();
    this.designer.isOpening = false;
    this.designer.onDrawn = () => this.#onDrawn();
    return true;
  }

  async #open() {
    const text = this.store.file(this.main)?.text ?? "";
    if (text === this.written || !this.designer) return;
    /** @type {Answer<Army>} */
    const answer = await send("POST", `${API}/designs/open`, { source: text });
    if (!answer.isOk) {
      write(part("drawing-words"), NONE + answer.error);
      this.#showDesigner(false);
      return;
    }
    const { name, types, placements } = answer;
    this.designer.isOpening = true;
    this.designer.store.replace({ name, types, placements });
    this.designer.isOpening = false;
    this.#showDesigner(true);
    this.written = text;
    this.isChangedByHand = (await this.#source()) !== text;
    write(part("drawing-words"), this.isChangedByHand ? OTHER : "");
  }

  /** @param {boolean} isOpen */
  #showDesigner(isOpen) {
    part("designer").hidden = !isOpen;
    part("begin-drawing").hidden = isOpen;
    part("drawing-side").classList.toggle("open", isOpen);
  }

  #onDrawn() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#write(), WRITE_MS);
  }

  async #write() {
    const source = await this.#source();
    if (source === null || source === this.written) return;
    if (this.isChangedByHand) {
      this.isChangedByHand = false;
      write(part("drawing-words"), await this.store.saveVersion("before it was drawn again"));
    }
    this.written = source;
    this.store.write(this.main, source);
  }

  /** Return the file of what is drawn; null, with the reason shown, while it has mistakes. */
  async #source() {
    if (!this.designer) return null;
    const { army, grid: preset } = this.designer.store;
    /** @type {Answer<{ source: string }>} */
    const answer = await send("POST", `${API}/designs/file`, { army, preset });
    write(part("go-why"), answer.isOk ? "" : `Not in the code yet: ${answer.error}`);
    return answer.isOk ? answer.source : null;
  }
}
