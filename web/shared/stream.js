// How a page follows games: through one stream that all pages of a browser share.
//
// Where there are shared workers, one has the stream. Elsewhere (Chrome on Android) one of the pages
// has it for all, until it is closed: which one, a lock says. Where pages may have no locks, since
// they came without encryption, each has a stream of its own while it can be seen.

import { SharedStream } from "./shared_stream.js";
import { SITE } from "./site.js";

/** @import { Listener, StreamMessage, StreamRequest } from "./types.d.ts" */
/** @typedef {{ topic: string, listener: Listener, last: string | undefined }} Follower */
/** @typedef {{ send: (request: StreamRequest) => void }} Link */

// A worker of the former version serves its pages for as long as one of them is open: what pages
// and worker say to each other changes only together with this name.
const NAME = `slime-mind stream 1${SITE}`; // there may be several servers at a host
const AGAIN_MS = 30_000; // pages ask so often, so that it is known that they are there
const BUSY_MS = 10_000; // a topic that the server refuses for now is asked for again
const REFUSED_FOR_NOW = [429, 503];

/**
 * What this page follows, by key: each asks for its topic until it has ended.
 * @type {Map<string, Follower>}
 */
const followers = new Map();
/** @type {Link | null} */
let link = null;

/**
 * Follow a topic, such as `games/ID/events`.
 *
 * `listener` has a method for each kind of event, which is called with its data; `end`, called with
 * `status` and `error` if there is nothing to follow; and `state`, called with "open" or "lost",
 * and with why the server refuses the stream.
 * @param {string} topic
 * @param {Listener} listener
 * @returns {() => void} ends it
 */
export function follow(topic, listener) {
  const key = newKey();
  followers.set(key, { topic, listener, last: undefined });
  link ??= startLink();
  ask(key);
  return () => leave(key);
}

/** Begin the stream anew, since the connection may be another one. */
export function wake() {
  if (followers.size) link?.send({ ask: "wake" });
}

/** @param {string} key */
function ask(key) {
  const follower = followers.get(key);
  if (follower) link?.send({ ask: "follow", key, topic: follower.topic, last: follower.last });
}

function askAll() {
  for (const key of followers.keys()) ask(key);
}

/** @param {string} key */
function leave(key) {
  if (followers.delete(key)) link?.send({ ask: "leave", key });
}

/** @param {StreamMessage & { key: string }} message */
function receive({ key, event, last, data, state, error }) {
  const follower = followers.get(key);
  if (!follower) return;
  if (state) follower.listener.state?.(state, error);
  if (!event) return;
  if (last) follower.last = last;
  const content = JSON.parse(data);
  const listener = /** @type {Record<string, ((content: unknown) => void) | undefined>} */ (follower.listener);
  if (event !== "end") listener[event]?.(content);
  else if (REFUSED_FOR_NOW.includes(content.status)) {
    follower.listener.state?.("lost", content.error);
    setTimeout(() => followers.has(key) && ask(key), BUSY_MS);
  } else {
    followers.delete(key);
    follower.listener.end?.(content);
  }
}

/** @returns {Link} */
function startLink() {
  setInterval(askAll, AGAIN_MS);
  addEventListener("online", wake);
  // A page that is left may be kept by its browser, and shown again.
  addEventListener("pagehide", () => [...followers.keys()].forEach((key) => link?.send({ ask: "leave", key })));
  addEventListener("pageshow", ({ persisted }) => persisted && askAll());
  document.addEventListener("resume", askAll);
  document.addEventListener("visibilitychange", () => document.hidden || askAll());
  try {
    if ("SharedWorker" in window) return new WorkerLink();
  } catch {
    // it may not be had here
  }
  return withoutWorker();
}

function withoutWorker() {
  return "BroadcastChannel" in window && navigator.locks ? new ElectedLink() : new OwnLink();
}

/** To the worker that all pages share. */
class WorkerLink {
  #port;
  #isHeard = true;

  constructor() {
    this.#port = this.#connect();
    setInterval(() => this.#check(), 2 * AGAIN_MS);
  }

  /** @param {StreamRequest} message */
  send(message) {
    this.#port.postMessage(message);
  }

  #connect() {
    const worker = new SharedWorker(`${SITE}/static/bundles/stream_worker.js`, { type: "module", name: NAME });
    worker.port.onmessage = ({ data }) => {
      this.#isHeard = true;
      receive(data);
    };
    // Its program could not be loaded, or this browser runs no modules there.
    worker.onerror = () => {
      if (link !== this) return;
      link = withoutWorker();
      askAll();
    };
    return worker.port;
  }

  /** Begin another worker in place of one that has ended: it answers whatever it is asked. */
  #check() {
    if (link !== this || !followers.size || document.hidden) return;
    if (!this.#isHeard) {
      this.#port = this.#connect();
      askAll();
    }
    this.#isHeard = false;
    askAll();
  }
}

/** To the page that has the stream, which may be this one. */
class ElectedLink {
  #channel = new BroadcastChannel(NAME);
  /** @type {SharedStream | null} */
  #stream = null; // if this page has it

  constructor() {
    this.#channel.onmessage = ({ data }) => {
      if (data.ask === "who is there") askAll();
      else if (data.ask) this.#stream?.take(data);
      else receive(data);
    };
    navigator.locks.request(NAME, () => {
      this.#lead();
      return new Promise(() => {}); // until this page is closed
    });
  }

  /** @param {StreamRequest} message */
  send(message) {
    if (this.#stream) this.#stream.take(message);
    else this.#channel.postMessage(message);
  }

  #lead() {
    this.#stream = new SharedStream((key, message) => {
      if (followers.has(key)) receive({ ...message, key });
      else this.#channel.postMessage({ ...message, key });
    });
    this.#channel.postMessage({ ask: "who is there" });
    askAll();
  }
}

/** A stream of this page alone, while it can be seen. */
class OwnLink {
  #stream = new SharedStream((key, message) => receive({ ...message, key }));

  constructor() {
    document.addEventListener("visibilitychange", () => document.hidden && this.#stream.pause());
  }

  /** @param {StreamRequest} message */
  send(message) {
    if (!document.hidden) this.#stream.take(message);
  }
}

function newKey() {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(36)).join("");
}
