// Shows a match that is being played: a server sends what there is, and then what is added.
import { Cursor } from "./cursor.js";
import { byId, make } from "../shared/elements.js";
import { Replay } from "./replay.js";
import { send } from "../shared/requests.js"; // of the server: see /static
import { SITE } from "../shared/site.js";
import { follow } from "../shared/stream.js";
import { Viewer } from "./viewer.js";

const NO_TEXTS = { faults: [], logs: [], faults_left_out: 0, logs_left_out: 0 };
const RETRY_MS = 3000;
const LONGEST_MS = 120_000; // a long match on a slow connection

// A column of numbers (columns.js has those of a file) that grows.
class Numbers {
  constructor(numbers) {
    this.numbers = numbers;
    this.at = 0;
  }

  next() {
    return this.numbers[this.at++];
  }

  rest() {
    const numbers = this.numbers.slice(this.at);
    this.at = this.numbers.length;
    return numbers;
  }

  fresh() {
    return new Numbers(this.numbers);
  }
}

/** A match that a server tells of, and the viewer that shows it. */
export class LiveMatch {
  /**
   * @param {string} topic  what is followed, such as `games/ID`
   * @param {{begun?: (viewer: Viewer) => void, grown?: () => void}} listener
   */
  constructor(topic, listener = {}) {
    this.topic = topic;
    this.listener = listener;
    this.columns = {};
    this.bitmaps = [];
    this.byPosition = [0];  // how many decisions there were
  }

  async take(message) {
    if (message.facts && this.viewer) {
      location.reload();  // the server has forgotten what it told us
      return;
    }
    await this.#takeImages(message.images ?? []);
    if (message.facts) this.#begin(message);
    this.#add(message);
    if (message.facts) this.#show(message);
    else this.#grown();
    showState(message.isGrowing ? "live" : "over");
    if (!message.isGrowing) this.#end(message);
  }

  #begin({ facts }) {
    const { backdrop, ...rest } = facts;
    this.facts = { ...rest, words: [], thresholds: [], trails: [], images: { names: this.names ?? {} } };
    this.facts.shapes = { thing: [], team: [], backdrop: backdrop.shapes };
    this.#addColumns(backdrop.columns);
  }

  #add({ columns, shapes, words = [], thresholds = [], trails = [], decisions = [], drawings = [], logs = [], ...present }) {
    const { facts } = this;
    this.#addColumns(columns);
    for (const [name, added] of Object.entries(shapes)) facts.shapes[name].push(...added);
    for (const word of words) facts.words.push(word);
    for (const goal of thresholds) facts.thresholds.push(goal);
    for (const point of trails) facts.trails.push(point);
    for (const count of decisions) this.byPosition.push(this.byPosition.at(-1) + count);
    this.notes = { drawings, logs };
    this.present = {
      ending: present.ending,
      isGrowing: present.isGrowing,
      seed: present.seed,
      seedHash: present.seedHash,
      key: present.key,
      disclosures: present.disclosures,
      standingNow: present.standingNow.map(({ score, forfeited, cpu, panel }) =>
        ({ score, forfeited, cpuMs: cpu / 10, panel: panel.map(([name, value]) => ({ name, value })) }),
      ),
    };
  }

  #addColumns(columns) {
    for (const [name, added] of Object.entries(columns)) {
      this.columns[name] ??= new Numbers([]);
      for (const number of added) this.columns[name].numbers.push(number);
    }
  }

  async #takeImages(images) {
    this.names ??= {};
    for (const { name, png } of images) {
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      this.names[name] = this.bitmaps.length;
      this.bitmaps.push(await createImageBitmap(new Blob([bytes], { type: "image/png" })));
    }
  }

  #show({ isGrowing, follows }) {
    this.facts.teams.forEach((team, i) => (team.emblem = this.#emblem(i + 1)));
    this.replay = new Replay({ ...this.facts, ...this.present }, this.columns);
    this.viewer = new Viewer(this.replay, this.bitmaps, NO_TEXTS);
    this.scout = new Cursor(this.replay);  // goes ahead of the others, and makes keyframes for them
    this.scout.seek(this.replay.steps);
    this.scout.framed = undefined;
    this.viewer.addNotes(this.notes);
    this.viewer.start();
    const isAtTurn = /^#t=/.test(location.hash);  // somebody has named one
    if (!follows && !isAtTurn) this.viewer.play();
    else if (isGrowing && !isAtTurn) this.viewer.toEnd();
    byId("live").addEventListener("click", () => this.viewer.toEnd());
    byId("failure").hidden = true;
    document.body.classList.remove("loading");
    window.viewer = this.viewer;  // for the console, and for tests
    this.listener.begun?.(this.viewer);
  }

  // Return the first picture of a team, by its name (`slime_1`).
  #emblem(team) {
    const own = Object.entries(this.names).find(([name]) => name.split(":")[0].endsWith(`_${team}`));
    return own ? own[1] : null;
  }

  #grown() {
    Object.assign(this.replay, this.present);
    this.replay.take();
    this.scout.scout(this.replay.keyframes);
    this.viewer.addNotes(this.notes);
    this.viewer.grown();
    this.listener.grown?.();
  }

  // Say what can be done with a match that is over.
  #end({ isWhole, seats, isContinuable }) {
    const note = make("section", { id: "after", "aria-label": "after the match" });
    byId("after")?.remove();
    if (!isWhole) {
      const again = make("button", { type: "button" }, "Show the whole replay, with what was hidden");
      again.addEventListener("click", () => location.reload());
      note.append(again);
    } else if (isContinuable) {
      note.append(...this.#continuing(seats));
    }
    if (note.childElementCount) byId("match").before(note);
  }

  // Let somebody play on from where the playhead is.
  #continuing(seats) {
    const team = make("select", { id: "play-as", "aria-label": "Play as" }, ...seats.map((name, i) =>
      make("option", { value: i + 1 }, `team ${i + 1}, ${name}`),
    ));
    const button = make("button", { type: "button" }, "Play on from here");
    const words = make("p", { role: "alert" });
    button.addEventListener("click", async () => {
      this.viewer.go((playback) => playback.pause());
      button.disabled = true;
      const last = this.byPosition.at(-1) - 1;  // after it the game is over
      const step = Math.min(this.byPosition[this.viewer.playback.position()], last);
      words.textContent = await playOn(this.topic, step, Number(team.value));
      button.disabled = false;
    });
    return [
      make("h2", {}, "What if?"),
      make("p", {}, "Pause anywhere and take over a team: the others play on with new chance from there."),
      make("div", { class: "play-on" }, team, button), words,
    ];
  }
}

