// A panel for each team: its bot, its score and its facts.
import { byId, factRows, make } from "../shared/elements.js";
import { cpuText, scoreText, toOneDecimal } from "./formats.js";

/** @import { Replay } from "./replay.js" */
/** @import { Standing, Team } from "./types.d.ts" */

const EMBLEM = 40;

export class Teams {
  /** @type {number | null} */
  turn = null;
  /** @type {Record<string, string>} What facts are called for people who play, where the rules call them shorter. */
  names = {};

  /**
   * @param {Replay} replay
   * @param {ImageBitmap[]} images
   */
  constructor(replay, images) {
    this.replay = replay;
    this.panels = replay.teams.map((team, i) => new TeamPanel(team, i + 1, images, replay));
    document.body.classList.toggle("many", replay.teams.length > 2);
    document.body.classList.toggle("crowded", replay.teams.length > 4);
    byId("teams").replaceChildren(...this.panels.map((panel) => panel.element));
  }

  // Show the same turn again: more of it is known.
  forget() {
    this.turn = null;
  }

  /** @param {number} turn */
  show(turn) {
    if (this.turn === turn) return;
    this.turn = turn;
    const isOver = !this.replay.isGrowing && turn >= this.replay.lastTurn;
    for (const panel of this.panels) panel.show(this.replay.standing(panel.number, turn), isOver, this.names);
  }
}

class TeamPanel {
  /**
   * @param {Team} team
   * @param {number} number
   * @param {ImageBitmap[]} images
   * @param {Replay} replay
   */
  constructor(team, number, images, replay) {
    this.number = number;
    this.replay = replay;
    this.score = make("output", { class: "score" });
    this.result = make("span", { class: "result", hidden: true });
    this.lines = make("div", { class: "lines" });
    this.figures = make("dl", { class: "figures" });
    const about = make("p", { class: "about" }, team.about);
    about.title = about.textContent;
    const name = make("h2", { title: team.name }, team.name);
    const head = make(
      "div", { class: "team-head" },
      makeEmblem(team, number, images),
      make("div", { class: "who" }, name, about),
      make("div", { class: "points" }, this.score, this.result),
    );
    const label = `team ${number}: ${team.name}`;
    this.element = make("article", { class: "team", "aria-label": label }, head, this.lines, this.figures);
    this.element.style.setProperty("--team", team.color);
    this.element.style.setProperty("--ink", team.ink);
  }

  /**
   * @param {Standing} standing
   * @param {boolean} isOver
   * @param {Record<string, string>} names
   */
  show(standing, isOver, names) {
    this.score.textContent = scoreText(this.replay.formats, standing.score);
    const { formats, forfeitedName } = this.replay;
    /** @type {[string, string][]} */
    const figures = [];
    this.lines.replaceChildren();
    for (const { name, value } of standing.panel) {
      if (Array.isArray(value)) this.lines.append(histogram(name, value));
      else figures.push([names[name]?.toLowerCase() ?? name, typeof value === "number" ? toOneDecimal(value) : String(value)]);
    }
    if (standing.cpuMs || !document.body.classList.contains("ordered")) figures.push([formats.cpu, cpuText(formats, standing.cpuMs * 1000)]);
    figures.push([forfeitedName, toOneDecimal(standing.forfeited)]);
    this.figures.replaceChildren(...factRows(figures));
    this.figures.lastElementChild?.classList.toggle("bad", standing.forfeited > 0);
    const { ending } = this.replay;
    const isBest = ending && ending.scores[this.number - 1] === Math.max(...ending.scores);
    this.result.hidden = !(isOver && isBest);
    this.result.textContent = ending?.winners.length ? formats.winner : formats.draw;
  }
}

/**
 * @param {string} name
 * @param {number[]} counts
 */
function histogram(name, counts) {
  const most = Math.max(1, ...counts);
  const words = counts.map((count, i) => (count ? `${count} of ${i + 1}` : "")).filter(Boolean);
  const bars = counts.map((count, i) => {
    const bar = make("i");
    bar.style.height = `${(count / most) * 100}%`;
    const number = make("b", {}, count || "");
    return make("span", { title: `${i + 1}: ${count}` }, number, make("em", {}, bar), make("small", {}, i + 1));
  });
  const label = `${name}: ${words.join(", ") || "none"}`;
  return make("div", { class: "histogram", role: "img", "aria-label": label }, ...bars);
}

/**
 * Return a picture of a piece of the team, with its number.
 * @param {Team} team
 * @param {number} number
 * @param {ImageBitmap[]} images
 */
function makeEmblem(team, number, images) {
  const holder = make("div", { class: "emblem" }, make("b", {}, number));
  if (team.emblem === null) {
    holder.classList.add("bare");
    return holder;
  }
  holder.prepend(drawPicture(images[team.emblem], EMBLEM));
  return holder;
}

/**
 * Return a picture as an element, `side` CSS pixels wide.
 * @param {ImageBitmap} image
 * @param {number} side
 */
export function drawPicture(image, side) {
  const canvas = make("canvas", { width: side * 3, height: side * 3, "aria-hidden": "true" });
  canvas.style.width = canvas.style.height = `${side}px`;
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  ctx.imageSmoothingQuality = "high";
  ctx.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}
