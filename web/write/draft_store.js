// A draft as it is in this browser, and what the server has of it: whatever is typed goes into a copy
// in the browser at once, and to the server a moment later.

import { isTransient, send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";
import { forgetText, saveText, loadText } from "./kept_texts.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { Draft, DraftFile, KeptText, SaveState, Version } from "./types.d.ts" */

const SAVE_MS = 700; // after the last letter
const COPY_MS = 150;
const RETRY_MS = 4000;
const SIGNED_OUT = [401, 403, 404];
const CHANNEL = "write";

export class DraftStore {
  isDirty = false; // whether the server has yet to be told
  edits = 0;
  /** @type {Set<string>} */
  sent = new Set(); // what the server was sent and has not answered: it may have it all the same
  /** @type {Draft | null} */
  otherDraft = null; // what somebody has made of the draft elsewhere, which the author is asked about
  /** @type {Promise<boolean> | null} */
  saving = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  copyTimer;

  /**
   * @param {Draft} draft
   * @param {{ onStateChange: (state: SaveState, words?: string) => void, onReplaced: () => void, onConflict: (otherDraft: Draft) => void, onNameRefused: (why: string) => void }} listener
   */
  constructor(draft, listener) {
    this.draft = draft;
    this.savedName = draft.name;
    this.listener = listener;
    this.path = `${SITE}/api/v1/drafts/${encodeURIComponent(draft.id)}`;
    this.channel = new BroadcastChannel(CHANNEL);
    this.channel.addEventListener("message", ({ data }) => this.#onMessage(data));
    addEventListener("online", () => this.flush());
    addEventListener("pagehide", () => this.#copy());
    document.addEventListener("visibilitychange", () => document.hidden && this.#copy());
  }

  /** @param {string} name */
  file(name) {
    return this.draft.files.find((file) => file.name === name);
  }

  /** Take what was typed here before, and did not reach the server. */
  recover() {
    const kept = loadText(this.draft.id);
    if (!kept) return;
    if (contentKey(kept) === contentKey(this.draft)) {
      forgetText(this.draft.id);
      return;
    }
    const { revision: known, ...server } = this.draft;
    Object.assign(this.draft, { name: kept.name, files: kept.files });
    this.isDirty = true;
    this.edits++;
    if (kept.revision === known) this.flush();
    else this.#ask({ ...server, revision: known });
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  write(name, text) {
    const file = this.file(name);
    if (!file || file.text === text) return;
    file.text = text;
    this.#onChange();
  }

  /** @param {string} name */
  rename(name) {
    this.draft.name = name;
    this.#onChange();
  }

  /** @param {DraftFile} file */
  add(file) {
    this.draft.files.push(file);
    this.#onChange();
  }

  /** @param {string} name */
  remove(name) {
    this.draft.files = this.draft.files.filter((file) => file.name !== name);
    this.#onChange();
  }

  /**
   * @param {string} before
   * @param {string} after
   */
  renameFile(before, after) {
    const file = this.file(before);
    if (!file) return;
    file.name = after;
    this.#onChange();
  }

  /** @param {DraftFile[]} files */
  replace(files) {
    this.draft.files = files.map((file) => ({ ...file }));
    this.#onChange();
    this.listener.onReplaced();
  }

  /** Save what is not saved. Returns whether the server has everything then. */
  flush() {
    clearTimeout(this.timer);
    this.saving ??= this.#saveAll().finally(() => (this.saving = null));
    return this.saving;
  }

  /**
   * Keep the present text as a version. Returns why that cannot be, or "".
   * @param {string} note
   */
  async saveVersion(note) {
    if (!(await this.flush())) return "The text is not saved yet.";
    return this.#version(note);
  }

  // Of two texts: this one stays, the other one is kept as a version.
  async keepOwnText() {
    const otherDraft = this.otherDraft;
    if (!otherDraft) return "";
    const why = await this.#version("from another tab");
    if (why) return why;
    this.otherDraft = null;
    this.draft.revision = otherDraft.revision;
    await this.flush();
    return "";
  }

  // Of two texts: the other one stays, this one is kept as a version.
  async takeOtherText() {
    const otherDraft = this.otherDraft;
    if (!otherDraft) return "";
    this.otherDraft = null;
    this.draft.revision = Math.max(this.draft.revision, otherDraft.revision);
    const isSaved = await this.flush();
    const why = isSaved ? await this.#version("before the text of another tab was taken") : "The server does not answer; both texts are still there.";
    if (why) {
      this.otherDraft = otherDraft; // it is chosen again
      return why;
    }
    this.draft.name = otherDraft.name;
    this.replace(otherDraft.files);
    await this.flush();
    return "";
  }

  #onChange() {
    this.isDirty = true;
    this.edits++;
    this.listener.onStateChange("unsaved");
    this.copyTimer ??= setTimeout(() => this.#copy(), COPY_MS);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), SAVE_MS);
  }

  #copy() {
    clearTimeout(this.copyTimer);
    this.copyTimer = undefined;
    const { id, revision, name, files } = this.draft;
    if (this.isDirty) saveText(id, { revision, name, files });
  }

  async #saveAll() {
    while (this.isDirty) {
      if (this.otherDraft) return false; // the author is asked first
      const { edits, draft } = this;
      const { revision, name, files } = draft;
      this.sent.add(contentKey(draft));
      this.listener.onStateChange("saving");
      /** @type {Answer<{ revision: number }>} */
      const answer = await send("PUT", this.path, { revision, name, files });
      if (!answer.isOk) return this.#onSaveFailed(answer);
      this.#markSaved(answer.revision, edits, name);
    }
    this.listener.onStateChange("saved");
    return true;
  }

  /**
   * @param {number} revision
   * @param {number} edits  how many there were when it was sent
   * @param {string} name
   */
  #markSaved(revision, edits, name) {
    this.savedName = name;
    this.draft.revision = revision;
    this.isDirty = this.edits !== edits;
    this.sent.clear();
    if (!this.isDirty) forgetText(this.draft.id);
    this.channel.postMessage({ id: this.draft.id, revision });
  }

  /**
   * @param {import("../shared/types.d.ts").Refused} answer
   * @returns {boolean | Promise<boolean>}
   */
  #onSaveFailed({ status, error }) {
    this.#copy();
    if (status === 409) return this.#elsewhere();
    if (status === 422 && this.draft.name !== this.savedName) {
      this.draft.name = this.savedName; // the text is saved all the same
      this.listener.onNameRefused(error);
      return this.#saveAll();
    }
    if (isTransient(status)) {
      this.listener.onStateChange("offline", error);
      this.timer = setTimeout(() => this.flush(), RETRY_MS);
    } else if (SIGNED_OUT.includes(status)) {
      this.listener.onStateChange("refused", "The server does not know this bot as yours now: you may be signed out. What you typed is kept in this browser.");
    } else this.listener.onStateChange("refused", error);
    return false;
  }

  /** @returns {Promise<boolean>} */
  async #elsewhere() {
    /** @type {Answer<Draft>} */
    const now = await send("GET", this.path);
    if (!now.isOk) return this.#onSaveFailed(now);
    if (!this.sent.has(contentKey(now))) {
      this.#ask(now);
      return false;
    }
    // It came, and its answer was lost.
    this.#markSaved(now.revision, contentKey(now) === contentKey(this.draft) ? this.edits : -1, now.name);
    return this.#saveAll();
  }

  /** @param {Draft} otherDraft */
  #ask(otherDraft) {
    this.otherDraft = otherDraft;
    this.listener.onStateChange("conflict");
    this.listener.onConflict(otherDraft);
  }

  /**
   * @param {string} note
   * @returns {Promise<string>}
   */
  async #version(note) {
    /** @type {Answer<Version>} */
    const answer = await send("POST", `${this.path}/versions`, { note });
    return answer.isOk ? "" : answer.error;
  }

  /** @param {{ id: string, revision: number }} said  by another tab that has saved */
  async #onMessage({ id, revision }) {
    if (id !== this.draft.id || revision <= this.draft.revision || this.isDirty) return;
    /** @type {Answer<Draft>} */
    const answer = await send("GET", this.path);
    if (!answer.isOk || this.isDirty) return;
    const { name, files } = answer;
    Object.assign(this.draft, { name, files, revision: answer.revision });
    this.savedName = name;
    this.listener.onReplaced();
  }
}

/** @param {Pick<KeptText, "name" | "files">} text */
function contentKey({ name, files }) {
  return JSON.stringify([name, files.map((file) => [file.name, file.text]).sort()]);
}
