// What the pages of all games share: the connection, sending, and telling the reader.

import { byId, make, write } from "../shared/elements.js";
import { getOutbox } from "./deliveries.js";
import { gamePath, send } from "../shared/requests.js";
import { follow, wake } from "../shared/stream.js";

/** @import { Answer, EventText, Position } from "../shared/types.d.ts" */

const SAID_AT_MOST = 6;

byId("live").after(byId("connection")); // in the head, which is always in sight

/**
 * Follow a game: call `onPosition(position, happened)` now and after each change, and tell the
 * document by an event `position`.
 *
 * The stream is begun anew by itself, and begins with the whole position if that is another one.
 * @param {string} id
 * @param {(position: Omit<Position, "happened">, happened: EventText[]) => void} onPosition
 * @returns {() => Promise<void>} asks for the position now
 */
export function connect(id, onPosition) {
  let newest = -1;
  let isOffline = false; // as far as the browser knows
  let isLost = false;

  /** @param {Position} position */
  function show({ happened = [], ...position }) {
    newest = Math.max(newest, position.step);
    isOffline = false; // who is told something is not
    showConnection();
    onPosition(position, happened);
    document.dispatchEvent(new CustomEvent("position", { detail: position }));
  }

  function showConnection() {
    writeConnection(isOffline ? "offline" : isLost ? "reconnecting …" : "");
  }

  async function refresh() {
    /** @type {Answer<Position>} */
    const answer = await send("GET", gamePath(id));
    if (answer.status) isOffline = false;
    if (answer.isOk && isLost) wake();
    if (answer.isOk && answer.step >= newest) show(answer);
    else showConnection();
  }

  // A server on this machine answers also where the browser knows of no network.
  addEventListener("offline", () => {
    isOffline = true;
    showConnection();
    refresh();
  });
  addEventListener("online", () => {
    isOffline = false;
    showConnection();
  });
  follow(`games/${id}/events`, {
    position: show, // after the end people may write, and play again
    state(state, error = "") {
      isLost = state === "lost";
      showConnection();
      if (error && newest >= 0) refuse(error); // before, the viewer says so
      if (isLost) return;
      if (isOffline) refresh();
      if (newest >= 0) getOutbox(id).retry();
    },
    end({ error }) {
      if (error) writeConnection("not connected"); // the viewer says why
    },
  });
  return refresh;
}

/**
 * Say in the head, and in a dialog that is open, how the page is connected.
 * @param {string} words
 */
function writeConnection(words) {
  for (const place of document.querySelectorAll("#connection, dialog .connection")) write(place, words);
}

/**
 * Open a dialog that says whether the page is offline, as the head below it does.
 * @param {string} heading
 * @param {(Node | string)[]} content
 * @returns {HTMLDialogElement}
 */
export function openDialog(heading, ...content) {
  /** @type {HTMLDialogElement} */
  const dialog = make(
    "dialog",
    { class: "question", "aria-labelledby": "question" },
    make("h2", { id: "question" }, heading),
    make("p", { class: "connection", role: "status" }, byId("connection").textContent ?? ""),
    ...content,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Tell those who do not see the board what happened.
 * @param {string} words
 */
export function say(words) {
  const said = byId("said");
  said.append(make("p", {}, words));
  while (said.childElementCount > SAID_AT_MOST) said.firstElementChild?.remove();
}

/**
 * Show why something was refused, "" to take that away; `place` is a `role=alert` beside it.
 * @param {string} words
 * @param {HTMLElement} place
 */
export function refuse(words, place = byId("refused")) {
  place.textContent = words; // even if it is the same: a reader of the screen hears it again
}

/**
 * Ask before something that cannot be taken back; true if the reader agrees.
 * @param {string} question
 * @param {string} consequence
 * @param {string} agree
 * @returns {Promise<boolean>}
 */
export function askToConfirm(question, consequence, agree) {
  const dialog = openDialog(
    question,
    make("p", {}, consequence),
    make(
      "form",
      { method: "dialog", class: "buttons" },
      make("button", { value: "" }, "Cancel"),
      make("button", { value: "yes", class: "danger" }, agree),
    ),
  );
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes")));
}
