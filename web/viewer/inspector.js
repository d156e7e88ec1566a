// The inspector: the facts and the history of one piece.
import { button, byId, factRows, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { drawPicture } from "./teams.js";

/** @import { Appearance, Moment } from "./types.d.ts" */
/** @import { Viewer } from "./viewer.js" */

const PICTURE = 48;

export class Inspector {
  /** @type {number | undefined} */
  shown;
  /** @type {Appearance | undefined} */
  last;
  /** @type {ImageBitmap | undefined} */
  image;

  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.panel = byId("inspector");
    this.title = make("h2");
    this.where = make("p", { class: "about" });
    this.picture = make("div", { class: "emblem" });
    const close = button(icon("close"), () => viewer.select(null), { class: "tool", title: "Deselect (Esc)", "aria-label": "Close" });
    this.facts = make("dl", { class: "facts" });
    this.history = make("ol", { class: "history" });
    this.note = make("p", { class: "note" });
    const who = make("div", { class: "who" }, this.title, this.where);
    this.panel.append(
      make("div", { class: "team-head" }, this.picture, who, close),
      this.facts, make("h3", {}, "history, newest first"), this.history, this.note,
    );
  }

  show() {
    const { selected, cursor } = this.viewer;
    this.#open(selected !== null);
    if (selected === null) return;
    const thing = cursor.things.get(selected)?.appearance;
    if (thing || selected !== this.shown) this.last = thing;
    this.shown = selected;
    this.#head(selected, thing);
    this.#showHistory(this.viewer.narrator.history(selected, cursor.position));
  }

  /**
   * On a phone it takes the place of the team panels, so that nothing else moves.
   * @param {boolean} isOpen
   */
  #open(isOpen) {
    const height = byId("teams").offsetHeight;
    if (isOpen && height) this.panel.style.setProperty("--place", `${height}px`);
    this.panel.hidden = !isOpen;
    document.body.classList.toggle("inspecting", isOpen);
  }

  /**
   * @param {number} id
   * @param {Appearance | undefined} thing undefined if it is not on the board now
   */
  #head(id, thing) {
    const { replay, images, narrator } = this.viewer;
    this.title.textContent = narrator.name(id, this.last);
    this.where.textContent = thing ? "" : "not on the board now";
    this.where.hidden = Boolean(thing);
    const image = images[replay.images.names[this.last?.image ?? ""]];
    if (this.image !== image) this.picture.replaceChildren(...(image ? [drawPicture(image, PICTURE)] : []));
    this.image = image;
    const facts = thing ? narrator.facts(thing) : [];
    this.facts.replaceChildren(...factRows(facts));
  }

  /** @param {Moment[]} moments */
  #showHistory(moments) {
    const { texts } = this.viewer;
    this.history.replaceChildren(...moments.map(renderMoment));
    const omitted = texts.logs_left_out + texts.faults_left_out;
    const first = [...texts.logs, ...texts.faults].reduce((turn, [at]) => Math.max(turn, at), 0);
    this.note.hidden = !omitted && moments.length > 0;
    this.note.textContent = omitted
      ? `The output of ${omitted} later ${omitted === 1 ? "decision" : "decisions"} (after about turn ${first}) is left out, to keep this page small.`
      : "No events in the last turns.";
  }
}

/** @param {Moment} moment */
function renderMoment({ turn, stage, ordered, sentences, fault, lines }) {
  const isLost = ordered && !ordered.order;
  const order = ordered ? ordered.order || "no order" : stage;
  const text = [...sentences, fault].filter(Boolean).join("; ");
  const item = make(
    "li", { class: isLost ? "bad" : "" },
    make("span", { class: "turn" }, turn),
    make("span", { class: ordered ? "order" : "order stage" }, order),
    make("span", { class: "sentences" }, text),
  );
  if (lines.length) item.append(make("pre", {}, lines.join("\n")));
  return item;
}
