// Shows a match that is being played: a server sends what there is, and then what is added.
import { Column } from "./columns.js";
import { Cursor } from "./cursor.js";
import { button, byId, make } from "../shared/elements.js";
import { Replay } from "./replay.js";
import { isTransient, send } from "../shared/requests.js"; // of the server: see /static
import { SITE } from "../shared/site.js";
import { follow } from "../shared/stream.js";
import { Viewer } from "./viewer.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @typedef {{ state: string, turn: number, piece: number, bot: string, order: string, played: string, is_same: boolean }} Advice */
/** @import { Columns, LiveFacts, PresentFacts, ReplayFacts, SceneMessage } from "./types.d.ts" */

const NO_TEXTS = { faults: [], logs: [], faults_left_out: 0, logs_left_out: 0 };
const RETRY_MS = 3000;
const ADVICE_MS = 1000;
const LONG_TIMEOUT_MS = 120_000; // a long match on a slow connection

/** @typedef {{ replay: Replay, viewer: Viewer, scout: Cursor }} Shown */

/** A match that a server tells of, and the viewer that shows it. */
export class LiveMatch {
  /** @type {Shown | null} */
  shown = null;
  /** @type {Columns} */
  columns = {};
  /** @type {Record<string, number>} */
  names = {};
  /** @type {ImageBitmap[]} */
  bitmaps = [];
  state = "";
  byPosition = [0];  // how many decisions there were

  /**
   * @param {string} topic  what is followed, such as `games/ID`
   * @param {{ begun?: (viewer: Viewer) => void, grown?: () => void }} listener
   */
  constructor(topic, listener = {}) {
    this.topic = topic;
    this.listener = listener;
    if (location.hash.includes("bare")) document.body.classList.add("bare");  // before there is a scene, too
  }

  /** @param {SceneMessage} message */
  async take(message) {
    if (message.facts && this.shown) {
      location.reload();  // the server has forgotten what it told us
      return;
    }
    await this.#takeImages(message.images ?? []);
    if (message.facts) this.#start(message.facts, message);
    else if (this.shown) this.#grow(this.shown, message);
    this.state = message.isGrowing ? "live" : "over";
    this.showState();
    if (!message.isGrowing && this.shown) this.#end(this.shown.viewer, message);
  }

  // Say "live" at the newest turn alone; behind it how far, and what a click does.
  showState(state = this.state) {
    this.state = state;
    const button = byId("live");
    const behind = state === "live" && this.shown ? this.shown.viewer.turnsBehind : 0;
    const words = behind ? `${behind} ${behind === 1 ? "turn" : "turns"} behind: go live` : state;
    if (button.textContent !== words) button.textContent = words;
    button.hidden = state === "over";
    button.classList.toggle("lost", words !== "live");
  }

  /**
   * @param {LiveFacts} sent
   * @param {SceneMessage} message
   */
  #start({ backdrop, ...sent }, message) {
    /** @type {ReplayFacts} */
    const facts = {
      ...sent,
      ...presentFacts(message),
      teams: sent.teams.map((team, i) => ({ ...team, emblem: this.#emblem(i + 1) })),
      words: [],
      thresholds: [],
      trails: [],
      camera: [],
      images: { names: this.names },
      shapes: { thing: [], team: [], backdrop: backdrop.shapes },
    };
    this.#addColumns(backdrop.columns);
    this.#add(facts, message);
    this.#show(new Replay(facts, this.columns), message);
  }

  /**
   * @param {Pick<ReplayFacts, "shapes" | "words" | "thresholds" | "trails" | "camera">} facts
   * @param {SceneMessage} message
   */
  #add(facts, { columns, shapes, words = [], thresholds = [], trails = [], camera = [], decisions = [] }) {
    this.#addColumns(columns);
    facts.shapes.thing.push(...(shapes.thing ?? []));
    facts.shapes.team.push(...(shapes.team ?? []));
    for (const word of words) facts.words.push(word);
    for (const goal of thresholds) facts.thresholds.push(goal);
    for (const point of trails) facts.trails.push(point);
    for (const part of camera) facts.camera.push(part);
    for (const count of decisions) this.byPosition.push(this.decisions + count);
  }

  get decisions() {
    return this.byPosition[this.byPosition.length - 1];
  }

  /** @param {Record<string, number[]>} columns */
  #addColumns(columns) {
    for (const [name, added] of Object.entries(columns)) {
      this.columns[name] ??= new Column([]);
      for (const number of added) this.columns[name].numbers.push(number);
    }
  }

