// Asks the server for something, for so long and no longer.

import { SITE } from "./site.js";

/** @import { Answer } from "./types.d.ts" */

const API = `${SITE}/api/v1`;
export const NO_ANSWER = "The server does not answer. Nothing was lost; please try again.";
const TIMEOUT_MS = 15_000; // the longest that an answer takes: a busy database is waited for 5 s

/**
 * Return the path of a game in the API, with what follows: `gamePath(id, "orders")`.
 * @param {string} id
 */
export function gamePath(id, what = "") {
  return `${API}/games/${encodeURIComponent(id)}${what && `/${what}`}`;
}

/**
 * Send JSON and return the answer: its fields, `isOk`, `status`, and `error` if it is not ok.
 * @template {object} Fields
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Answer<Fields>>}
 */
export async function send(method, path, body, longestMs = TIMEOUT_MS) {
  let response;
  let answer;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
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
