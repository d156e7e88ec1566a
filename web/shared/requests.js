// Asks the server for something, for so long and no longer.

import { write } from "./elements.js";
import { SITE } from "./site.js";

/** @import { Answer } from "./types.d.ts" */

export const API = `${SITE}/api/v1`;
export const NO_ANSWER = "The server does not answer. Nothing was lost; please try again.";
const TIMEOUT_MS = 15_000; // the longest that an answer takes: a busy database is waited for 5 s
const TRY_FOR_MS = 15_000; // so long what has no answer is sent again
const RETRY_MS = 1000;
const TRYING = "The server does not answer; trying again …";
/** No answer, or one of a proxy or a database that is away: nobody looked at what was sent. */
export const NO_ANSWERS = [0, 502, 503, 504];

/**
 * Return the path of a game in the API, with what follows: `gamePath(id, "orders")`.
 * @param {string} id
 */
export function gamePath(id, what = "") {
  return `${API}/games/${encodeURIComponent(id)}${what && `/${what}`}`;
}

/**
 * Send JSON, and again for a while where there is no answer: by its key it is done once. A PUT is sent
 * once, since another one may have followed. Returns what `sendOnce` does.
 * @template {object} Fields
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Answer<Fields>>}
 */
export async function send(method, path, body, longestMs = TIMEOUT_MS) {
  const key = method === "GET" || method === "PUT" ? "" : crypto.getRandomValues(new Uint32Array(4)).join("-");
  const until = performance.now() + (method === "PUT" ? 0 : TRY_FOR_MS);
  const place = document.getElementById("connection");
  for (;;) {
    /** @type {Answer<Fields>} */
    const answer = await sendOnce(method, path, body, longestMs, key);
    const isLast = !(key ? NO_ANSWERS.includes(answer.status) : isTransient(answer.status)) || performance.now() > until;
    if (place && (place.textContent || TRYING) === TRYING) write(place, isLast ? "" : TRYING);
    if (isLast) return answer;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/**
 * Send JSON and return the answer: its fields, `isOk`, `status`, and `error` if it is not ok.
 * @template {object} Fields
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Answer<Fields>>}
 */
export async function sendOnce(method, path, body, longestMs = TIMEOUT_MS, key = "") {
  let response;
  let answer;
  try {
    response = await fetch(path, {
      method,
      cache: method === "HEAD" ? "no-store" : "default",
      headers: { ...(body && { "Content-Type": "application/json" }), ...(key && { "Idempotency-Key": key }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(longestMs),
    });
    answer = await response.json().catch(ignoreSyntaxError);
  } catch {
    return { isOk: false, status: 0, error: NO_ANSWER };
  }
  const error = response.ok ? undefined : answer.error ?? `The server says: ${response.status}.`;
  return { ...answer, isOk: response.ok, status: response.status, error };
}

/** Return whether the same request may be answered a moment later. @param {number} status  of a refusal */
export const isTransient = (status) => status === 0 || status === 429 || status >= 500;

/**
 * Take what is not JSON for nothing; an answer that breaks off is none.
 * @param {unknown} error
 */
function ignoreSyntaxError(error) {
  if (!(error instanceof SyntaxError)) throw error;
  return {};
}
