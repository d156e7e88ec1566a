// The caption below the board, and how the match ended: visualizer/model/story.py.
import { button, byId, make } from "../shared/elements.js";

/** @import { EndFacts } from "./types.d.ts" */
/** @import { Viewer } from "./viewer.js" */

export class Story {
  shown = "";
  /** @type {EndFacts | null} */
  told = null;

  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.replay = viewer.replay;
    this.caption = byId("caption");
    this.band = byId("band");
  }

  /**
   * Show the caption of the last turn that has ended, and at the end how the match ended.
   * @param {number} turn
   * @param {boolean} isAtEnd
   */
  show(turn, isAtEnd) {
    const { captions, isGrowing } = this.replay;
    const ending = isAtEnd && !isGrowing ? this.replay.ending : null;
    const { step } = this.viewer.cursor;
    const stage = step.turn > turn ? step.told : "";
    const { isPlaying, quietNow } = this.viewer.playback;
    const words = ending?.line || (isPlaying && quietNow?.[2]) || stage || captions[Math.min(Math.max(turn, 0), captions.length - 1)] || "";
    if (this.shown !== words) this.caption.textContent = this.caption.title = this.shown = words;
    this.band.hidden = !ending;
    if (ending && this.told !== ending) this.#tell((this.told = ending));
  }

  /** @param {EndFacts} ending */
  #tell({ who, why, figures, moments, winners }) {
    const { replay, viewer } = this;
    const chips = moments.map((turn) => button(`turn ${turn}`, () => viewer.scrub(turn), { title: replay.captions[turn] ?? "" }));
    this.band.style.setProperty("--team", winners.length ? replay.teams[winners[0] - 1].color : "var(--rim)");
    this.band.replaceChildren(
      make("h2", {}, who),
      make("p", {}, why),
      make("p", { class: "counts" }, ...figures.map((figure) => make("span", {}, figure)).flatMap((span, i) => (i ? [make("br"), span] : [span]))),
      ...(chips.length ? [make("div", { class: "how" }, "how: ", ...chips)] : []),
    );
  }
}
