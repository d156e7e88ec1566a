// Runs of a draft: one at a time is shown, while it is played.

import { make, mark, write } from "../shared/elements.js";
import { choice, on, part, say } from "../shared/parts.js";
import { isTransient, send } from "../shared/requests.js";
import { describeRun } from "../shared/runs.js";
import { SITE } from "../shared/site.js";
import { tabStorage } from "../shared/storage.js";
import { BoardFrame } from "./board_frame.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { DraftStore } from "./draft_store.js" */
/** @import { Output } from "./output.js" */
/** @import { Problems } from "./problems.js" */
/** @import { Finding, Opponent, Opponents, Run, RunNotes } from "./types.d.ts" */

const POLL_MS = 400;
const KEY = "write-run:";
const LABELS = { starter: "Starter bots, the weakest first", ladder: "Bots of ladders, the strongest first", version: "Your own versions" };

export class Runner {
  /** @type {Run | null} */
  run = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  /** @type {Opponent[]} */
  opponents = [];
  isStarting = false;

  /**
   * @param {DraftStore} store
   * @param {Problems} problems
   * @param {Output} output
   * @param {{ onStart: () => void, onFail: () => void, onEnd: (run: Run) => void }} listener
   */
  constructor(store, problems, output, listener) {
    this.store = store;
    this.problems = problems;
    this.output = output;
    this.listener = listener;
    this.board = new BoardFrame(({ turn }) => {
      output.show(turn);
      write(part("again"), turn > 1 ? `Run again from turn ${turn}` : "Run again");
    });
    on("run", "click", () => this.start());
    on("stop", "click", () => this.stop());
    on("again", "click", () => this.start(this.board.turn));
  }

  get isRunning() {
    return this.run !== null && (this.run.state === "waiting" || this.run.state === "playing");
  }

  /** Ask whom the draft may play against, and offer them. */
  async loadOpponents() {
    /** @type {Answer<Opponents>} */
    const answer = await send("GET", `${this.store.path}/opponents`);
    if (!answer.isOk) return;
    this.opponents = answer.opponents;
    offerPresets(choice("preset"), answer.presets);
    for (const id of ["opponent", "versus-opponent"]) offer(choice(id), answer.opponents);
    const newest = answer.opponents.find(({ kind }) => kind === "version");
    mark(part("versus"), "disabled", false);
    if (newest && !choice("versus-opponent").dataset.chosen) choice("versus-opponent").value = newest.id;
  }

  /** Show the run that was shown before the page was loaded again. */
  async recall() {
    const id = tabStorage.load(KEY + this.store.draft.id);
    if (!id) return;
    /** @type {Answer<Run>} */
    const run = await send("GET", `${SITE}/api/v1/runs/${id}`);
    if (run.isOk && !this.run) this.#follow(run, this.store.draft.name);
  }

  /** Play a match; from this turn of the last one on, if there is one. */
  start(turn = 0) {
    const after = this.run && turn > 1 ? { run: this.run.id, turn } : undefined;
    /** @returns {Promise<Answer<Run>>} */
    const ask = async () => {
      if (!this.opponents.length) await this.loadOpponents(); // they may be on their way still
      const body = after ? { after } : { opponent: choice("opponent").value, preset: choice("preset").value };
      return send("POST", `${this.store.path}/runs`, body);
    };
    return this.play(ask, after?.turn);
  }

