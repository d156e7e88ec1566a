// What each cell shows of a draft and says: made from the scene and from what the server tells.

/** @import { Appearance, Fact } from "../viewer/types.d.ts" */
/** @import { Cell, DraftLine, Look, OrdersShown, PlacementShown, SignName, SignWithText } from "./types.d.ts" */

/**
 * What there is to show; `shows` and `lines` are those of the draft, if there is one.
 * @typedef {object} DishView
 * @property {OrdersShown | PlacementShown | null} shows
 * @property {DraftLine[]} lines
 * @property {string} aimedAt
 * @property {(thing: Appearance) => [name: string, value: Fact][]} listFacts
 * @property {(thing: Appearance) => string[]} listTerrain
 * @property {(words: string) => string} nameTeams
 */

const NO_FACT = "-";
/** @param {unknown[]} cell */
const at = ([x, y]) => `${x}, ${y}`;
/** @param {unknown[][]} cells */
const cellKeys = (cells = []) => new Set(cells.map(at));

/**
 * Return a look for each cell, by its name.
 * @param {Map<string, Appearance>} things  the cells of the scene
 * @param {DishView} view
 */
export function makeLooks(things, { shows, lines, aimedAt, listFacts, listTerrain, nameTeams }) {
  const heights = new Map((shows?.heights ?? []).map(([x, y, height]) => [at([x, y]), height]));
  const costs = new Map((shows?.costs ?? []).map(([x, y, cost]) => [at([x, y]), cost]));
  const centers = new Map((shows?.centers ?? []).map((cell, place) => [at(cell), place + 1]));
  const raised = cellKeys(lines.filter(([verb]) => verb === "place").map(([, x, y]) => [x, y]));
  const [grown, died] = [cellKeys(shows?.forecast?.grown), cellKeys(shows?.forecast?.died)];
  const [free, chosen] = [cellKeys(shows?.free_centers), around(shows?.centers ?? [])];

  /**
   * @param {string} name
   * @param {Appearance} thing
   * @returns {Look}
   */
  function makeLook(name, thing) {
    const { owner, stack } = Object.fromEntries(listFacts(thing));
    const words = [name, ...listTerrain(thing)];
    /** @type {(SignName | SignWithText)[]} */
    const signs = [];
    /** @type {(sign: SignName | SignWithText | "", ...says: string[]) => void} */
    const add = (sign, ...says) => {
      if (sign) signs.push(sign);
      words.push(...says);
    };
    if (stack !== NO_FACT) add("", nameTeams(owner === "nobody" ? String(stack) : `${owner}: ${stack}`));
    if (chosen.has(name)) add("chosen");
    if (centers.has(name)) add(["center", String(centers.get(name))], `your center ${centers.get(name)}`);
    else if (free.has(name)) add("can", "can be chosen as a center");
    if (raised.has(name)) add(["raised", String(heights.get(name))], `raised by your draft to ${heights.get(name)}`);
    if (costs.has(name)) add(heights.has(name) ? "higher" : "can", `costs ${costs.get(name)}, can be placed`);
    if (grown.has(name)) add("grows", "will grow");
    if (died.has(name)) add("dies", "will die");
    if (name === aimedAt) add("aimed", "target of your special");
    return { label: words.join("; "), signs };
  }

  return new Map([...things].map(([name, thing]) => [name, makeLook(name, thing)]));
}

/**
 * Return the cells of the clusters around these centers.
 * @param {Cell[]} centers
 */
function around(centers) {
  const steps = [-1, 0, 1];
  return cellKeys(centers.flatMap(([x, y]) => steps.flatMap((dx) => steps.map((dy) => [x + dx, y + dy]))));
}