  /** @param {{ name: string, png: string }[]} images */
  async #takeImages(images) {
    for (const { name, png } of images) {
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      this.names[name] = this.bitmaps.length;
      this.bitmaps.push(await createImageBitmap(new Blob([bytes], { type: "image/png" })));
    }
  }

  /**
   * @param {Replay} replay
   * @param {SceneMessage} message
   */
  #show(replay, message) {
    const viewer = new Viewer(replay, this.bitmaps, NO_TEXTS);
    const scout = new Cursor(replay);  // goes ahead of the others, and makes keyframes for them
    this.shown = { replay, viewer, scout };
    scout.seek(replay.steps);
    scout.framed = undefined;
    viewer.addNotes(message);
    viewer.start();
    const isAtTurn = /^#t=/.test(location.hash);  // somebody has named one
    if (!message.follows && !isAtTurn) viewer.play();
    else if (message.isGrowing && !isAtTurn) viewer.toEnd();
    byId("live").addEventListener("click", () => viewer.toEnd());
    viewer.onBehind = () => this.showState();
    byId("failure").hidden = true;
    document.body.classList.remove("loading");
    window.viewer = viewer;  // for the console, and for tests
    this.listener.begun?.(viewer);
  }

  /**
   * Return the first picture of a team, by its name (`slime_1`).
   * @param {number} team
   */
  #emblem(team) {
    const own = Object.entries(this.names).find(([name]) => name.split(":")[0].endsWith(`_${team}`));
    return own ? own[1] : null;
  }

  /**
   * @param {Shown} shown
   * @param {SceneMessage} message
   */
  #grow({ replay, viewer, scout }, message) {
    this.#add(replay, message);
    Object.assign(replay, presentFacts(message));
    replay.take();
    scout.scout(replay.keyframes);
    viewer.addNotes(message);
    viewer.grown();
    this.listener.grown?.();
  }

  /**
   * Say what can be done with a match that is over.
   * @param {Viewer} viewer
   * @param {SceneMessage} message
   */
  #end(viewer, message) {
    const note = make("section", { id: "after", "aria-label": "after the match" });
    byId("after")?.remove();
    if (!message.isWhole) {
      note.append(button("Show the whole replay, with what was hidden", () => location.reload()));
    } else if (message.isContinuable) {
      note.append(...this.#continuing(viewer, message));
    }
    if (note.childElementCount) byId("match").before(note);
  }

  /**
   * Let somebody play on from where the playhead is.
   * @param {Viewer} viewer
   * @param {SceneMessage} message
   */
  #continuing(viewer, { seats, ownTeam }) {
    const team = make("select", { id: "play-as", "aria-label": "Play as" }, ...seats.map((name, i) =>
      make("option", { value: i + 1 }, `team ${i + 1}, ${name}`),
    ));
    team.value = new URLSearchParams(location.search).get("as") ?? String(ownTeam ?? 1);
    const what = make("p");
    const say = () => {
      const [own, others] = [seats[team.selectedIndex], seats.filter((_, i) => i !== team.selectedIndex)];
      what.textContent = `Pause anywhere and take over ${own}: ${others.join(" and ")} ${others.length === 1 ? "plays" : "play"} on with new chance from there.`;
    };
    team.addEventListener("change", say);
    say();
    const [button, words] = [make("button", { type: "button" }, "Play on from here"), make("p", { role: "alert" })];
    button.addEventListener("click", async () => {
      viewer.go((playback) => playback.pause());
      button.disabled = true;
      const last = this.decisions - 1;  // after it the game is over
      const step = Math.min(this.byPosition[viewer.playback.position()], last);
      /** @type {Answer<{ address: string }>} */
      const answer = await send("POST", `${SITE}/api/v1/${this.topic}/continue`, { step, team: Number(team.value) }, LONG_TIMEOUT_MS);
      button.disabled = false;
      words.textContent = answer.isOk ? "" : answer.error;
      if (answer.isOk) location.assign(SITE + answer.address);
    });
    return [
      make("h2", {}, "What if?"),
      what,
      make("div", { class: "play-on" }, team, button, ...this.#advising(viewer, team)), words,
    ];
  }

  /**
   * Let somebody ask what a search bot would have ordered for a team where the playhead is.
   * @param {Viewer} viewer
   * @param {HTMLSelectElement} team
   */
  #advising(viewer, team) {
    if (!this.topic.startsWith("games/")) return [];
    const words = make("p", { role: "status", class: "advice" });
    const button = make("button", { type: "button" }, "What would a search bot have played?");
    button.addEventListener("click", async () => {
      viewer.go((playback) => playback.pause());
      button.disabled = true;
      words.textContent = "It thinks …";
      words.textContent = await pollAdvice(this.topic, this.byPosition[viewer.playback.position()], Number(team.value));
      button.disabled = false;
    });
    return [button, words];
  }
}

