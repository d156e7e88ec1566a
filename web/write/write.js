// The page on which a bot is written, run, compared and handed in.

import { make, mark, write } from "../shared/elements.js";
import { input, on, part } from "../shared/parts.js";
import { API, send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";
import { ArmyDrawing } from "./army_drawing.js";
import { Better } from "./better.js";
import { isDrawn, showChooser, gameTitle } from "./chooser.js";
import { comparison } from "./diff.js";
import { Course } from "./course.js";
import { DraftStore } from "./draft_store.js";
import { loadEditor, openEditor } from "./editor_choice.js";
import { Files } from "./files.js";
import { HandIn } from "./hand_in.js";
import { Help } from "./help.js";
import { loadText } from "./kept_texts.js";
import { Output } from "./output.js";
import { Panels, showView } from "./panels.js";
import { Problems } from "./problems.js";
import { Runner } from "./runner.js";
import { Versions } from "./versions.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { CodeEditor, Draft, Fault, SaveState, Workbench } from "./types.d.ts" */

const IS_MAC = /^Mac|^iP/.test(navigator.platform);
const REFUSED_MS = 8000;
const CHECK_MS = 500; // after it was saved
const STATES = {
  saved: "Saved", unsaved: "Not saved yet", saving: "Saving …", offline: "Offline: kept in this browser", conflict: "Changed in another tab", refused: "Not saved",
};

/** A draft that is open, with all that belongs to it. */
class Page {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  checking;
  #conflict = /** @type {HTMLDialogElement} */ (part("conflict"));

  /**
   * @param {Draft} draft
   * @param {Workbench} workbench
   * @param {boolean} isFirst
   */
  constructor(draft, workbench, isFirst) {
    this.workbench = workbench;
    this.isFirst = isFirst;
    this.store = new DraftStore(draft, {
      onStateChange: (state, words) => this.#showState(state, words),
      onReplaced: () => {
        input("draft-name").value = this.store.draft.name;
        this.files?.retype();
      },
      onConflict: () => this.#showConflict(),
      onNameRefused: (why) => {
        input("draft-name").value = this.store.draft.name;
        write(part("refused"), why);
        setTimeout(() => write(part("refused"), ""), REFUSED_MS);
      },
    });
  }

  async open() {
    const { store } = this;
    const { draft } = store;
    const workbench = part("workbench");
    workbench.hidden = false;
    history.replaceState(null, "", `${SITE}/write/${draft.id}${location.hash}`);
    input("draft-name").value = draft.name;
    write(part("draft-game"), gameTitle(draft.game));
    document.title = `${draft.name} · Write a bot · Slime Mind Arena`;
    if (IS_MAC) for (const key of document.querySelectorAll("kbd")) write(key, (key.textContent ?? "").replace("Ctrl", "⌘"));
    this.#showState("saved");
    part("first-words").hidden = !this.isFirst;
    this.editor = await openEditor(part("editor"), {
      label: "Code of the bot",
      onChange: (text) => this.files && this.store.write(this.files.shown, text),
      onSave: () => this.versions?.save(),
      onRun: () => this.runner?.start(),
    });
    this.#connect(this.editor);
    store.recover();
    this.files?.refresh();
    if (location.hash === "#drawing") await this.#draw();
  }

  // Whoever chose to draw an army begins with one, and once.
  async #draw() {
    history.replaceState(null, "", location.pathname);
    await this.drawing?.show(true);
    if (!part("begin-drawing").hidden) await this.drawing?.startDrawing();
  }

  /** @param {CodeEditor} editor */
  #connect(editor) {
    const { store } = this;
    const { draft } = store;
    this.panels = new Panels();
    this.files = new Files(store, editor, () => this.#mark());
    this.problems = new Problems(store, { mark: () => this.#mark(), goTo: (finding) => this.#goTo(finding) });
    this.output = new Output({ goToTurn: (turn) => this.#goToTurn(turn), goToFault: (fault) => this.#goToFault(fault) });
    this.runner = new Runner(store, this.problems, this.output, {
      onStart: () => {
        part("first-words").hidden = true;
        showView("board");
      },
      onFail: () => showView("code"),
      onEnd: (run) => this.course?.judge(run),
    });
    this.versions = new Versions(store, () => this.runner?.loadOpponents());
    this.better = new Better(store);
    this.handIn = new HandIn(store, () => this.versions?.reload());
    this.help = new Help(draft.game, editor);
    if (document.getElementById("drawing-side")) this.drawing = new ArmyDrawing(store, this.files);
    this.course = new Course(store, editor, this.runner);
    this.#listen();
    this.runner.loadOpponents();
    this.runner.recall();
    this.help.load();
    this.course.load(this.panels);
    this.problems.check();
    if (this.workbench.why_not) this.#forbidRuns(this.workbench.why_not);
  }

  #listen() {
    on("draft-name", "change", () => this.#rename());
    on("all-drafts", "click", () => location.assign(`${SITE}/write?all`));
    on("first-words-close", "click", () => (part("first-words").hidden = true));
    on("keep-mine", "click", () => this.#decide(() => this.store.keepOwnText()));
    on("take-theirs", "click", () => this.#decide(() => this.store.takeOtherText()));
    this.#conflict.addEventListener("cancel", (event) => event.preventDefault()); // one of both is to be chosen
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || document.querySelector("dialog[open]")) return;
      if (event.key === "Enter") this.runner?.start();
      else if (event.key === "s") this.versions?.save();
      else return;
      event.preventDefault();
    });
  }

  /** @param {string} why */
  #forbidRuns(why) {
    for (const id of ["run", "versus"]) mark(part(id), "disabled", true);
    write(part("came"), why);
  }

  #rename() {
    const name = input("draft-name").value.trim();
    if (name) this.store.rename(name);
    else input("draft-name").value = this.store.draft.name;
  }

  #mark() {
    if (!this.problems || !this.files) return;
    const { checked, faults } = this.problems;
    const { shown } = this.files;
    this.editor?.mark([...checked, ...faults].filter(({ file, line }) => line && file === shown));
  }

  /** @param {{ file: string, line: number | null }} place */
  #goTo({ file, line }) {
    if (!this.files?.names.includes(file)) return;
    if (this.files.shown !== file) this.files.show(file);
    showView("code");
    if (line) this.editor?.goTo(line);
    else this.editor?.focus();
  }

  /** @param {number} turn */
  #goToTurn(turn) {
    showView("board");
    this.runner?.board.goTo(turn);
  }

  /** @param {Fault} fault */
  #goToFault(fault) {
    this.runner?.board.goTo(fault.turn);
    this.#goTo(fault);
  }

  /**
   * @param {SaveState} state
   * @param {string} [words]
   */
  #showState(state, words = "") {
    const isWorse = state === "refused" || state === "conflict";
    mark(part("save-state"), "data-state", state);
    write(part("save-state"), isWorse && words ? `${STATES[state]}: ${words}` : STATES[state]);
    clearTimeout(this.checking);
    if (state === "saved") this.checking = setTimeout(() => this.problems?.check(), CHECK_MS);
  }

  #showConflict() {
    const { otherDraft, draft } = this.store;
    if (!otherDraft) return;
    write(part("conflict-why"), "");
    part("conflict-changes").replaceChildren(...comparison(otherDraft.files, draft.files));
    this.#conflict.showModal();
  }

  /** @param {() => Promise<string>} decide */
  async #decide(decide) {
    const why = await decide();
    write(part("conflict-why"), why);
    if (why) return;
    this.#conflict.close();
    input("draft-name").value = this.store.draft.name;
    this.versions?.reload();
  }
}

