// The page comes to life.
import { Board } from "./board.js";
import { setUpControls } from "./controls.js";
import { byId, colour, icon } from "./elements.js";
import { Inspector } from "./inspector.js";
import { showMatch } from "./match.js";
import { Playback } from "./playback.js";
import { setUpPointing } from "./pointing.js";
import { Reel } from "./reel.js";
import { read } from "./story.js";
import { Teams } from "./teams.js";
import { lookOf, Teller } from "./telling.js";
import { Timeline } from "./timeline.js";
import { View } from "./view.js";

const MARK_MS = 420;  // how long signs fade while the match plays
const MOST_STEPS_MARKED = 400;
const MOST_MARKS = 400;
const INSPECT_MS = 200;  // how often the inspector follows while the match plays
const LINK_MS = 250;
const SHARE = 0.75;  // of a phone's screen, for the board

class Viewer {
  constructor(story, images, texts) {
    Object.assign(this, { story, images, texts });
    this.reel = new Reel(story);
    this.teller = new Teller(story, texts);
    this.playback = new Playback(story);
    this.view = new View(story.arrangements);
    this.board = new Board(byId("board"), this.view, story, images);
    this.teams = new Teams(story, images);
    this.inspector = new Inspector(this);
    this.timeline = new Timeline(this);
    [this.selected, this.hovered] = [null, null];
    [this.marks, this.inspectedAt, this.lastFrame] = [[], 0, 0];
    this.inOneColumn = matchMedia("(max-width: 719px)");  // as in page.css
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.playIcons = [icon("play"), icon("pause")];
  }

  start() {
    showMatch(this.story);
    setUpControls(this);
    setUpPointing(this);
    new ResizeObserver(() => this.repaint()).observe(byId("stage"));
    new ResizeObserver(() => this.repaint()).observe(byId("track"));
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.repaint());
    addEventListener("hashchange", () => this.#follow());
    this.#follow();
    this.repaint();
  }

  // Something about the playhead, then look again.
  go(change) {
    change(this.playback);
    this.changed();
  }

  play() {
    this.playback.isPlaying = true;
    this.changed();
  }

  playOrPause() {
    this.go((playback) => playback.playOrPause());
  }

  // To the end of a turn, and stay there.
  scrub(turn) {
    this.go((playback) => {
      playback.pause();
      playback.seekTurn(turn);
    });
  }

  select(id) {
    this.selected = id;
    this.inspector.show();
    this.changed();
  }

  hover(id) {
    if (this.hovered === id) return;
    this.hovered = id;
    this.changed();
  }

  zoom(factor, x, y) {
    this.view.zoom(factor, x, y);
    this.changed();
  }

  fit() {
    this.view.fit();
    this.changed();
  }

  changed() {
    this.frame ??= requestAnimationFrame((now) => this.#frame(now));
  }

  // Everything anew: after another size or other colours.
  repaint() {
    const stage = byId("stage");
    this.#arrange(stage);
    if (!stage.clientHeight) return;
    this.view.resize(stage.clientWidth, stage.clientHeight);
    this.timeline.draw();
    this.changed();
  }

  // On a phone the stage is as high as the board; elsewhere the board takes what there is.
  #arrange(stage) {
    const { view } = this;
    const height = this.inOneColumn.matches ? innerHeight * SHARE : stage.clientHeight;
    view.arrange(stage.clientWidth, height);
    stage.style.setProperty("--board", view.extent.width / view.extent.height);
    document.body.classList.toggle("rearranged", view.isRearranged);
  }

