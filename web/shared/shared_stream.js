// One stream from the server for all that the pages of a browser follow: HTTP/1.1 has six
// connections for a browser, and a stream for each page would leave none for moves.
// It runs in a worker that the pages share, or in one of them: see stream.js.

import { SITE } from "./site.js";

/** @import { StreamMessage, StreamRequest, Tell } from "./types.d.ts" */
/** @typedef {{ topic: string, last: string | undefined, heardAt: number }} Followed */
/** @typedef {{ error?: string, waitS?: number }} Problem */

const PATH = `${SITE}/api/v1/stream`;
const MAX_TOPICS = 50; // of which the server says the same
const JOIN_MS = 30; // pages that are opened together cost one stream
const LEAVE_MS = 5000; // a page that is loaded again is back before
const SILENCE_MS = 40_000; // the server says every 15 s that it is there
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5000;
const GONE_MS = 200_000; // pages say every minute that they are there, also those in the background
const TOO_MANY = `A browser follows ${MAX_TOPICS} games at once; close another page of them.`;

export class SharedStream {
  /** @type {Map<string, Followed>} */
  #topics = new Map(); // by the key of a page: what it follows, from where, and when it was heard
  #tell;
  /** @type {AbortController | null} */
  #control = null; // ends the present stream
  #isOpen = false;
  #timer = 0;
  #dueAt = Infinity;
  #failures = 0;

  /**
   * `tell(key, message)` tells a page of an event, or of the state of the connection.
   * @param {Tell} tell
   */
  constructor(tell) {
    this.#tell = tell;
    setInterval(() => this.#dropGonePages(), GONE_MS / 4);
  }

  /**
   * Do what a page asks for; pages ask again and again, so that who is gone is known.
   * @param {StreamRequest} request
   */
  take(request) {
    if (request.ask === "leave") this.#leave(request.key);
    else if (request.ask === "wake") this.#soon(JOIN_MS);
    else this.#follow(request.key, request.topic, request.last);
  }

  /** Have no stream until somebody follows something anew. */
  pause() {
    this.#end();
    this.#topics.clear();
  }

  /**
   * @param {string} key
   * @param {string} topic
   * @param {string | undefined} last
   */
  #follow(key, topic, last) {
    const known = this.#topics.get(key);
    if (known) known.heardAt = Date.now();
    else {
      this.#topics.set(key, { topic, last, heardAt: Date.now() });
      this.#soon(JOIN_MS);
    }
    if (known && this.#isOpen) this.#tell(key, { state: "open" });
  }

  /** @param {string} key */
  #leave(key) {
    const isFollowed = this.#topics.delete(key);
    if (!this.#topics.size) this.#end();
    else if (isFollowed) this.#soon(LEAVE_MS);
  }

  #dropGonePages() {
    for (const [key, { heardAt }] of this.#topics) {
      if (heardAt < Date.now() - GONE_MS) this.#leave(key);
    }
  }

  #end() {
    clearTimeout(this.#timer);
    this.#dueAt = Infinity;
    this.#control?.abort();
    this.#control = null;
    this.#isOpen = false;
  }

  /**
   * Open a stream of all topics in so long, in place of the present one.
   * @param {number} ms
   */
  #soon(ms) {
    const at = Date.now() + ms;
    if (at >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = at;
    this.#timer = setTimeout(() => this.#open(), ms);
  }

  async #open() {
    this.#end();
    const followed = [...this.#topics];
    for (const [key] of followed.splice(MAX_TOPICS)) {
      this.#give(key, { event: "end", data: JSON.stringify({ status: 429, error: TOO_MANY }) });
    }
    if (!followed.length) return;
    const control = (this.#control = new AbortController());
    const words = followed.map(([, { topic, last }]) => ["topic", last ? `${topic}@${last}` : topic]);
    /** @type {Problem} */
    let problem = {};
    try {
      problem = await this.#read(`${PATH}?${new URLSearchParams(words)}`, control, followed);
    } catch {
      // it was ended, or is lost
    }
    if (control === this.#control) this.#onLost(problem);
  }

  /**
   * Tell pages what comes until the stream ends; return why it did not begin.
   * @param {string} address
   * @param {AbortController} control
   * @param {[string, Followed][]} followed
   */
  async #read(address, control, followed) {
    let timer = 0;
    const isAlive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => control.abort(), SILENCE_MS);
    };
    try {
      isAlive();
      const response = await fetch(address, { signal: control.signal, cache: "no-store" });
      if (!response.ok || !response.body) return await readProblem(response);
      await this.#readFrames(response.body.pipeThrough(new TextDecoderStream()).getReader(), isAlive, followed);
      return {};
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * @param {ReadableStreamDefaultReader<string>} reader
   * @param {() => void} isAlive
   * @param {[string, Followed][]} followed
   */
  async #readFrames(reader, isAlive, followed) {
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      isAlive();
      const searched = Math.max(0, rest.length - 1);
      rest += value;
      if (!rest.includes("\n\n", searched)) continue;
      const frames = rest.split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) this.#onFrame(frame, followed);
    }
  }

  /**
   * @param {string} frame
   * @param {[string, Followed][]} followed
   */
  #onFrame(frame, followed) {
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#failures = 0;
      for (const [key] of followed) this.#tell(key, { state: "open" });
    }
    const [head, data] = frame.split("\n").map((line) => line.replace(/^data: /, ""));
    const { topic, event, last } = JSON.parse(head);
    if (topic === undefined) return;
    const [key, known] = followed[topic];
    if (this.#topics.get(key) !== known) return; // whose page was closed
    if (last) known.last = last;
    this.#give(key, { event, last, data });
  }

  /**
   * @param {string} key
   * @param {StreamMessage} message
   */
  #give(key, message) {
    if (message.event === "end") this.#topics.delete(key);
    this.#tell(key, message);
  }

  /** @param {Problem} problem */
  #onLost({ error = "", waitS = 0 }) {
    this.#end();
    for (const key of this.#topics.keys()) this.#tell(key, { state: "lost", error });
    // All browsers of a server that was started again ask at once: not in the same moment.
    const wait = Math.min(FIRST_RETRY_MS * 2 ** this.#failures++, MAX_RETRY_MS);
    this.#soon(Math.max(wait * (0.5 + Math.random() / 2), waitS * 1000));
  }
}

/**
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
async function readProblem(response) {
  const { error = `The server says: ${response.status}.` } = await response.json().catch(() => ({}));
  return { error, waitS: Math.min(Number(response.headers.get("Retry-After")) || 0, 60) };
}