/**
 * @param {string} words
 * @param {string} id  of the draft that could not be opened, "" for none
 */
function fail(words, id = "") {
  const failure = part("write-failure");
  failure.hidden = false;
  failure.replaceChildren(words);
  const kept = id && loadText(id);
  if (!kept) return;
  const text = kept.files.map(({ name, text }) => `# ---- ${name}\n${text}`).join("\n");
  failure.append(" This browser has kept what you typed: ", make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: `${kept.name}.py` }, "download it"), ".");
}

async function start() {
  loadEditor();
  /** @type {Answer<Workbench>} */
  const workbench = await send("GET", `${API}/drafts`);
  if (!workbench.isOk) {
    fail(workbench.error);
    return;
  }
  const id = part("workbench").dataset.draft ?? (/^\?all\b/.test(location.search) ? "" : workbench.drafts[0]?.id);
  if (!id) {
    showChooser(workbench, (draft) => {
      if (isDrawn(draft.game)) {
        location.assign(`${SITE}/write/${draft.id}${location.hash}`); // whose page has what draws
        return;
      }
      part("chooser").hidden = true;
      new Page(draft, workbench, true).open();
    });
    return;
  }
  /** @type {Answer<Draft>} */
  const draft = await send("GET", `${API}/drafts/${id}`);
  if (draft.isOk) new Page(draft, workbench, false).open();
  else fail(draft.error, id);
}

if (document.getElementById("workbench")) start();
