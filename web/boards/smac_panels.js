// What stands beside the dish: each panel is made once, and then shown with what is new.

import { draw, make, mark, write } from "../shared/elements.js";
import { makeSwatch } from "./smac_dish.js";
import { points } from "./smac_looks.js";

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const counted = (number, noun) => `${points(number)} ${noun}${number === 1 ? "" : "s"}`;

/** A button that says why it cannot be used, rather than being dead; `key` is its shortcut. */
export function button(words, act, attributes = {}) {
  return make("button", { type: "button", click: act, ...attributes }, words);
}

function disable(element, reason) {
  mark(element, "aria-disabled", reason ? "true" : null);
  mark(element, "title", reason || null);
}

function section(kind, title, ...children) {
  const heading = make("h2", { id: `${kind}-title` }, title);
  const attributes = { class: `card ${kind}`, "aria-labelledby": heading.id };
  const element = make("section", attributes, heading, ...children);
  return { element, heading };
}

/** Undo, start over, submit. */
export function makeActions({ undo, reload, submit }) {
  const parts = {
    undo: button("Undo", undo),
    reload: button("Start over", reload),
    submit: button("Submit", submit, { class: "primary" }),
  };
  const element = make("div", { class: "actions" }, parts.undo, parts.reload, parts.submit);
  return {
    element,
    show({ isSealed, canUndo, isAsked, waitingFor }) {
      element.hidden = !isAsked;
      disable(parts.undo, isSealed ? "your orders are sealed" : canUndo ? "" : "nothing to undo");
      disable(parts.reload, isSealed ? "your orders are sealed" : canUndo ? "" : "nothing drafted");
      write(parts.submit, isSealed ? "Take back" : "Submit");
      mark(parts.submit, "class", isSealed ? "" : "primary");
      mark(parts.submit, "title", isSealed ? `waiting for ${waitingFor}` : null);
    },
  };
}

/** The bank, and what the draft leads to. */
export function makeBank() {
  const bank = make("strong", {}, "");
  const forecast = make("span", { class: "quiet" }, "");
  const element = make("p", { class: "bank" }, bank, " ", forecast);
  return {
    element,
    show(shows) {
      element.hidden = !shows;
      if (!shows) return;
      write(bank, `${points(shows.bank)} points left`);
      const { grown = [], died = [], production } = shows.forecast ?? {};
      const parts = [`will produce ${points(production ?? 0)}`];
      if (grown.length) parts.push(`${grown.length} grow`);
      if (died.length) parts.push(`${died.length} die`);
      write(forecast, shows.forecast ? parts.join(" · ") : "");
    },
  };
}

