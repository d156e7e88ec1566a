// What the pages of all games share: the connection, sending, and telling the reader.

import { byId, make, write } from "./elements.js";

const API = "/api/v1";
const NO_ANSWER = "The server does not answer. Nothing was lost; please try again.";
const RETRY_MS = 3000;
const SAID_AT_MOST = 6;

/** Return the path of a game in the API, with what follows: `gamePath(id, "orders")`. */
export function gamePath(id, what = "") {
  return `${API}/games/${encodeURIComponent(id)}${what && `/${what}`}`;
}

/**
 * Follow a game: call `onPosition(position, happened)` now and after each change, and tell the
 * document by an event `position`.
 *
 * The browser reconnects by itself, and each stream begins with the whole position. Where the
 * server refuses the stream, it is asked why; while it does not answer, it is tried again.
 * @returns {() => Promise<void>} asks for the position now
 */
export function connect(id, onPosition) {
  let newest = -1;
  let isOver = false;

  function show({ happened = [], ...position }) {
    newest = Math.max(newest, position.step);
    isOver ||= position.outcome !== null;
    onPosition(position, happened);
    document.dispatchEvent(new CustomEvent("position", { detail: position }));
  }

  function listen() {
    const stream = new EventSource(gamePath(id, "events"));
    stream.onopen = () => connection("");
    stream.addEventListener("position", (event) => {
      connection("");
      show(JSON.parse(event.data)); // after the end people may write, and play again
    });
    stream.onerror = () => {
      if (isOver) return;
      connection("reconnecting …");
      if (stream.readyState === EventSource.CLOSED) retry();
    };
  }

  async function retry() {
    const answer = await send("GET", gamePath(id));
    if (answer.status === 404 || answer.status === 403) {
      connection("not connected");
      refuse(answer.error);
    } else setTimeout(listen, RETRY_MS);
  }

  listen();
  return async () => {
    const answer = await send("GET", gamePath(id));
    if (answer.isOk && answer.step >= newest) show(answer);
  };
}

/** Send JSON and return the answer: its fields, `isOk`, `status`, and `error` if it is not ok. */
export async function send(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    return { isOk: false, status: 0, error: NO_ANSWER };
  }
  const answer = await response.json().catch(() => ({}));
  const error = response.ok ? undefined : answer.error ?? `The server says: ${response.status}.`;
  return { ...answer, isOk: response.ok, status: response.status, error };
}

/** POST an order, an act or the like. */
export const post = (path, body) => send("POST", path, body);

/** Tell those who do not see the board what happened. */
export function say(words) {
  const said = byId("said");
  said.append(make("p", {}, words));
  while (said.childElementCount > SAID_AT_MOST) said.firstElementChild.remove();
}

/** Show why something was refused, "" to take that away; `place` is a `role=alert` beside it. */
export function refuse(words, place = byId("refused")) {
  place.textContent = words; // even if it is the same: a reader of the screen hears it again
}

/** Show the state of the connection; "" while all is well. */
function connection(words) {
  write(byId("connection"), words);
}

/** Ask before something that cannot be taken back; true if the reader agrees. */
export function confirmed(question, consequence, agree) {
  const dialog = make(
    "dialog",
    { class: "question", "aria-labelledby": "question" },
    make("h2", { id: "question" }, question),
    make("p", {}, consequence),
    make(
      "form",
      { method: "dialog", class: "buttons" },
      make("button", { value: "" }, "Cancel"),
      make("button", { value: "yes", class: "danger" }, agree),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}

/** Return where one may go after the end of a game; `more` stands before it. */
export function linksAfter(id, ...more) {
  return make(
    "p",
    { class: "buttons" },
    ...more,
    make("a", { class: "button", href: `/games/${encodeURIComponent(id)}/watch` }, "Watch the replay"),
    make("a", { class: "button", href: `/games/${encodeURIComponent(id)}/replay` }, "Download the replay"),
    make("a", { class: "button primary", href: "/" }, "New game"),
  );
}