/**
 * Return what may change while a match is being played.
 * @param {SceneMessage} message
 * @returns {PresentFacts}
 */
function presentFacts({ ending, isGrowing, seed, seedHash, key, disclosures, standingNow }) {
  return { ending, isGrowing, seed, seedHash, key, disclosures, standingNow };
}

/**
 * Return in words what a search bot would have ordered where a team decided next.
 * @param {string} topic
 * @param {number} step
 * @param {number} team
 */
async function pollAdvice(topic, step, team) {
  const until = performance.now() + LONG_TIMEOUT_MS;
  for (;;) {
    /** @type {Answer<Advice>} */
    const advice = await send("POST", `${SITE}/api/v1/${topic}/advice`, { step, team });
    if (!advice.isOk) return advice.error;
    const { state, turn, piece, bot, order, played, is_same: isSame } = advice;
    if (state === "done") {
      const words = `Turn ${turn}${piece ? `, number ${piece}` : ""}: ${bot} would have played`;
      return isSame ? `${words} the same, ${order}.` : `${words} ${order}, in place of ${played}.`;
    }
    if (performance.now() > until) return "It thinks for long: please ask again later.";
    await new Promise((resolve) => setTimeout(resolve, ADVICE_MS));
  }
}

/** @param {string} words */
function fail(words) {
  byId("failure").hidden = false;
  byId("failure").textContent = words;
}

/**
 * Take one message after the other.
 * @param {LiveMatch} live
 * @returns {(message: SceneMessage) => void}
 */
function queueMessages(live) {
  let taking = Promise.resolve();
  return (message) => {
    taking = taking.then(() => live.take(message)).catch((error) => {
      fail(`This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`);
      throw error;
    });
  };
}

/** Return what the page at this address shows: of /games/ID/watch this is games/ID, and so on. */
export function findTopic() {
  const path = location.pathname.slice(SITE.length).replace(/^\/|\/watch$/g, "");
  return path.replace(/^contests\//, "tournaments/");  // so the API calls it
}

/**
 * Follow a match, which may go on. Returns what ends that.
 * @param {LiveMatch} live
 * @param {(words: string) => void} hide  is called with why nothing is shown yet
 */
export function followMatch(live, hide = fail) {
  const take = queueMessages(live);
  let isOver = false;
  const leave = follow(`${live.topic}/scene`, {
    /** @param {SceneMessage} message */
    scene(message) {
      isOver = !message.isGrowing;
      if (isOver && !message.staysOpen) leave();
      byId("failure").hidden = true;
      take(message);
    },
    wait: ({ words }) => hide(words),
    over: () => location.reload(),  // nothing was shown of it: now it is
    end: ({ error }) => error && fail(`This match cannot be shown: ${error}.`),
    state(state, error) {
      if (isOver) return;
      const isLost = state === "lost";
      byId("live").hidden = !live.shown && !isLost;  // what is waited for is a match, and not the server
      if (live.shown) live.showState(isLost ? "reconnecting …" : "live");
      else if (isLost) fail(error || "The server does not answer yet; trying again …");
    },
  });
  return leave;
}

/**
 * Load a match that was played: its one event.
 * @param {LiveMatch} live
 */
export async function loadMatch(live) {
  try {
    const response = await fetch(`${SITE}/api/v1/${live.topic}/scene`, { signal: AbortSignal.timeout(LONG_TIMEOUT_MS) });
    const text = await response.text();
    if (isTransient(response.status)) throw new Error(text);
    if (response.ok) queueMessages(live)(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? ""));
    else fail(`This match cannot be shown: ${JSON.parse(text).error}.`);
  } catch {
    fail("The server does not answer yet; trying again …");
    setTimeout(() => loadMatch(live), RETRY_MS);
  }
}