/** The seven characteristics; `evolve(name)` puts in a point, `evolveLevel(name)` a level. */
export function makeEvolving(words, { evolve, evolveLevel }) {
  const { element } = section("evolving", "Evolve");
  const rows = Object.keys(words).map((name, number) => {
    const level = make("strong", { class: "level" }, "");
    const point = button("+1", () => evolve(name), { "aria-keyshortcuts": number + 1 });
    const whole = button("", () => evolveLevel(name), { class: "whole" });
    const label = make("span", { class: "name", title: words[name] }, capital(name));
    const row = make("div", { class: "characteristic" }, label, level, point, whole);
    element.append(row);
    return { name, row, level, point, whole };
  });
  return {
    element,
    show(options, isSealed) {
      element.hidden = !options;
      for (const { name, row, level, point, whole } of options ? rows : []) {
        const option = options[name];
        const title = capital(name);
        write(level, String(option.level));
        const limit = option.is_at_limit ? "this turn's limit" : `${option.to_next_level} to next`;
        write(whole, option.is_at_limit ? "limit" : `level ${option.level + 1}: ${option.to_next_level}`);
        row.classList.toggle("limit", option.is_at_limit);
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

/** The specials; `select(name)`, `use(name, kind of target)`. */
export function makeSpecials(words, { select, use }) {
  const { element } = section("specials", "Specials");
  const hint = make("p", { class: "quiet hint" }, "");
  const rows = Object.keys(words).map((name) => {
    const act = button("", () => (rows[name].isArmed ? use(name) : select(name)));
    const text = make("span", { class: "words" }, words[name]);
    const row = make("div", { class: "special" }, act, text);
    element.append(row);
    return { name, act, row };
  });
  for (const row of rows) rows[row.name] = row;
  element.append(hint);
  return {
    element,
    show(options, { isSealed, aim, using, selecting }) {
      element.hidden = !options;
      for (const row of options ? rows : []) {
        const option = options[row.name];
        row.isArmed = option.is_armed;
        const isTaken = using === row.name || (!option.is_armed && selecting === row.name);
        const reason = option.is_used
          ? "it was used already"
          : option.is_armed
            ? option.why_not_use
            : option.why_not_select;
        const verb = aim === row.name ? "aim" : verbOf(option);
        write(row.act, `${isTaken ? "✓ " : ""}${capital(row.name.toLowerCase())}: ${verb}`);
        disable(row.act, isSealed ? "your orders are sealed" : reason);
        mark(row.act, "aria-pressed", String(isTaken || option.is_selected || aim === row.name));
        row.row.classList.toggle("used", option.is_used);
        row.row.classList.toggle("armed", option.is_armed);
      }
      const first = options && rows.every(({ name }) => options[name].why_not_select);
      const why = first ? options[rows[0].name].why_not_select : "";
      write(hint, why && !rows.some(({ name }) => options[name].is_armed) ? `${capital(why)}.` : "");
    },
  };
}

function verbOf(option) {
  if (option.is_used) return "used";
  if (option.is_armed) return "use";
  return option.is_selected ? "selected" : "select";
}

/** The bid and the ordered list of centers of a placement round. */
export function makePlacement({ bid, remove, sooner }) {
  const { element } = section("placement", "Placement");
  const amount = make("output", { "aria-label": "Init: points bid" }, "0");
  let now = 0;
  const less = button("−", () => bid(now - 1), { "aria-label": "Bid a point less" });
  const more = button("+", () => bid(now + 1), { "aria-label": "Bid a point more" });
  const init = make("div", { class: "init" }, make("span", {}, "Init"), less, amount, more);
  const why = "Points bid for an early choice; they are gone in any case.";
  const list = make("ol", { class: "centers" });
  const empty = make("p", { class: "quiet" }, "");
  element.append(init, make("p", { class: "quiet" }, why), make("h3", {}, "Centers"), empty, list);
  return {
    element,
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
          : "Choose cells on the dish. Without one, your center is drawn at random.",
      );
      list.replaceChildren(...shows.centers.map((cell, place) => center(cell, place, isSealed)));
    },
  };

  function center([x, y], place, isSealed) {
    const name = `${x}, ${y}`;
    const off = button("×", () => remove(place), { "aria-label": `Remove center ${name}` });
    const up = button("↑", () => sooner(place), { "aria-label": `Try center ${name} sooner` });
    return make("li", {}, make("span", {}, name), ...(isSealed ? [] : place ? [up, off] : [off]));
  }
}

/** The draft's lines in words. */
export function makeLines() {
  const list = make("ol", {});
  const summary = make("summary", {}, "");
  const element = make("details", { class: "lines" }, summary, list);
  return {
    element,
    show(lines) {
      element.hidden = !lines.length;
      write(summary, `Your draft: ${counted(lines.length, "line")}`);
      list.replaceChildren(...lines.map((line) => make("li", {}, wordsOf(line))));
    },
  };
}

function wordsOf([verb, ...rest]) {
  const plain = rest.map((part) => (Array.isArray(part) ? `at ${part.join(", ")}` : part));
  if (verb === "place" || verb === "center") return `${verb} at ${plain.join(", ")}`;
  if (verb === "evolve_level") return `evolve ${plain[0]} by a level`;
  if (verb === "use" && typeof rest[1] === "number") return `use ${rest[0]} on team ${rest[1]}`;
  return [verb, ...plain].join(" ");
}

/** Who plays, who has sealed, who is how far; a click on a score shows that player's levels. */
export function makePlayers() {
  const { element } = section("players", "Players");
  const shares = draw("svg", { class: "shares", viewBox: "0 0 100 8", preserveAspectRatio: "none" });
  const wins = make("p", { class: "quiet" }, "");
  element.append(shares, wins);
  const rows = new Map();

  function rowOf(team) {
    if (!rows.has(team)) rows.set(team, makeRow(team));
    return rows.get(team);
  }

  function makeRow(team) {
    const name = make("span", { class: "name" }, "");
    const state = make("span", { class: "state" }, "");
    const score = make("span", { class: "score" }, "");
    const levels = make("dl", { class: "levels" });
    const summary = make("summary", {}, makeSwatch(team), make("span", { class: "who" }, name, state), score);
    const row = make("details", { class: "player" }, summary, levels);
    element.append(row);
    return { name, state, score, levels };
  }

  return {
    element,
    show(position) {
      const { board, seats, asks } = position;
      mark(shares, "role", "img");
      mark(shares, "aria-label", board.teams.map((team) => `${team.share_pct} %`).join(", "));
      shares.replaceChildren(...bars(board));
      write(wins, threshold(board));
      for (const seat of seats) {
        const team = board.teams[seat.team - 1];
        const row = rowOf(seat.team);
        write(row.name, seat.is_yours && seat.name !== "You" ? `${seat.name} (you)` : seat.name);
        const ask = asks.find((each) => each.team === seat.team);
        write(row.state, stateOf(team, ask));
        row.state.classList.toggle("sealed", Boolean(ask?.is_answered));
        write(row.score, `${points(team.production)} · ${Math.round(team.share_pct)} %`);
        mark(row.score, "title", "production per turn, and its part of all production");
        row.levels.replaceChildren(...levelsOf(team));
      }
    },
  };
}

function stateOf(team, ask) {
  if (team.out_in !== null) return `out in turn ${team.out_in}`;
  if (!ask) return "";
  return ask.is_answered ? "✓ sealed" : "thinking …";
}

function threshold(board) {
  if (board.ending) return `The match is over: ${board.ending}.`;
  const last = `turn ${board.last_turn} is the last`;
  return board.threshold_pct === null
    ? `From turn ${board.victory_from_turn} on, enough of all production wins; ${last}.`
    : `${board.threshold_pct} % of all production wins this turn; ${last}.`;
}

function bars(board) {
  let from = 0;
  const parts = board.teams.map(({ team, share_pct: share }) => {
    const bar = { class: `team-${team}`, x: from, y: 0, width: Math.max(0, share - 0.4), height: 8 };
    from += share;
    return draw("rect", bar);
  });
  if (board.threshold_pct !== null) {
    const goal = { class: "goal", x: board.threshold_pct - 0.3, y: 0, width: 0.6, height: 8 };
    parts.push(draw("rect", goal));
  }
  return [draw("rect", { class: "none", x: 0, y: 0, width: 100, height: 8 }), ...parts];
}

function levelsOf(team) {
  const facts = [
    ...Object.entries(team.levels),
    ["cells", team.cells],
    ["highest", team.highest],
    ["specials used", team.used.join(", ").toLowerCase() || "none"],
  ];
  return facts.map(([name, value]) => {
    const kind = name === "specials used" ? "wide" : "";
    return make("div", { class: kind }, make("dt", {}, name), make("dd", {}, value));
  });
}

/** What is known of a cell; `close()` is called when it is closed. */
export function makeCellCard({ close }) {
  const title = make("h2", { tabindex: -1 }, "");
  const off = button("×", close, { class: "close", "aria-label": "Close" });
  const list = make("dl", {});
  const reports = make("ul", {});
  const subtitle = make("h3", {}, "Last turn");
  const element = make(
    "section",
    { class: "card cell-card", "aria-label": "Cell", hidden: true },
    make("header", {}, title, off),
    list,
    subtitle,
    reports,
  );
  return {
    element,
    hide() {
      element.hidden = true;
    },
    show(x, y, facts) {
      element.hidden = false;
      write(title, `Cell ${x}, ${y}`);
      list.replaceChildren(
        ...facts.pairs.map(([name, value]) =>
          make("div", {}, make("dt", {}, name), make("dd", {}, value)),
        ),
      );
      subtitle.hidden = reports.hidden = !facts.reports.length;
      reports.replaceChildren(...facts.reports.map((words) => make("li", {}, words)));
    },
  };
}

const KEYS = [
  ["Tab", "to the dish, the buttons, the news"],
  ["arrow keys", "from cell to cell; Page up and down: five rows; Home, End: ends of a row"],
  ["Enter, Space", "place there (placement rounds: choose or drop a center)"],
  ["I", "what is known of the cell, and what happened there"],
  ["1 … 7", "put a point into a characteristic; with Shift: a level"],
  ["U", "undo"],
  ["R", "start over"],
  ["S", "submit, or take back"],
  ["N", "replay the news, stage by stage"],
  ["M", "sound on or off"],
  ["Escape", "close, stop aiming, stop the replay"],
];

const SIGNS = [
  ["top left", "▲ HILL: hard to grow into, +2 defense", "▼ DIP: easy to grow into, −2 defense"],
  ["top right", "■ BASE: counts one higher", "○ ACID: counts one lower"],
  ["bottom left", "◆ SUGAR: 1 point more", "✕ BARE: 1 point less"],
];

/** A dialog with the keys, the signs on the dish, and what the characteristics are for. */
export function makeHelp(characteristics) {
  const row = ([name, ...words]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, words.join("; ")));
  const dialog = make(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    make("h2", { id: "help-title" }, "Keys, clicks and signs"),
    make("p", {}, "Click a cell to place; right click or press long for all there is to know."),
    make("h3", {}, "Keys, while a cell of the dish has the focus"),
    make("dl", {}, ...KEYS.map(row)),
    make("h3", {}, "Signs in the corners of a cell"),
    make("dl", {}, ...SIGNS.map(row)),
    make(
      "p",
      {},
      "A stack without a shadow is new. A dashed ring: raised by your draft. A ring with +: will " +
        "grow. A cross: will die. A dot: you can place there. A red frame: something happened there.",
    ),
    make("h3", {}, "Characteristics"),
    make("dl", {}, ...Object.entries(characteristics).map(row)),
    make("form", { method: "dialog", class: "buttons" }, make("button", {}, "Close")),
  );
  return dialog;
}
