// How a type behaves: one of the behaviors, with its numbers, or methods that are written.

import { make, mark, write } from "../shared/elements.js";
import { choice, fill, input, on, part } from "../shared/parts.js";

/** @import { Store } from "./store.js" */
/** @import { Behavior } from "./types.d.ts" */

const WRITTEN = "written";

export class BehaviorPanel {
  isCodeShown = false;

  /**
   * @param {Store} store
   * @param {Behavior[]} behaviors
   */
  constructor(store, behaviors) {
    this.store = store;
    this.behaviors = behaviors;
    choice("behavior").append(
      ...behaviors.map(({ name }) => make("option", { value: name }, name)),
      make("option", { value: WRITTEN }, "written by you"),
    );
    on("behavior", "change", () => this.choose(choice("behavior").value));
    on("show-code", "click", () => {
      this.isCodeShown = !this.isCodeShown;
      this.show();
    });
    on("change-code", "click", () => this.choose(WRITTEN));
    on("code", "input", () => store.changeType("code", (drawn) => (drawn.code = input("code").value)));
  }

  /** @param {string} behavior */
  choose(behavior) {
    const given = this.behaviors.find(({ name }) => name === this.store.drawn.behavior);
    this.store.changeType("behavior", (drawn) => {
      if (behavior === WRITTEN && !drawn.code.trim()) drawn.code = given?.code ?? "";
      drawn.behavior = behavior;
      drawn.numbers = {};
    });
    if (behavior === WRITTEN) input("code").focus();
  }

  show() {
    const { drawn } = this.store;
    const given = this.behaviors.find(({ name }) => name === drawn.behavior);
    choice("behavior").value = drawn.behavior;
    write(part("behavior-words"), given?.words ?? "What you write below is what it does.");
    write(part("behavior-type"), drawn.name);
    part("given").hidden = !given;
    part("written").hidden = Boolean(given);
    part("show-code").hidden = !given;
    part("code-card").hidden = Boolean(given) && !this.isCodeShown;
    mark(part("show-code"), "aria-expanded", this.isCodeShown ? "true" : "false");
    write(part("show-code"), this.isCodeShown ? "Hide its code" : "Show its code");
    if (given) write(part("given-code"), given.code);
    fill(input("code"), drawn.code);
    const numbers = given?.numbers ?? [];
    const kind = `${this.store.type} ${drawn.behavior}`;
    if (part("numbers").dataset.kind !== kind) {
      part("numbers").dataset.kind = kind;
      part("numbers").replaceChildren(
        ...numbers.map(({ name, words, usual, least, most }) =>
          make(
            "label",
            {},
            words[0].toUpperCase() + words.slice(1),
            make("input", {
              type: "number", min: least, max: most, "data-name": name,
              input: (event) => this.#number(name, usual, /** @type {HTMLInputElement} */ (event.target).value),
            }),
          ),
        ),
      );
    }
    for (const field of part("numbers").querySelectorAll("input")) {
      const usual = numbers.find(({ name }) => name === field.dataset.name)?.usual;
      fill(field, String(drawn.numbers[field.dataset.name ?? ""] ?? usual ?? ""));
    }
  }

  /** @param {string} name @param {number} usual @param {string} typed */
  #number(name, usual, typed) {
    const value = Math.trunc(Number(typed));
    this.store.changeType(`number ${name}`, (drawn) => {
      if (typed === "" || value === usual || !Number.isSafeInteger(value)) delete drawn.numbers[name];
      else drawn.numbers[name] = value;
    });
  }
}
