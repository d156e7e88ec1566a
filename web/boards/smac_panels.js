// What stands beside the dish: each panel is made once, and then shown with what is new.

import { button, byId, factRows, make, mark, write } from "../shared/elements.js";

/** @import { Draft } from "./smac_draft.js" */
/** @import { Cell, CharacteristicOption, DishShown, DraftLine, OrdersShown, PlacementShown, SpecialOption } from "./types.d.ts" */

/** @type {Record<string, string>} */
export const PLAIN_NAMES = { pinit: "Places first", cinit: "Strikes first" };

/** @param {string} word */
export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
/**
 * Return what a characteristic is called here; bots and the rules call some of them shorter.
 * @param {string} name
 */
const plainName = (name) => PLAIN_NAMES[name] ?? capital(name);
/**
 * Return points without superfluous digits: `2.8`.
 * @param {number} number
 */
const points = (number) => String(Math.round(number * 1000) / 1000);
/** @type {(number: number, noun: string) => string} */
const formatCount = (number, noun) => `${points(number)} ${noun}${number === 1 ? "" : "s"}`;

/**
 * Say why a button cannot be used, rather than letting it be dead.
 * @param {Element} element
 * @param {string | null} reason
 */
function disable(element, reason) {
  mark(element, "aria-disabled", reason ? "true" : null);
  mark(element, "title", reason || null);
}

/**
 * @param {string} kind
 * @param {string} title
 * @param {Node[]} children
 */
function section(kind, title, ...children) {
  const heading = make("h2", { id: `${kind}-title` }, title);
  return make("section", { class: `card ${kind}`, "aria-labelledby": heading.id }, heading, ...children);
}

/**
 * The turn, the bank, what is missing, and undo, start over, submit.
 * @param {Record<"undo" | "startOver" | "submit" | "help" | "stopAiming", () => unknown>} acts
 */
export function makeTurn({ undo, startOver, submit, help, stopAiming }) {
  const turn = make("h2", { class: "turn" }, "");
  const wait = make("p", { class: "quiet" }, "");
  const bank = make("strong", {}, "");
  const forecast = make("span", { class: "quiet" }, "");
  const funds = make("p", { class: "bank" }, bank, " ", forecast);
  const hint = make("p", { class: "hint", role: "status" }, "");
  const refused = make("p", { class: "refused", role: "alert" });
  const pointed = make("p", { class: "pointed quiet", "aria-hidden": true }, "");
  const parts = {
    undo: button("Undo", undo, { "aria-keyshortcuts": "U" }),
    startOver: button("Start over", startOver, { "aria-keyshortcuts": "R" }),
    submit: button("Submit", submit, { class: "primary", "aria-keyshortcuts": "S" }),
  };
  const actions = make("div", { class: "actions" }, parts.undo, parts.startOver, parts.submit);
  const list = make("ol", {});
  const summary = make("summary", {}, "");
  const lines = make("details", { class: "lines" }, summary, list);
  const skipped = make("p", { class: "skipped" }, "");
  const toHelp = button("How to play", help);
  const toStop = button("Stop aiming", stopAiming, { "aria-keyshortcuts": "Escape" });
  const head = make("div", { class: "head" }, make("div", { class: "words" }, turn, wait), toHelp, toStop);
  const element = make("section", { class: "card draft", "aria-label": "Turn" }, head, funds, hint, refused, pointed, actions, lines, skipped);
  return {
    element,
    refused,
    /** @param {string} words */
    point: (words) => write(pointed, words),
    /**
     * `skips` are orders of the last turn that were not carried out; `lost` is why there were none.
     * @param {Pick<DishShown, "skips" | "lost"> & { turnWords: string, waitWords: string, draft: Draft, isAiming: boolean }} shown
     */
    show({ turnWords, waitWords, draft, skips, lost, isAiming }) {
      const { shows, isSealed, canUndo, ask } = draft;
      write(turn, turnWords);
      write(wait, waitWords);
      [toHelp.hidden, toStop.hidden] = [isAiming, !isAiming];
      funds.hidden = !shows;
      if (shows) write(bank, `${formatCount(shows.bank, "point")} left`);
      write(forecast, shows?.forecast ? formatForecast(shows.forecast) : "");
      write(hint, (!isSealed && shows?.hint?.words) || "");
      actions.hidden = !ask;
      const sealed = isSealed ? "your orders are sealed" : "";
      disable(parts.undo, sealed || (canUndo ? "" : "nothing to undo"));
      disable(parts.startOver, sealed || (canUndo ? "" : "nothing drafted"));
      write(parts.submit, isSealed ? "Take back" : "Submit");
      mark(parts.submit, "class", isSealed ? "" : "primary");
      const written = ask ? draft.lines : [];
      lines.hidden = !written.length;
      write(summary, `Your draft: ${formatCount(written.length, "line")}`);
      list.replaceChildren(...written.map((line) => make("li", {}, describeLine(line))));
      const reasons = skips.map(([order, reason]) => `${order}: ${reason}`);
      if (lost) write(skipped, `You gave no orders in the last turn: ${lost}.`);
      else write(skipped, reasons.length ? `Not carried out in the last turn: ${reasons.join("; ")}.` : "");
    },
  };
}