  /**
   * Save the text, and play what the server is asked for then. Returns whether it was begun.
   * @param {() => Promise<Answer<Run & { findings?: Finding[] }>>} ask
   * @param {number} [turn]  at which the board begins
   */
  async play(ask, turn) {
    if (this.isStarting) return false;
    this.isStarting = true;
    mark(part("run"), "disabled", true);
    write(part("came"), "");
    const isSaved = await this.store.flush();
    const isBegun = isSaved && (await this.#start(ask, turn));
    if (!isSaved) this.#fail("The text is not saved yet, so it was not run.");
    this.isStarting = false;
    mark(part("run"), "disabled", false);
    return isBegun;
  }

  async stop() {
    if (!this.run) return;
    /** @type {Answer<Run>} */
    const answer = await send("DELETE", `${SITE}/api/v1/runs/${this.run.id}`, {});
    if (!answer.isOk) this.#fail(answer.error);
  }

  /**
   * @param {() => Promise<Answer<Run & { findings?: Finding[] }>>} ask
   * @param {number} [turn]
   */
  async #start(ask, turn) {
    if (this.isRunning) await this.stop();
    const run = await ask();
    if (!run.isOk) {
      const { findings } = /** @type {{ findings?: Finding[] }} */ (/** @type {unknown} */ (run));
      this.#fail(run.error);
      if (findings) {
        this.problems.show(findings);
        this.problems.goToFirst();
      }
      return false;
    }
    tabStorage.save(KEY + this.store.draft.id, run.id);
    this.output.clear();
    this.problems.showFaults([]);
    this.listener.onStart();
    this.#follow(run, this.store.draft.name, turn);
    return true;
  }

  /**
   * @param {Run} run
   * @param {string} title
   * @param {number} [turn]  to begin at
   */
  #follow(run, title, turn) {
    this.run = run;
    this.board.show(run.path, title, turn);
    mark(part("whole"), "href", SITE + run.path);
    this.#show();
    this.#poll(run.id, 0);
  }

  /**
   * Follow a run until it is over.
   * @param {string} id
   * @param {number} start  of the notes that are wanted
   */
  async #poll(id, start) {
    clearTimeout(this.timer);
    /** @type {Promise<Answer<RunNotes>>} */
    const noting = send("GET", `${SITE}/api/v1/runs/${id}/notes?start=${start}`);
    /** @type {Answer<Run>} */
    const run = await send("GET", `${SITE}/api/v1/runs/${id}`);
    const notes = await noting;
    if (id !== this.run?.id) return; // another one was begun
    if (run.isOk) this.run = run;
    else if (!isTransient(run.status)) this.run = { ...this.run, state: "failed", words: run.error };
    if (notes.isOk) {
      this.output.add(notes);
      if (notes.faults.length) this.problems.showFaults(this.output.faults);
    }
    this.#show();
    const next = notes.isOk ? notes.next : start;
    const hasMore = notes.isOk ? !notes.is_over || next > start : isTransient(notes.status);
    if (this.isRunning || hasMore) this.timer = setTimeout(() => this.#poll(id, next), POLL_MS);
    else {
      say(this.run.words);
      this.listener.onEnd(this.run);
    }
  }

  #show() {
    const { run } = this;
    if (!run) return;
    part("stop").hidden = !this.isRunning;
    part("whole").hidden = false;
    part("again").hidden = this.isRunning;
    part("came").classList.toggle("won", run.winner === 1);
    part("came").classList.toggle("bad", run.state === "failed");
    write(part("came"), describeRun(run));
  }

  /** @param {string} words */
  #fail(words) {
    part("came").classList.add("bad");
    write(part("came"), words);
    this.listener.onFail();
  }
}

/**
 * Offer the boards on which a draft may play.
 * @param {HTMLSelectElement} select
 * @param {string[]} presets
 */
function offerPresets(select, presets) {
  if (select.options.length === presets.length) return;
  select.replaceChildren(...presets.map((name) => make("option", { value: name }, name || "usual board")));
  select.hidden = presets.length < 2;
}

/**
 * Offer opponents, and keep the one that is chosen.
 * @param {HTMLSelectElement} select
 * @param {Opponent[]} opponents
 */
function offer(select, opponents) {
  const before = select.value;
  const groups = Object.entries(LABELS).flatMap(([kind, label]) => {
    const some = opponents.filter((each) => each.kind === kind);
    const options = some.map(({ id, name }) => make("option", { value: id }, name));
    return options.length ? [make("optgroup", { label }, ...options)] : [];
  });
  select.replaceChildren(...groups);
  if (opponents.some(({ id }) => id === before)) select.value = before;
}
