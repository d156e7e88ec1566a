// The timeline: scores over the match, events by kind, and the playhead.
import { drawDisc } from "./board.js";
import { button, byId, color, make } from "../shared/elements.js";
import { sharpen, cssZoom } from "./view.js";
import { drawSign } from "./marks.js";
import { cpuText, scoreText, toOneDecimal } from "./formats.js";

/** @import { DrawingFacts, MarkName, Team } from "./types.d.ts" */
/** @import { Viewer } from "./viewer.js" */

const [PAD_LEFT, PAD_RIGHT] = [8, 28];
const BIN = 2;  // pixels of a mark where lanes are too low for signs
const SIGNED = 8;  // pixels: the least height of lanes with signs
const NUMBERED = 48;  // the least height of a graph with such numbers

export class Timeline {
  width = 0;
  isDragging = false;
  wasPlaying = false;
  cpuLanes = 0;
  /** @type {HTMLElement | undefined} */
  mostCpu;
  /** @type {Map<string, HTMLElement>} */
  shownCounts = new Map();

  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.replay = viewer.replay;
    this.sizes = this.replay.drawing.sizes;
    this.track = byId("track");
    this.canvas = byId("graph");
    this.ctx = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.playhead = byId("playhead");
    this.tip = byId("track-tip");
    this.most = make("span", { class: "most" });  // an element, as the playhead passes below it
    this.folds = make("div", { class: "folds" });
    this.track.append(this.most);
    this.playhead.before(this.folds);
    this.kinds = new Set(this.replay.timeline.map(([what]) => what));
    // Of a match that is over, what never happened has no lane.
    const happened = new Set(this.replay.marks.map(({ what }) => what));
    this.lanes = this.replay.timeline.filter(([what]) => this.replay.isGrowing || happened.has(what));
    this.#listLanes();
    this.#listen();
  }

  // Draw everything but the playhead.
  draw() {
    const { canvas, ctx, track } = this;
    const [width, height] = [track.clientWidth, track.clientHeight];
    sharpen(canvas, width, height);
    const ratio = canvas.width / width;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    const lane = parseFloat(getComputedStyle(track).getPropertyValue("--lane"));
    const events = lane * this.lanes.length;
    const graph = height - events - lane * this.cpuLanes;
    this.width = width;
    this.#drawLanes(graph, lane);
    if (this.cpuLanes) this.#drawCpu(graph + events, lane * this.sizes.cpuLanes);
    this.#drawScores(graph);
    this.#showFolds(height, graph);
  }

  /**
   * Shade the quiet stretches; a click on the mark above one unfolds it.
   * @param {number} height
   * @param {number} graph
   */
  #showFolds(height, graph) {
    const { ctx, viewer: { playback } } = this;
    this.folds.replaceChildren(...playback.quiet.map((stretch) => {
      const [first, last, words] = stretch;
      const isFolded = !playback.unfolded.has(stretch);
      const [left, right] = [this.#toX(first - 1), this.#toX(last)];
      ctx.fillStyle = color("rim");
      ctx.globalAlpha = isFolded ? 0.5 : 0.2;
      ctx.fillRect(left, 0, right - left, height);
      ctx.globalAlpha = 1;
      const fold = button(isFolded ? "»" : "«", () => this.viewer.toggleFold(stretch), { title: words, "aria-expanded": String(!isFolded) });
      Object.assign(fold.style, { left: `${left}px`, width: `${right - left}px` });
      fold.addEventListener("pointerdown", (event) => event.stopPropagation());
      return fold;
    }));
    this.folds.hidden = graph < NUMBERED;
  }

  // More of the match is there.
  grown() {
    const counts = this.#counts();
    for (const [what, count] of this.shownCounts) count.textContent = String(counts.get(what) ?? 0);
    if (this.mostCpu) this.mostCpu.textContent = cpuText(this.replay.formats, this.#maxCpuMs() * 1000);
    this.track.setAttribute("aria-valuemax", String(this.replay.lastTurn));
    this.draw();
  }

  move() {
    const { playback, replay } = this.viewer;
    const turn = playback.turnOver;
    this.playhead.style.transform = `translateX(${this.#toX(playback.time)}px)`;
    this.track.setAttribute("aria-valuenow", String(turn));
    this.track.setAttribute("aria-valuetext", `turn ${turn} of ${replay.lastTurn}: ${this.#scoresAt(turn)}`);
  }

  // The kinds of events to go through; null while none was left out.
  get chosen() {
    return this.kinds.size < this.replay.timeline.length ? this.kinds : null;
  }

  #counts() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { what } of this.#listKnownMarks()) counts.set(what, (counts.get(what) ?? 0) + 1);
    return counts;
  }

  #listKnownMarks() {
    const end = this.replay.turnEnd(this.viewer.known);
    return this.replay.marks.filter(({ at }) => at <= end);
  }

  #listLanes() {
    const counts = this.#counts();
    const buttons = this.lanes.map(([what, sign]) => {
      const count = make("b", {}, counts.get(what) ?? 0);
      this.shownCounts.set(what, count);
      const button = make(
        "button",
        { type: "button", class: "lane", title: `Include or skip ${what}`, "aria-pressed": "true" },
        signPicture(this.replay.drawing, sign), make("span", {}, what), count,
      );
      button.addEventListener("click", () => this.#toggle(what, button));
      return button;
    });
    const toWin = this.replay.thresholds.some((goal) => goal !== null) ? [make("br"), "- - to win"] : [];
    byId("lanes").append(make("span", { class: "lane-head" }, this.replay.scoreName, ...toWin), ...buttons);
    this.cpuLanes = this.replay.teams.some((_, i) => this.replay.standing(i + 1, this.replay.lastTurn).cpuMs)
      ? this.sizes.cpuLanes : 0;
    if (this.cpuLanes) {
      this.mostCpu = make("b", {}, cpuText(this.replay.formats, this.#maxCpuMs() * 1000));
      const words = { class: "lane cpu", title: "CPU time of each bot in a turn; the number is the most" };
      byId("lanes").append(make("span", words, make("span", {}, "CPU"), this.mostCpu));
    }
    this.track.style.setProperty("--lanes", String(buttons.length + this.cpuLanes));
    this.track.setAttribute("aria-valuemax", String(this.replay.lastTurn));
  }

  /**
   * @param {string} what
   * @param {HTMLElement} button
   */
  #toggle(what, button) {
    const isOn = !this.kinds.delete(what);
    if (isOn) this.kinds.add(what);
    button.setAttribute("aria-pressed", String(isOn));
    this.draw();
  }

  /**
   * @param {number} top
   * @param {number} lane
   */
  #drawLanes(top, lane) {
    const { ctx } = this;
    this.lanes.forEach(([what, mark], number) => {
      const y = top + number * lane;
      ctx.globalAlpha = 0.55;
      ctx.fillStyle = color("raised");
      const gap = lane > 6 ? 1.5 : 0.5;
      ctx.fillRect(PAD_LEFT, y + gap, this.#span(), lane - 2 * gap);
      const { drawing } = this.replay;
      const sign = drawing.signs[mark];
      ctx.fillStyle = color("quiet");
      ctx.globalAlpha = this.kinds.has(what) ? 1 : 0.25;
      const bin = lane < SIGNED ? BIN : lane - 2;
      for (const [place, count] of this.#countByBin(what, bin)) {
        const x = PAD_LEFT + place * bin;
        if (lane < SIGNED) ctx.fillRect(x - BIN / 2, y + gap, BIN, lane - 2 * gap);
        else drawSign(ctx, drawing, sign, { x, y: y + lane / 2 }, lane * (0.66 + 0.34 * Math.min(1, count / this.sizes.fullSizeMarks)));
      }
    });
    ctx.globalAlpha = 1;
  }

  /**
   * Draw what each bot used in each turn, all on one scale.
   * @param {number} top
   * @param {number} height
   */
  #drawCpu(top, height) {
    const { ctx } = this;
    ctx.fillStyle = color("raised");
    ctx.globalAlpha = 0.55;
    ctx.fillRect(PAD_LEFT, top + 1, this.#span(), height - 2);
    ctx.globalAlpha = 1;
    const most = this.#maxCpuMs() || 1;
    this.replay.teams.forEach((team, i) => {
      const path = new Path2D();
      for (let turn = 1; turn <= this.viewer.known; turn++) {
        path.lineTo(this.#toX(turn), top + height - 2 - (this.#cpuMs(i + 1, turn) / most) * (height - 5));
      }
      drawCurve(ctx, path, team, 1.5);
    });
  }

  /**
   * @param {number} team
   * @param {number} turn
   */
  #cpuMs(team, turn) {
    return turn ? this.replay.standing(team, turn).cpuMs - this.replay.standing(team, turn - 1).cpuMs : 0;
  }

  #maxCpuMs() {
    let most = 0;
    for (let turn = 1; turn <= this.viewer.known; turn++) {
      this.replay.teams.forEach((_, i) => (most = Math.max(most, this.#cpuMs(i + 1, turn))));
    }
    return most;
  }

  /**
   * Return how many events there are at each place of a lane.
   * @param {string} what
   * @param {number} width
   */
  #countByBin(what, width) {
    /** @type {Map<number, number>} */
    const bins = new Map();
    for (const mark of this.#listKnownMarks()) {
      if (mark.what !== what) continue;
      const bin = Math.round((this.#toX(this.replay.timeAt(mark.at)) - PAD_LEFT) / width);
      bins.set(bin, (bins.get(bin) ?? 0) + 1);
    }
    return bins;
  }

  /** @param {number} height */
  #drawScores(height) {
    const { replay } = this;
    const turns = Array.from({ length: this.viewer.known + 1 }, (_, turn) => turn);
    const lines = replay.teams.map((_, i) => turns.map((turn) => replay.standing(i + 1, turn).score));
    const goals = replay.thresholds.slice(0, turns.length).filter((goal) => goal !== null);
    const most = [...lines.flat(), ...goals].reduce((a, b) => Math.max(a, b), 1);
    const least = lines.flat().reduce((a, b) => Math.min(a, b), 0);
    /** @param {number} score */
    const toY = (score) => height - 5 - ((score - least) / (most - least)) * (height - (height < NUMBERED ? 12 : this.sizes.axis + 9));
    if (height >= NUMBERED) this.#drawTurns(height);
    this.#drawScale(least, most, toY);
    this.#drawMoments(height < NUMBERED ? 0 : this.sizes.axis);
    const ends = lines.map((line) => toY(line[line.length - 1]));
    apart(ends, this.sizes.curveBadge, height - 4);
    lines.forEach((line, i) => this.#drawLine(line.map(toY), i, height));
    if (goals.length) this.#drawGoal(toY);
    if (lines.length * this.sizes.curveBadge < height) ends.forEach((end, i) => this.#drawNumber(end, i));
  }

  /**
   * Draw the numbers of turns above a graph, with a line each.
   * @param {number} height
   */
  #drawTurns(height) {
    const { ctx, replay: { lastTurn, drawing: { ticks } }, viewer: { playback } } = this;
    const least = (playback.fold(lastTurn) * this.sizes.tickGap) / this.#span();
    const step = ticks.find((tick) => tick >= least) ?? ticks[ticks.length - 1];
    ctx.font = "10px Inter, system-ui, sans-serif";
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    for (let turn = step, before = 0; turn <= lastTurn; turn += step) {
      const place = playback.fold(turn);
      const isCovered = playback.quiet.some(([first, last]) => playback.fold(first - 1) - least / 4 < place && place < playback.fold(last) + least / 4);
      if (place - before < least || isCovered) continue;
      before = place;
      const x = Math.round(this.#toX(turn));
      ctx.fillStyle = color("rim");
      ctx.fillRect(x, this.sizes.axis, 1, height - this.sizes.axis - 5);
      ctx.fillStyle = color("quiet");
      if (x < this.width - PAD_RIGHT - this.sizes.axis) ctx.fillText(String(turn), x, this.sizes.axis / 2);  // not below the playhead at the end
    }
  }

  /**
   * Mark the key moments that may be known above the curves.
   * @param {number} top
   */
  #drawMoments(top) {
    this.ctx.fillStyle = color("text");
    for (const turn of this.replay.ending?.moments ?? []) {
      if (turn <= this.viewer.known) this.ctx.fillRect(Math.round(this.#toX(turn)) - 1, top, 3, 8);
    }
  }

  /**
   * @param {number} least
   * @param {number} most
   * @param {(score: number) => number} toY
   */
  #drawScale(least, most, toY) {
    const { ctx } = this;
    ctx.strokeStyle = color("rim");
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const y of [Math.round(toY(0)) + 0.5, Math.round(toY(most)) + 0.5]) {
      ctx.moveTo(PAD_LEFT, y);
      ctx.lineTo(this.width - PAD_RIGHT, y);
    }
    ctx.stroke();
    this.most.hidden = toY(least) - toY(most) < 30;
    this.most.textContent = toOneDecimal(most);
  }

  /**
   * @param {number[]} ys
   * @param {number} number
   * @param {number} height
   */
  #drawLine(ys, number, height) {
    const path = new Path2D();
    ys.forEach((y, turn) => path.lineTo(this.#toX(turn), y));
    drawCurve(this.ctx, path, this.replay.teams[number], this.sizes.curve);
    path.lineTo(this.#toX(ys.length - 1), height - 5);
    path.lineTo(PAD_LEFT, height - 5);
    this.ctx.globalAlpha = this.sizes.shadeOpacity;
    this.ctx.fillStyle = this.replay.teams[number].line;
    this.ctx.fill(path);
    this.ctx.globalAlpha = 1;
  }

  /**
   * Draw the winning score.
   * @param {(score: number) => number} toY
   */
  #drawGoal(toY) {
    const { ctx } = this;
    const path = new Path2D();
    this.replay.thresholds.slice(0, this.viewer.known + 1).forEach((goal, turn) => {
      if (goal !== null) path.lineTo(this.#toX(turn), toY(goal));
    });
    ctx.strokeStyle = color("text");
    ctx.lineWidth = this.sizes.goalLine;
    ctx.setLineDash([this.sizes.dash, this.sizes.dashGap]);
    ctx.stroke(path);
    ctx.setLineDash([]);
  }

  /**
   * Draw the team's number at the end of its line.
   * @param {number} end
   * @param {number} number
   */
  #drawNumber(end, number) {
    const { ctx } = this;
    drawDisc(ctx, this.width - this.sizes.curveBadge, end, this.sizes.curveBadge, this.replay.teams[number].color);
    ctx.fillStyle = this.replay.teams[number].ink;
    ctx.font = "bold 9.5px Inter, system-ui, sans-serif";
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(String(number + 1), this.width - this.sizes.curveBadge, end + 0.5);
  }

  #span() {
    return Math.max(1, this.track.clientWidth - PAD_LEFT - PAD_RIGHT);
  }

  /** @param {number} time */
  #toX(time) {
    const { playback } = this.viewer;
    return PAD_LEFT + (playback.fold(time) / Math.max(1, playback.fold(this.replay.lastTurn))) * this.#span();
  }

  /** @param {PointerEvent} event */
  #turnAt(event) {
    const x = (event.clientX - this.track.getBoundingClientRect().left) / cssZoom(this.track);
    const { playback, replay: { lastTurn } } = this.viewer;
    const turn = Math.round(playback.unfold(((x - PAD_LEFT) / this.#span()) * playback.fold(lastTurn)));
    return Math.min(Math.max(turn, 0), lastTurn);
  }

  /** @param {number} turn */
  #scoresAt(turn) {
    if (turn > this.viewer.known) return "not seen yet";
    const goal = this.replay.thresholds[turn] ?? null;
    const scores = this.replay.teams.map((_, i) => scoreText(this.replay.formats, this.replay.standing(i + 1, turn).score));
    return scores.join(" : ") + (goal === null ? "" : ` · ${scoreText(this.replay.formats, goal)} to win`);
  }

  #listen() {
    const { track, viewer } = this;
    track.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      track.setPointerCapture(event.pointerId);
      this.wasPlaying = viewer.playback.isPlaying;
      this.isDragging = true;
      viewer.scrub(this.#turnAt(event));
    });
    track.addEventListener("pointermove", (event) => {
      if (this.isDragging) viewer.scrub(this.#turnAt(event));
      this.#showTip(event);
    });
    for (const over of ["pointerup", "pointercancel"]) {
      track.addEventListener(over, () => {
        if (this.isDragging && this.wasPlaying) viewer.play();
        this.isDragging = false;
        this.tip.hidden = true;
      });
    }
    track.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }

  /** @param {PointerEvent} event */
  #showTip(event) {
    const turn = this.#turnAt(event);
    this.tip.hidden = false;
    const cpu = this.cpuLanes && turn && turn <= this.viewer.known
      ? ` · ${this.replay.formats.cpu} ${this.replay.teams.map((_, i) => cpuText(this.replay.formats, this.#cpuMs(i + 1, turn) * 1000)).join(" : ")}` : "";
    this.tip.textContent = `turn ${turn} · ${this.#scoresAt(turn)}${cpu}`;
    const half = this.tip.offsetWidth / 2;
    const x = Math.min(Math.max(this.#toX(turn), half), this.track.clientWidth - half);
    this.tip.style.transform = `translateX(${x - half}px)`;
  }
}

/**
 * Move places apart, so that labels there do not overlap.
 * @param {number[]} places
 * @param {number} room
 * @param {number} most
 */
function apart(places, room, most) {
  const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b]);
  order.forEach((i, rank) => {
    if (rank) places[i] = Math.max(places[i], places[order[rank - 1]] + room);
  });
  const over = Math.max(0, places[order[order.length - 1]] + room / 2 - most);
  for (const i of order) places[i] = Math.max(places[i] - over, room / 2);
}

/**
 * Draw a team's line, with a rim: not all colors have enough contrast with all grounds.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Path2D} path
 * @param {Team} team
 * @param {number} width
 */
function drawCurve(ctx, path, team, width) {
  ctx.lineJoin = "round";
  ctx.setLineDash(team.dashes);
  [ctx.strokeStyle, ctx.lineWidth] = [color("casing"), width + 2];
  ctx.stroke(path);
  [ctx.strokeStyle, ctx.lineWidth] = [team.line, width];
  ctx.stroke(path);
  ctx.setLineDash([]);
}

/**
 * Return a sign as an element beside text.
 * @param {DrawingFacts} drawing
 * @param {MarkName} mark
 */
function signPicture(drawing, mark) {
  const canvas = make("canvas", { class: "sign", width: 42, height: 42, "aria-hidden": "true" });
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  drawSign(ctx, drawing, drawing.signs[mark], { x: 21, y: 21 }, 42);
  return canvas;
}