// Begin a game from a step of this one, and go there. Returns why that cannot be.
// It is not sent again by itself: each time it begins a game.
async function playOn(topic, step, team) {
  const answer = await send("POST", `${SITE}/api/v1/${topic}/continue`, { step, team }, LONGEST_MS);
  if (!answer.isOk) return answer.error;
  location.assign(SITE + answer.address);
  return "";
}

function showState(state) {
  const button = byId("live");
  button.textContent = state;
  button.hidden = state === "over";
  button.classList.toggle("lost", state !== "live");
}

function fail(words) {
  byId("failure").hidden = false;
  byId("failure").textContent = words;
}

// Take one message after the other.
function takerOf(live) {
  let taking = Promise.resolve();
  return (message) => {
    taking = taking.then(() => live.take(message)).catch((error) => {
      fail(`This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`);
      throw error;
    });
  };
}

/** Follow a game, which may go on. */
export function followMatch(live) {
  const take = takerOf(live);
  let isOver = false;
  const leave = follow(`${live.topic}/scene`, {
    scene(message) {
      isOver = !message.isGrowing;
      if (isOver && !message.staysOpen) leave();
      byId("failure").hidden = true;
      take(message);
    },
    wait: ({ words }) => fail(words),
    end: ({ error }) => error && fail(`This game cannot be shown: ${error}.`),
    state(state, error) {
      if (isOver) return;
      const isLost = state === "lost";
      if (live.viewer) showState(isLost ? "reconnecting …" : "live");
      else if (isLost) fail(error || "The server does not answer yet; trying again …");
    },
  });
}

/** Load a match that was played: its one event. */
export async function loadMatch(live) {
  try {
    const response = await fetch(`${SITE}/api/v1/${live.topic}/scene`, { signal: AbortSignal.timeout(LONGEST_MS) });
    const text = await response.text();
    if (response.ok) takerOf(live)(JSON.parse(text.match(/^data: (.*)$/m)[1]));
    else fail(`This match cannot be shown: ${JSON.parse(text).error}.`);
  } catch {
    fail("The server does not answer yet; trying again …");
    setTimeout(() => loadMatch(live), RETRY_MS);
  }
}
