// The first visit: a game is chosen, and a bot of it opens that plays already.

import { make } from "../shared/elements.js";
import { part } from "../shared/parts.js";
import { send } from "../shared/requests.js";
import { SITE } from "../shared/site.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { Draft, DraftLine, Template, Workbench } from "./types.d.ts" */

/** @type {Record<string, { title: string, words: string, sprite: string }>} */
const GAMES = {
  slime_mind: { title: "Slime Mind", words: "A colony of slimes eats, grows, splits and bites. The best first game.", sprite: "slime_mind/slime_1.svg" },
  smack: { title: "Smack!", words: "A board game in two halves: bullies, victims and a nurse.", sprite: "" },
  smac: { title: "SMAC", words: "Spores evolve in a dish: bids, specials, and hidden orders.", sprite: "" },
  game_of_death: { title: "Game of Death", words: "Shapes of cells march to bring the enemy’s flag home.", sprite: "" },
};

/**
 * Show what there is to begin with.
 * @param {Workbench} workbench
 * @param {(draft: Draft) => void} onBegun
 */
export function showChooser({ drafts, templates }, onBegun) {
  const games = [...new Set(templates.map(({ game }) => game))];
  const names = new Set(drafts.map(({ name }) => name));
  part("chooser").hidden = false;
  part("templates").replaceChildren(...games.map((game) => gameCard(game, templates.filter((each) => each.game === game), names, onBegun)));
  part("own-drafts").hidden = !drafts.length;
  part("drafts").replaceChildren(...drafts.map(draftItem));
}

/**
 * Tell whether there is a course of a game.
 * @param {string} game
 */
export function hasCourse(game) {
  return (part("workbench").dataset.courses ?? "").split(" ").includes(game);
}

/**
 * Tell whether a bot of a game can be drawn: the army of one.
 * @param {string} game
 */
export function isDrawn(game) {
  return game === "game_of_death";
}

/** @param {string} game */
export function gameTitle(game) {
  return GAMES[game]?.title ?? game;
}

/**
 * @param {string} game
 * @param {Template[]} templates
 * @param {Set<string>} names  that are taken
 * @param {(draft: Draft) => void} onBegun
 */
function gameCard(game, templates, names, onBegun) {
  const why = make("p", { class: "bad", role: "alert" });
  const select = make("select", { "aria-label": `Begin with, ${gameTitle(game)}` }, ...templates.map(({ name, title }) => make("option", { value: name }, title)));
  const summary = make("p", { class: "quiet summary" }, templates[0].summary);
  select.addEventListener("change", () => (summary.textContent = templates.find(({ name }) => name === select.value)?.summary ?? ""));
  const button = make("button", { type: "button", class: "primary", "aria-label": `Write a bot for ${gameTitle(game)}`, click: () => start("") }, "Write a bot");
  const course = make("button", { type: "button", "aria-label": `Take the course of ${gameTitle(game)}`, click: () => start("#course") }, "Learn it step by step");
  const draw = make("button", { type: "button", click: () => start("#drawing") }, "Draw an army");
  /** @param {string} hash  what is shown first */
  async function start(hash) {
    button.disabled = course.disabled = draw.disabled = true;
    /** @type {Answer<Draft>} */
    const draft = await send("POST", `${SITE}/api/v1/drafts`, { game, template: select.value, name: freeName(`My ${gameTitle(game).replace(/[^\w ]/g, "")} bot`, names) });
    button.disabled = course.disabled = draw.disabled = false;
    why.textContent = draft.isOk ? "" : draft.error;
    if (!draft.isOk) return;
    location.hash = hash;
    onBegun(draft);
  }
  return make("li", { class: "card" },
    make("h3", {}, gameTitle(game)), make("p", {}, GAMES[game]?.words ?? ""),
    make("label", {}, make("span", { class: "quiet" }, "Begin with"), select), summary, button, ...(hasCourse(game) ? [course] : []), ...(isDrawn(game) ? [draw] : []), why);
}

/** @param {DraftLine} draft */
function draftItem({ id, name, game, changed_at: at }) {
  return make("li", {}, make("a", { href: `${SITE}/write/${id}` }, name), make("span", { class: "quiet" }, gameTitle(game)),
    make("time", { datetime: at, class: "relative" }, at));
}

/**
 * @param {string} name
 * @param {Set<string>} taken
 */
function freeName(name, taken) {
  let number = 1;
  while (taken.has(number > 1 ? `${name} ${number}` : name)) number++;
  return number > 1 ? `${name} ${number}` : name;
}