/** @param {OrdersShown["forecast"]} forecast */
function formatForecast({ grown, died, production }) {
  const parts = [`will produce ${points(production)}`];
  if (grown.length) parts.push(`${grown.length} grow${grown.length === 1 ? "s" : ""}`);
  if (died.length) parts.push(`${died.length} die${died.length === 1 ? "s" : ""}`);
  return parts.join(" · ");
}

/** @param {DraftLine} line */
function describeLine([verb, ...rest]) {
  const plain = rest.map((part) => (Array.isArray(part) ? `at ${part.join(", ")}` : part));
  if (verb === "place" || verb === "center") return `${verb} at ${plain.join(", ")}`;
  if (verb === "evolve_level") return `evolve ${plain[0]} by a level`;
  if (verb === "use" && typeof rest[1] === "number") return `use ${rest[0]} on team ${rest[1]}`;
  return [verb, ...plain].join(" ");
}

/**
 * The seven characteristics; `evolve(name)` puts in a point, `evolveLevel(name)` a level.
 * @param {Record<string, string>} words
 * @param {Record<"evolve" | "evolveLevel", (name: string) => unknown>} acts
 */
export function makeEvolving(words, { evolve, evolveLevel }) {
  const element = section("evolving", "Evolve");
  const rows = Object.keys(words).map((name, number) => {
    const level = make("strong", { class: "level" }, "");
    const point = button("+1", () => evolve(name), { "aria-keyshortcuts": number + 1 });
    const whole = button("", () => evolveLevel(name), { class: "whole" });
    const label = make("span", { class: "name", title: `${name}: ${words[name]}` }, plainName(name));
    const row = make("div", { class: "characteristic" }, label, level, point, whole);
    element.append(row);
    return { name, row, level, point, whole };
  });
  return {
    element,
    /**
     * `urged` are those that a hint names.
     * @param {Record<string, CharacteristicOption> | undefined} options
     * @param {boolean} isSealed
     * @param {string[]} urged
     */
    show(options, isSealed, urged) {
      element.hidden = !options;
      if (!options) return;
      for (const { name, row, level, point, whole } of rows) {
        const option = options[name];
        const title = plainName(name);
        write(level, String(option.level));
        const limit = option.is_at_limit ? "this turn's limit" : `${option.to_next_level} to next`;
        write(whole, option.is_at_limit ? "limit" : `level ${option.level + 1}: ${option.to_next_level}`);
        row.classList.toggle("limit", option.is_at_limit);
        row.classList.toggle("urged", !isSealed && urged.includes(name));
        const sealed = isSealed ? "your orders are sealed" : "";
        disable(point, sealed || option.why_not);
        disable(whole, sealed || option.why_not_level);
        mark(point, "aria-label", `${title}, level ${option.level}, ${limit}: put in a point`);
        const costs = option.is_at_limit ? "" : ` for ${option.to_next_level}`;
        mark(whole, "aria-label", `${title}: raise a level${costs}`);
      }
    },
  };
}

/**
 * The specials; `select(name)` and `use(name)`. While there is nothing to choose, only why.
 * @param {Record<string, string>} words
 * @param {Record<"select" | "use", (name: string) => unknown>} acts
 */
export function makeSpecials(words, { select, use }) {
  const targets = make("div", { class: "targets buttons" });
  const hint = make("p", { class: "quiet" }, "");
  const element = section("specials", "Specials");
  const rows = Object.keys(words).map((name) => {
    const act = button("", () => (row.isArmed ? use(name) : select(name)));
    const node = make("div", { class: "special" }, act, make("span", { class: "words" }, words[name]));
    const row = { name, act, node, isArmed: false };
    element.append(node);
    return row;
  });
  element.append(hint, targets);
  return {
    element,
    targets,
    /**
     * @param {Record<string, SpecialOption> | undefined} options
     * @param {{ isSealed: boolean, aim: string | null, using?: DraftLine[1], selecting?: DraftLine[1] }} chosen
     */
    show(options, { isSealed, aim, using, selecting }) {
      element.hidden = !options;
      if (!options) return;
      for (const row of rows) {
        const option = options[row.name];
        row.isArmed = option.is_armed;
        const isTaken = using === row.name || (!option.is_armed && selecting === row.name);
        const reason = option.is_used
          ? "it was used already"
          : option.is_armed
            ? option.why_not_use
            : option.why_not_select;
        const verb = aim === row.name ? "aim" : specialVerb(option);
        write(row.act, `${isTaken ? "✓ " : ""}${capital(row.name.toLowerCase())}: ${verb}`);
        disable(row.act, isSealed ? "your orders are sealed" : reason);
        mark(row.act, "aria-pressed", String(isTaken || option.is_selected || aim === row.name));
        row.node.classList.toggle("used", option.is_used);
        row.node.classList.toggle("armed", option.is_armed);
      }
      const all = rows.map(({ name }) => options[name]);
      const isIdle = all.every((option) => option.why_not_select && !option.is_armed && !option.is_selected);
      for (const row of rows) row.node.hidden = isIdle;
      write(hint, isIdle && all[0]?.why_not_select ? `${capital(all[0].why_not_select)}.` : "");
    },
  };
}