  #frame(now) {
    this.frame = null;
    const ms = this.wasBusy ? Math.min(now - this.lastFrame, 250) : 0;
    this.lastFrame = now;
    this.playback.advance(ms / 1000);
    const moved = this.#move(now);
    const isGliding = this.#draw(now, ms || 16);
    this.#tell(now, moved);
    this.wasBusy = this.playback.isPlaying || isGliding || this.#isFading();
    if (this.wasBusy) this.changed();
  }

  // The reel to the playhead, keeping the marks on the way. Whether it moved.
  #move(now) {
    const { reel, playback } = this;
    const [from, to] = [reel.position, playback.position()];
    this.wasJump = to < from || to > from + MOST_STEPS_MARKED;
    const trail = playback.isPlaying && !this.calm.matches;
    if (!trail || this.wasJump) this.marks = [];
    if (!trail || this.wasJump) reel.seek(to);
    while (reel.position < to) {
      reel.advance();
      this.marks.push(...this.#marksOfStep(now));
    }
    if (!trail) this.marks = this.#marksOfStep(now);
    this.marks = this.marks.filter(({ at }) => !trail || now - at < MARK_MS).slice(-MOST_MARKS);
    return from !== to;
  }

  #marksOfStep(at) {
    const { things, step } = this.reel;
    return step.notes.flatMap((note) => {
      const { mark } = this.story.happenings[note.happening];
      const [one, other] = [note.one, note.other].map((id) => lookOf(id, things, step));
      return mark && one ? [{ mark, one, other, at, reach: note.reach }] : [];
    });
  }

  #isFading() {
    return this.playback.isPlaying && this.marks.length > 0;
  }

  #draw(now, ms) {
    document.body.classList.toggle("closer", !this.view.isFitted);
    const fades = this.playback.isPlaying && !this.calm.matches;
    return this.board.draw({
      things: this.reel.things,
      marks: this.marks.map((mark) => ({ ...mark, strength: fades ? 1 - (now - mark.at) / MARK_MS : 1 })),
      selected: this.selected,
      hovered: this.hovered,
      background: colour("background"),
      glide: this.calm.matches || this.wasJump || this.playback.speed > 4 ? 0 : ms,
    });
  }

  #tell(now, moved) {
    const { playback, reel, story } = this;
    this.teams.show(playback.turnOver);
    this.timeline.move();
    const turn = story.turnAt(reel.position);
    const [begin, end] = [story.beginOf(turn), story.endOf(turn)];
    byId("turn").textContent = `turn ${turn}`;
    byId("turns").textContent = ` of ${story.lastTurn}`;
    byId("round").textContent = end > begin ? `round ${reel.position - begin} of ${end - begin}` : "the beginning";
    const speed = playback.speed === Infinity ? "max" : `${playback.speed}x`;
    byId("speed").textContent = speed;
    this.#showPlaying();
    if (moved && this.selected !== null && (!playback.isPlaying || now - this.inspectedAt > INSPECT_MS)) {
      this.inspectedAt = now;
      this.inspector.show();
    }
    if (moved && !playback.isPlaying) this.#link();
  }

  #showPlaying() {
    const { isPlaying } = this.playback;
    if (this.shownPlaying === isPlaying) return;
    this.shownPlaying = isPlaying;
    const button = document.querySelector("#controls [data-action=play]");
    button.replaceChildren(this.playIcons[Number(isPlaying)]);
    button.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    byId("readout").setAttribute("aria-live", isPlaying ? "off" : "polite");
    byId("start").hidden ||= isPlaying;
    if (!isPlaying) this.#link();
  }

  // The address leads to this turn.
  #link() {
    clearTimeout(this.linking);
    this.linking = setTimeout(() => {
      this.linked = `#t=${this.playback.turnOver}`;
      if (location.hash !== this.linked && this.playback.time) location.replace(this.linked);
    }, LINK_MS);
  }

  #follow() {
    const turn = /^#t=(\d+)$/.exec(location.hash);
    if (!turn || location.hash === this.linked) return;
    byId("start").hidden = true;
    this.scrub(Number(turn[1]));
  }
}

async function main() {
  const { story, images } = await read(await inflated("story"));
  const texts = JSON.parse(new TextDecoder().decode(await inflated("texts")));
  const viewer = new Viewer(story, images, texts);
  viewer.start();
  document.body.classList.remove("loading");
  performance.mark("shown");
  window.viewer = viewer;  // for the console, and for tests
}

main().catch((error) => {
  fail(error);
  throw error;
});
