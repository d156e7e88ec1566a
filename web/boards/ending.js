// The end of a game, the same in all games: who won and why, how it went, and what one may do next.

import { button, byId, draw, make } from "../shared/elements.js";
import { SITE } from "../shared/site.js";
import { toOneDecimal } from "../viewer/formats.js";
import { openDialog } from "./page.js";
import { askRematch } from "./players.js";
import { saveSeen } from "./tour.js";

/** @import { Position } from "../shared/types.d.ts" */
/** @import { EndFacts } from "../viewer/types.d.ts" */
/** @import { Replay } from "../viewer/replay.js" */
/** @import { Viewer } from "../viewer/viewer.js" */

const WIDTH = 320;
const HEIGHT = 64;
const MIN_POINTS = 8; // fewer make no curve
const MAX_POINTS = 160;

export class Ending {
  #id;
  #kind;
  #root;
  #wasPlaying = false;
  /** @type {HTMLElement | null} */
  #card = null;

  /**
   * @param {string} id
   * @param {string} kind  of game
   * @param {HTMLElement} root  of the panels
   */
  constructor(id, kind, root) {
    this.#id = id;
    this.#kind = kind;
    this.#root = root;
  }

  /**
   * Say how the game ended, once its board knows it too; who has played it is told in a dialog.
   * @param {Position} position
   * @param {Viewer} viewer
   */
  show(position, viewer) {
    const { ending } = viewer.replay;
    if (!position.outcome || !ending) {
      this.#wasPlaying ||= !position.outcome && position.seats.some((seat) => seat.is_yours);
      if (position.outcome) return;
      this.#card?.remove(); // the last move was taken back
      this.#card = null;
      return;
    }
    if (this.#card) return;
    document.getElementById("tour")?.remove();
    if (this.#wasPlaying) saveSeen(`played ${this.#kind}`);
    const head = headline(position, ending);
    this.#card = make("section", { class: "card summary", "aria-label": "Result" }, make("h2", {}, head), this.#links());
    this.#root.prepend(this.#card);
    if (this.#wasPlaying) this.#openDialog(head, ending, viewer);
  }

  /**
   * @param {string} head
   * @param {EndFacts} ending
   * @param {Viewer} viewer
   */
  #openDialog(head, ending, viewer) {
    const close = () => dialog.close();
    const [decisive] = ending.moments;
    const dialog = openDialog(
      head,
      make("p", {}, head.startsWith(ending.who) ? ending.why : `${ending.who}: ${ending.why}`),
      ...(viewer.replay.standings.length > MIN_POINTS ? [drawCurves(viewer.replay, ending.scores)] : []),
      ...ending.figures.slice(1).map((figure) => make("p", { class: "quiet" }, figure)),
      make(
        "p",
        { class: "buttons" },
        button("See the board", close),
        ...(ending.moments.length ? [button("How it turned", () => (close(), viewer.scrub(decisive)))] : []),
        make("a", { class: "button", href: this.#address(`watch#t=${decisive ?? 0}`) }, "What if …"),
        make("a", { class: "button", href: byId("orders").dataset.change ? `${SITE}/play/${this.#kind}` : `${SITE}/` }, "New opponent"),
        button("Rematch", () => (close(), askRematch()), { class: "primary" }),
      ),
    );
  }

  #links() {
    return make(
      "p",
      { class: "buttons" },
      make("a", { class: "button", href: this.#address("watch") }, "Watch the replay"),
      make("a", { class: "button", href: this.#address("replay") }, "Download the replay"),
      make("a", { class: "button primary", href: `${SITE}/` }, "New game"),
    );
  }

  /** @param {string} page */
  #address(page) {
    return `${SITE}/games/${encodeURIComponent(this.#id)}/${page}`;
  }
}

/**
 * Return who won, as it is to the reader.
 * @param {Position} position
 * @param {EndFacts} ending
 */
function headline({ seats, outcome }, ending) {
  const mine = seats.filter((seat) => seat.is_yours);
  const isOpponent = mine.length > 0 && mine.length < seats.length;
  const ranked = ending.scores.map((score, index) => ({ score, isMine: isOpponent && seats[index].is_yours }));
  ranked.sort((a, b) => Number(b.isMine) - Number(a.isMine) || b.score - a.score);
  const scores = ranked.map(({ score }) => toOneDecimal(score)).join("\u00a0:\u00a0");
  if (!isOpponent || !outcome?.winner) return `${ending.who}, ${scores}`;
  return `${mine.some((seat) => seat.team === outcome.winner) ? "You won" : "You lost"}, ${scores}`;
}

/**
 * Return a picture of the scores from the first turn to the last, a curve for each team.
 * @param {Replay} replay
 * @param {number[]} final
 */
function drawCurves({ standings, teams }, final) {
  const every = Math.ceil(standings.length / MAX_POINTS);
  const shown = standings.filter((_, place) => place % every === 0).map((each) => teams.map((_, index) => each.get(index + 1)?.score ?? 0));
  shown.push(final);
  const highest = Math.max(1, ...shown.flat());
  const curves = teams.map(({ color }, index) => {
    const points = shown.map((scores, place) => {
      const x = (place / (shown.length - 1)) * WIDTH;
      const y = HEIGHT - 2 - (Math.max(0, scores[index]) / highest) * (HEIGHT - 4);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    });
    return draw("polyline", { points: points.join(" "), fill: "none", stroke: color, "stroke-width": 2.5, "stroke-dasharray": index ? "6 4" : "none" });
  });
  const words = "The scores from the first turn to the last";
  return draw("svg", { class: "curves", role: "img", "aria-label": words, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" }, ...curves);
}