/** @param {SpecialOption} option */
function specialVerb(option) {
  if (option.is_used) return "used";
  if (option.is_armed) return "use";
  return option.is_selected ? "selected" : "select";
}

/**
 * The bid and the ordered list of centers of a placement round.
 * @param {Record<"bid" | "remove" | "sooner", (number: number) => unknown>} acts
 */
export function makePlacement({ bid, remove, sooner }) {
  const amount = make("output", { "aria-label": "Points bid" }, "0");
  let now = 0;
  const less = button("−", () => bid(now - 1), { "aria-label": "Bid a point less" });
  const more = button("+", () => bid(now + 1), { "aria-label": "Bid a point more" });
  const init = make("div", { class: "init" }, make("span", {}, "Bid"), less, amount, more);
  const why = "The highest bid (init) chooses first. What you bid is gone, whoever is first.";
  const list = make("ol", { class: "centers" });
  const empty = make("p", { class: "quiet" }, "");
  const element = section("placement", "Placement", make("h3", {}, "Centers"), empty, list, init, make("p", { class: "quiet" }, why));
  return {
    element,
    /**
     * @param {PlacementShown | null} shows
     * @param {boolean} isSealed
     */
    show(shows, isSealed) {
      element.hidden = !shows;
      if (!shows) return;
      now = shows.bid;
      write(amount, String(now));
      for (const each of [less, more]) disable(each, isSealed ? "your bid is sealed" : "");
      write(
        empty,
        shows.centers.length
          ? "Tried in this order; the first that is free is yours."
          : "Choose cells with a dot on the dish. Without one, your center is drawn at random.",
      );
      list.replaceChildren(...shows.centers.map((cell, place) => center(cell, place, isSealed)));
    },
  };

  /**
   * @param {Cell} cell
   * @param {number} place
   * @param {boolean} isSealed
   */
  function center([x, y], place, isSealed) {
    const name = `${x}, ${y}`;
    const off = button("×", () => remove(place), { "aria-label": `Remove center ${name}` });
    const up = button("↑", () => sooner(place), { "aria-label": `Try center ${name} sooner` });
    return make("li", {}, make("span", {}, name), ...(isSealed ? [] : place ? [up, off] : [off]));
  }
}

const KEYS = [
  ["arrow keys", "from cell to cell; Page up and down: five rows; Home, End: ends of a row"],
  ["Enter, Space", "place there; in placement rounds choose or drop a center"],
  ["I", "what is known of the cell, and what happened there"],
  ["1 … 7", "put a point into a characteristic; with Shift: a level"],
  ["U, R, S", "undo, start over, submit or take back"],
  ["Escape", "stop aiming a special"],
];

/**
 * Put into the viewer's help what the signs mean, what can be chosen, and the keys.
 * @param {Pick<DishShown, "characteristic_words" | "special_words">} board
 */
export function fillHelp({ characteristic_words, special_words }) {
  /** @param {Record<string, string>} words */
  const rows = (words) =>
    make("dl", {}, ...factRows(Object.entries(words).map(([name, says]) => [PLAIN_NAMES[name] ? `${PLAIN_NAMES[name]} (${name})` : name, says])));
  byId("keys").previousElementSibling?.before( // the heading of the viewer's keys
    make(
      "div",
      { class: "about-smac" },
      make("h3", {}, "Ordering"),
      make("p", {}, "Click a cell with a dot to place a stack there, one with a triangle to raise yours; points that you " +
        "do not spend are kept. Right click a cell, or press it long, for all there is to know of it. Two fingers, or the wheel, come closer."),
      make("p", {}, "A dashed ring: raised by your draft. A ring with +: will grow. A cross: will die. " +
        "A red border: something happened there in the last turn."),
      make("h3", {}, "Characteristics"),
      rows(characteristic_words),
      make("h3", {}, "Specials"),
      rows(special_words),
      make("h3", {}, "Keys, while a cell of the dish has the focus"),
      rows(Object.fromEntries(KEYS)),
    ),
  );
}
