// The page: connects playback, board, timeline, teams and inspector.
import { Board } from "./board.js";
import { setUpControls } from "./controls.js";
import { Drawings } from "./drawings.js";
import { button, byId, color, make } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { Inspector } from "./inspector.js";
import { Legend } from "./legend.js";
import { showMatch } from "./match.js";
import { Motions, AT_REST } from "./motion.js";
import { Moves } from "./moves.js";
import { Playback } from "./playback.js";
import { setUpPointing } from "./pointing.js";
import { Cursor } from "./cursor.js";
import { TINY } from "./replay.js";
import { Sounds } from "./sounds.js";
import { Story } from "./story.js";
import { Trails } from "./trails.js";
import { Teams } from "./teams.js";
import { findAppearance, Narrator } from "./narration.js";
import { Timeline } from "./timeline.js";
import { View } from "./view.js";
import { keepCardsWhole } from "./whole_cards.js";

/** @import { Replay } from "./replay.js" */
/** @import { Notes, Ordering, Picture, QuietStretch, ShownMark, Texts } from "./types.d.ts" */

const ONE_COLUMN = "(max-width: 559px), (max-width: 719px) and (min-height: 520px)"; // as in page.css
const MAX_STEPS_SEEN = 40;
const MAX_MARKED_STEPS = 400;
const MAX_MARKS = 400;
const INSPECT_MS = 200;  // how often the inspector follows while the match plays
const LINK_MS = 250;
const HIDDEN = /[#&]hide$/;  // of an address whose reader is not to know the result before it is seen
const SHARE = 0.75;  // of a phone's screen, for the board

export class Viewer {
  /** @type {number | null} */
  frame = null;
  /** @type {number | undefined} */
  linking;
  linked = "";
  wasBusy = false;
  wasJump = false;
  /** @type {boolean | undefined} */
  shownPlaying;
  /** @type {number | null} */
  selected = null;
  /** @type {number | null} */
  hovered = null;
  /** @type {ShownMark[]} */
  marks = [];
  /** @type {(() => void) | null} */
  onTurn = null; // called when another turn is shown, or when there are more
  /** @type {(() => void) | null} */
  onBehind = null; // called when it may be another number of turns behind
  // The layer on which people order.
  /** @type {Ordering | null} */
  ordering = null;

  /**
   * @param {Replay} replay
   * @param {ImageBitmap[]} images
   * @param {Texts} texts
   */
  constructor(replay, images, texts) {
    this.replay = replay;
    this.images = images;
    this.texts = texts;
    this.cursor = new Cursor(replay);
    this.narrator = new Narrator(replay, texts);
    this.playback = new Playback(replay);
    this.view = new View(replay.arrangements);
    this.board = new Board(byId("board"), this.view, replay, images);
    this.teams = new Teams(replay, images);
    this.inspector = new Inspector(this);
    this.timeline = new Timeline(this);
    this.moves = new Moves(this);
    this.story = new Story(this);
    this.legend = new Legend(this);
    this.legend.fold();
    keepCardsWhole(byId("side"));
    this.drawings = new Drawings(this, texts.drawings, texts.drawings_left_out);
    this.trails = new Trails(replay);
    this.motions = new Motions(replay);
    this.signMs = replay.motion.signS * 1000;
    this.stepMs = replay.motion.stepS * 1000;
    // Steps that are under way while the playhead rests.
    /** @type {{ from: number, to: number, since: number } | null} */
    this.stepping = null;
    this.movedAt = 0;
    this.sounds = new Sounds(replay.drawing.sounds);
    /** @type {number | null} */
    this.chosenPart = null;  // the part that a phone shows alone, or a wider screen, too
    this.isPartAlone = false;
    this.isFollowing = false;
    this.isSmall = false;  // whether all of the board is too small to be seen well
    this.looks = false;  // whether the part is shown where most things happen
    this.isLinked = true;  // its address says which turn is shown
    this.inspectedAt = 0;
    this.toldAt = -1;
    this.lastFrame = 0;
    this.hidesResult = HIDDEN.test(location.hash);
    this.seen = 0;
    this.inOneColumn = matchMedia(ONE_COLUMN);
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.playIcons = [icon("play"), icon("pause")];
  }

  start() {
    setUpControls(this);
    this.sounds.show();
    this.#showWhatIsKnown();
    setUpPointing(this);
    document.fonts.addEventListener("loadingdone", () => this.#onResize());
    new ResizeObserver(() => this.#onResize()).observe(byId("stage"));
    new ResizeObserver(() => this.#onResize()).observe(byId("track"));
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.repaint());
    addEventListener("hashchange", () => this.#follow());
    if (this.replay.beginTurn) this.#beginAt(this.replay.beginTurn);
    this.#follow();
    this.#obey(location.hash.slice(1).split("&"));
    this.#showTexts(0, false);  // first the texts, as the board takes the room they leave
    this.repaint();
  }

  /**
   * Change something about the playback, then draw again.
   * @param {(playback: Playback) => void} change
   */
  go(change) {
    change(this.playback);
    this.requestFrame();
  }

  play() {
    this.playback.isPlaying = true;
    this.requestFrame();
  }

  playOrPause() {
    this.go((playback) => playback.playOrPause());
  }

  /**
   * Seek the end of a turn, and pause there.
   * @param {number} turn
   */
  scrub(turn) {
    byId("start").hidden = true;
    this.go((playback) => {
      playback.pause();
      playback.seekTurn(turn);
    });
  }

  /**
   * Go to just after a step, and pause there.
   * @param {number} position
   */
  scrubTo(position) {
    this.scrub(this.replay.timeAt(position));
  }

  /** @param {number | null} id */
  select(id) {
    this.selected = id;
    this.isFollowing &&= id !== null;
    this.inspector.show();
    this.requestFrame();
  }

  /** @param {number | null} id */
  hover(id) {
    if (this.hovered === id) return;
    this.hovered = id;
    this.requestFrame();
  }

  /**
   * @param {number} factor
   * @param {number} [x]
   * @param {number} [y]
   */
  zoom(factor, x, y) {
    this.looks = false;
    this.view.zoom(factor, x, y);
    this.requestFrame();
  }

  fit() {
    this.isFollowing = false;
    this.looks = this.isSmall && !this.looks;
    this.view.fit();
    this.requestFrame();
  }

  /**
   * Unfold a quiet stretch or fold it again; without one, all of them.
   * @param {QuietStretch} [stretch]
   */
  toggleFold(stretch) {
    this.playback.toggleFold(stretch);
    this.timeline.draw();
    this.requestFrame();
  }

  // Keep the selected piece in the middle of the board, closer than before; or let it go.
  follow() {
    this.isFollowing = !this.isFollowing && this.selected !== null;
    if (this.isFollowing && this.view.isFitted) this.view.zoom(this.replay.drawing.sizes.followZoom);
    this.requestFrame();
  }

  requestFrame() {
    this.frame ??= requestAnimationFrame((now) => this.#frame(now));
  }

  // The last turn that may be told of: all, or those the playhead has been at.
  get known() {
    return this.hidesResult || this.replay.isGrowing ? this.seen : this.replay.lastTurn;
  }

  get turnsBehind() {
    return Math.max(0, this.replay.lastTurn - Math.ceil(this.playback.time));
  }

  /**
   * Show all of the match, or only what the playhead has passed.
   * @param {boolean} hides
   */
  hideResult(hides) {
    this.hidesResult = hides;
    this.#showWhatIsKnown();
    this.#link();
  }

  #showWhatIsKnown() {
    document.querySelector("[data-action=result]")?.setAttribute("aria-pressed", String(this.hidesResult));
    const { lastTurn } = this.replay;
    this.playback.isSecret = this.known < lastTurn;
    showMatch(this.replay, this.known >= lastTurn, this.seen >= lastTurn);
    this.timeline.grown();
    this.moves.show(this.cursor.position);
  }

  // To the end; of a match that is being played, and to stay there.
  toEnd() {
    this.scrub(this.replay.lastTurn);
    if (this.replay.isGrowing) this.play();
  }

  /**
   * More was drawn and logged by the bots: `[turn, drawing]`, `[turn, team, piece, line]`.
   * @param {Partial<Notes>} notes
   */
  addNotes({ drawings = [], logs = [] }) {
    for (const [turn, drawing] of drawings) this.drawings.add(turn, [drawing]);
    if (drawings.length) this.drawings.list();
    for (const log of logs) this.narrator.addLog(...log);
  }

  // More of the match is there.
  grown() {
    this.moves.grown();
    this.#showWhatIsKnown();
    this.teams.forget();
    this.#showTexts(0, false);
    this.onTurn?.();
    this.requestFrame();
  }

  // Show one of several boards alone on a phone, where they stand one below the other, or anywhere.
  /** @param {number} part */
  showPart(part, isAlone = false) {
    this.chosenPart = part;
    this.isPartAlone = isAlone;
    this.repaint();
  }

  // Draw everything anew: after a change of size or colors.
  repaint() {
    const stage = byId("stage");
    this.#arrange(stage);
    if (!stage.clientHeight) return;
    this.view.resize(stage.clientWidth, stage.clientHeight);
    this.timeline.draw();
    this.legend.draw();
    this.legend.fit();
    this.requestFrame();
  }

  // Drawn at once: the browser is about to paint, and would stretch the old picture.
  #onResize() {
    this.repaint();
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.#frame(Number(document.timeline.currentTime));
  }

  /**
   * On a phone the stage is as high as the board; elsewhere the board fills the stage.
   * @param {HTMLElement} stage
   */
  #arrange(stage) {
    const { view } = this;
    const height = this.inOneColumn.matches ? innerHeight * SHARE : stage.clientHeight;
    const only = this.inOneColumn.matches || this.isPartAlone ? this.chosenPart : null;
    view.arrange(stage.clientWidth, height, only, this.isPartAlone);
    const { body } = document;
    const { width: across, height: down } = view.extent;
    const isSmall = this.inOneColumn.matches && stage.clientWidth / across < this.replay.drawing.sizes.minWholeBoardScale && this.replay.camera.length > 0;
    if (isSmall !== this.isSmall) this.looks = this.isSmall = isSmall;
    body.style.setProperty("--board", isSmall ? "1" : String(across / down));
    body.classList.toggle("rearranged", view.isRearranged);
    const { width, height: high } = view.ways[0].extent;
    body.classList.toggle("tall", width < high * this.replay.drawing.sizes.tallRatio);
  }

  /** @param {number} now */
  #frame(now) {
    this.frame = null;
    const ms = this.wasBusy ? Math.min(now - this.lastFrame, 250) : 0;
    this.lastFrame = now;
    this.playback.advance(ms / 1000);
    this.#step(now);
    const moved = this.#move(now);
    if (moved && this.calm.matches) this.board.fadeOut();
    this.#draw(now);
    this.#showTexts(now, moved);
    this.wasBusy = this.playback.isMoving || this.stepping !== null || this.#isFading();
    if (this.wasBusy) this.requestFrame();
  }

  /**
   * Let steps be seen that were asked for by themselves, or that were added where the playhead rests.
   * @param {number} now
   */
  #step(now) {
    const { playback, cursor: { position: from } } = this;
    const to = playback.position();
    const isOwn = playback.isStep || playback.time === this.movedAt;
    const isSeen = isOwn && !this.calm.matches && from < to && to <= from + MAX_STEPS_SEEN;
    if (isSeen) this.stepping = { from, to, since: now };
    else if (this.stepping && (this.stepping.to !== to || now - this.stepping.since >= this.stepMs)) this.stepping = null;
    this.movedAt = playback.time;
    playback.isStep = false;
  }

  /**
   * Return the things, and what of them moves.
   * @param {number} now
   * @returns {Pick<Picture, "things" | "moving">}
   */
  #findMoving(now) {
    const { playback: { time, isPlaying, pace }, replay, motions, cursor: { things, position } } = this;
    if (this.stepping) {
      const { from, to, since } = this.stepping;
      const fraction = (now - since) / this.stepMs;
      const moving = motions.placeBetween(from, to, fraction);
      return { things: motions.thingsAt(from + replay.countLanded(fraction, to - from)), moving };
    }
    const isAtStep = !isPlaying && Math.abs(time - replay.timeAt(position)) < TINY;
    if (this.calm.matches || this.wasJump || isAtStep) return { things, moving: AT_REST };
    const turn = Math.ceil(time);
    const moving = motions.placeBetween(replay.turnStart(turn), replay.turnEnd(turn), time - (turn - 1));
    return { things, moving: pace > replay.motion.maxSpeed ? { ...AT_REST, ways: moving.ways } : moving };
  }

  /**
   * Move the cursor to the playhead, keeping the marks on the way. Returns whether it moved.
   * @param {number} now
   */
  #move(now) {
    const { cursor, playback } = this;
    const [from, to] = [cursor.position, playback.position()];
    /** @type {ShownMark[]} */
    const happened = [];
    this.wasJump = to < from || to > from + MAX_MARKED_STEPS;
    const trail = playback.isPlaying && !this.calm.matches;
    if (!trail || this.wasJump) {
      this.marks = [];
      cursor.seek(to);
    }
    while (cursor.position < to) {
      cursor.advance();
      happened.push(...this.#marksOfStep(now));
    }
    this.marks.push(...happened);
    if (playback.isPlaying && !this.wasJump) this.#sound(happened, from, to, now);
    if (!trail) this.marks = this.#marksOfStep(now);
    const turn = this.replay.turnAt(cursor.position);
    /** @param {ShownMark} mark */
    const stays = (mark) => now - mark.at < this.signMs && (mark.mark !== "attack_lane" || mark.turn === turn);
    this.marks = this.marks.filter((mark) => !trail || stays(mark)).slice(-MAX_MARKS);
    return from !== to;
  }

  /**
   * @param {ShownMark[]} happened
   * @param {number} from
   * @param {number} to
   * @param {number} now
   */
  #sound(happened, from, to, now) {
    const isLead = this.replay.marks.some(({ at, what }) => what === "lead changes" && from < at && at <= to);
    this.sounds.playMarks(isLead ? [...happened, { mark: "lead" }] : happened, now);
    const end = this.replay.turnEnd(this.replay.lastTurn);
    if (from < end && to >= end && !this.replay.isGrowing) this.sounds.play("win");
  }

  /**
   * @param {number} at
   * @returns {ShownMark[]}
   */
  #marksOfStep(at) {
    const { things, step } = this.cursor;
    return step.annotations.flatMap((annotation) => {
      const { mark } = this.replay.eventStyles[annotation.eventStyle];
      const [one, other] = [annotation.one, annotation.other].map((id) => findAppearance(id, things, step));
      return mark && one ? [{ mark, one, other, at, turn: step.turn, attackLanes: annotation.attackLanes }] : [];
    });
  }

  // Return the last turn that has ended at the cursor.
  #lastEndedTurn() {
    const { position } = this.cursor;
    const turn = this.replay.turnAt(position);
    return position === this.replay.turnEnd(turn) ? turn : turn - 1;
  }

  #isFading() {
    return this.playback.isPlaying && this.marks.length > 0;
  }

  /** @param {number} now */
  #draw(now) {
    const followed = this.isFollowing && this.selected !== null && this.cursor.things.get(this.selected)?.appearance;
    if (followed) this.view.center(followed.x + (followed.width ?? 0) / 2, followed.y + (followed.height ?? 0) / 2);
    if (this.looks) this.#look();
    document.body.classList.toggle("closer", !this.view.isFitted);
    this.ordering?.layout(this.cursor.position < this.replay.steps);
    const fades = this.playback.isPlaying && !this.calm.matches;
    this.board.draw({
      ...this.#findMoving(now),
      marks: this.marks.map((mark) => ({ ...mark, strength: fades ? 1 - ((now - mark.at) / this.signMs) ** 2 : 1 })),
      drawings: [...this.trails.at(this.#lastEndedTurn()), ...this.drawings.at(this.replay.turnAt(this.cursor.position))],
      selected: this.selected,
      hovered: this.hovered,
      background: color("background"),
    });
  }

  // Show the part of a large map that visualizer/model/camera.py looks at.
  #look() {
    const { camera } = this.replay;
    const { time } = this.playback;
    const turn = Math.min(Math.ceil(time), camera.length - 1);
    const share = Math.min(Math.max(time - (turn - 1), 0), 1);
    const [from, to] = [camera[Math.max(0, turn - 1)], camera[turn]];
    const [left, top, right, bottom] = from.map((side, i) => side + (to[i] - side) * share);
    this.view.look({ left, top, right, bottom });
  }

  /**
   * @param {number} now
   * @param {boolean} moved
   */
  #showTexts(now, moved) {
    const { playback, cursor, replay } = this;
    this.teams.show(playback.turnOver);
    if (playback.turnOver > this.seen) {
      this.seen = playback.turnOver;
      if (this.hidesResult || replay.isGrowing || this.seen >= replay.lastTurn) this.#showWhatIsKnown();
    }
    this.timeline.move();
    if (moved) this.moves.show(cursor.position);
    const turn = replay.turnAt(cursor.position);
    const [begin, end] = [replay.turnStart(turn), replay.turnEnd(turn)];
    byId("turn").textContent = `turn ${turn}`;
    byId("turns").textContent = ` of ${replay.lastTurn}`;
    byId("step").textContent = end > begin ? `step ${cursor.position - begin} of ${end - begin}` : "start";
    const speed = playback.speed === Infinity ? "max" : `${playback.speed}x`;
    byId("speed").textContent = speed;
    this.#showPlaying();
    this.story.show(this.#lastEndedTurn(), cursor.position >= replay.steps);
    if (moved) this.onTurn?.();
    this.onBehind?.();
    if (this.toldAt !== cursor.position && (!playback.isPlaying || now - this.inspectedAt > INSPECT_MS)) {
      this.inspectedAt = now;
      this.#tell(begin);
      if (moved && this.selected !== null) this.inspector.show();
    }
    if (moved && !playback.isPlaying) this.#link();
  }

  /**
   * Say what has happened since a position, the beginning of a turn.
   * @param {number} begin
   */
  #tell(begin) {
    const { position } = this.cursor;
    this.toldAt = position;
    const told = this.narrator.sentences(begin, position);
    const lines = (told.length ? told : ["nothing remarkable so far"]).map((words) => make("li", {}, words));
    const now = byId("now");
    now.replaceChildren(make("h3", {}, "This turn"), make("ul", {}, ...lines));
    if (now.scrollHeight <= now.clientHeight) return;
    // Whole lines alone, and how many more there are; a click shows them.
    const more = button("", () => now.lastElementChild?.replaceChildren(...lines), { class: "more" });
    now.lastElementChild?.append(make("li", {}, more));
    for (let count = 1; count < lines.length && now.scrollHeight > now.clientHeight; count++) {
      lines[lines.length - count].remove();
      more.textContent = `+${count} more`;
    }
  }

  #showPlaying() {
    const { isPlaying } = this.playback;
    if (this.shownPlaying === isPlaying) return;
    this.shownPlaying = isPlaying;
    const play = document.querySelector("#controls [data-action=play]");
    play?.replaceChildren(this.playIcons[Number(isPlaying)]);
    play?.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    byId("readout").setAttribute("aria-live", isPlaying ? "off" : "polite");
    byId("start").hidden ||= isPlaying;
    if (!isPlaying) this.#link();
  }

  // Keep the turn in the address, so that the link can be shared.
  #link() {
    clearTimeout(this.linking);
    if (!this.isLinked) return;  // its address asks for something else
    if (location.protocol === "about:") return;  // in a frame of a notebook, whose address it is
    this.linking = setTimeout(() => {
      this.linked = `#t=${this.playback.turnOver}${this.hidesResult ? "&hide" : ""}`;
      if (location.hash !== this.linked && this.playback.time) location.replace(this.linked);
    }, LINK_MS);
  }

  /**
   * Do what an address asks for: to play at once, again and again, with nothing but the board (and its caption), or that and the buttons.
   * @param {string[]} words
   */
  #obey(words) {
    this.playback.isLooping = words.includes("loop");
    for (const look of ["bare", "compact", "told"]) document.body.classList.toggle(look, words.includes(look));
    this.isLinked = !words.some((word) => ["autoplay", "loop", "bare", "compact"].includes(word));
    if (words.includes("autoplay")) this.play();
  }

  /** @param {number} turn */
  #beginAt(turn) {
    byId("start").hidden = true;
    this.scrub(turn);
  }

  #follow() {
    const turn = /^#t=(\d+)(&hide)?$/.exec(location.hash);
    if (HIDDEN.test(location.hash) && !this.hidesResult) this.hideResult(true);
    if (!turn || location.hash === this.linked) return;
    this.#beginAt(Number(turn[1]));
  }
}
