// What each cell looks like, and what is said of it: made from what the server tells.

/** The kinds of happenings, as the dish lights them up. */
const LIGHTS = {
  settled: "came",
  placed: "came",
  grew: "grew",
  fought: "fought",
  died: "lost",
  cleared: "lost",
  reduced: "less",
  special: "special",
};

const at = (x, y) => `${x}, ${y}`;
const keyed = (triples) => new Map(triples.map(([x, y, value]) => [at(x, y), value]));
const placed = (cells) => new Map(cells.map((cell) => [at(cell[0], cell[1]), cell]));

/** Return points without superfluous digits: `2.8`. */
export const points = (number) => String(Math.round(number * 1000) / 1000);

/** Return who stands behind each `team 2` of a sentence. */
export function naming(seats) {
  const names = new Map(seats.map((seat) => [String(seat.team), seat.name]));
  return (words) => words.replace(/\bteam (\d+)\b/g, (all, team) => names.get(team) ?? all);
}

/** Return the cells of a board as they were after some stages of its news: by place. */
export function cellsAfter(news, stages) {
  const cells = placed(news.before);
  for (const stage of news.stages.slice(0, stages)) {
    for (const change of stage.changes) cells.set(at(change[0], change[1]), change);
  }
  return cells;
}

/** Return which light each cell of a stage has: by place. */
export function lightsOf(stage) {
  const lights = new Map();
  for (const { kind, reports } of stage.happenings) {
    for (const [x, y] of reports) if (LIGHTS[kind]) lights.set(at(x, y), LIGHTS[kind]);
  }
  return lights;
}

/**
 * Return a look per cell, row by row.
 *
 * `view`: `me` (a team or null), `shows` (of the draft, or null), `aimedAt` (the target of a
 * special), `stage` (how many stages of the news are shown, or null), `nameOf`.
 */
export function looksOf(board, view) {
  const facts = gather(board, view);
  const looks = [];
  for (let y = 0; y < board.side; y++) {
    for (let x = 0; x < board.side; x++) looks.push(lookOf(x, y, facts, view));
  }
  return looks;
}

function gather(board, { shows, stage, me }) {
  const isReplay = stage !== null;
  const cells = isReplay ? cellsAfter(board.news, stage) : placed(board.cells);
  const lights = isReplay && stage > 0 ? lightsOf(board.news.stages[stage - 1]) : new Map();
  const draft = isReplay ? null : shows;
  const all = (list = []) => new Set(list.map(([x, y]) => at(x, y)));
  return {
    board,
    cells,
    lights,
    isReplay,
    me,
    terrain: keyed(board.terrain),
    unusual: isReplay ? new Set() : all(board.unusual),
    heights: keyed(draft?.heights ?? []),
    costs: keyed(draft?.costs ?? []),
    grown: all(draft?.forecast?.grown),
    died: all(draft?.forecast?.died),
    free: all(draft?.free_centers),
    centers: new Map((draft?.centers ?? []).map(([x, y], place) => [at(x, y), place + 1])),
    chosen: around(draft?.centers ?? []),
  };
}

/** Return the cells of the clusters around these centers. */
function around(centers) {
  const cells = new Set();
  for (const [x, y] of centers) {
    for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) cells.add(at(x + dx, y + dy));
  }
  return cells;
}

function lookOf(x, y, facts, view) {
  const place = at(x, y);
  const { me } = facts;
  const cell = facts.cells.get(place);
  const before = heightsIn(cell);
  const raised = facts.heights.get(place) ?? 0;
  const isRaised = me !== null && raised > (before.get(me) ?? 0);
  const heights = isRaised ? new Map([...before, [me, raised]]) : before;
  const owner = cell?.[2] || 0;
  const look = {
    terrain: facts.terrain.get(place) ?? [],
    owner,
    stacks: [...heights].sort(([one], [other]) => one - other),
    isNew: Boolean(cell?.[4]),
    isUnusual: facts.unusual.has(place),
    isRaised,
    grows: facts.grown.has(place) ? me : 0,
    dies: facts.died.has(place),
    dot: isChoice(place, facts, before) ? me : 0,
    number: facts.centers.get(place) ?? 0,
    chosenBy: facts.chosen.has(place) ? me : 0,
    lit: facts.lights.get(place) ?? "",
    isAimed: view.aimedAt === place && view.stage === null,
  };
  return { ...look, label: labelOf(place, look, facts, view) };
}

function heightsIn(cell) {
  const heights = new Map();
  cell?.[3].forEach((height, place) => {
    if (height) heights.set(place + 1, height);
  });
  return heights;
}

/** Return whether a mark shows that the cell can be chosen: own stacks go without. */
function isChoice(place, { costs, free, me }, heights) {
  return free.has(place) || (costs.has(place) && !heights.has(me));
}

function labelOf(place, look, facts, { nameOf }) {
  const words = [place];
  if (look.terrain.length) words.push(look.terrain.join(" "));
  for (const [team, height] of look.stacks) words.push(`${nameOf(team)}: ${height}`);
  if (look.isRaised) words.push("raised by your draft");
  if (look.number) words.push(`your center ${look.number}`);
  if (look.isAimed) words.push("target of your special");
  if (look.grows) words.push("will grow");
  if (look.dies) words.push("will die");
  const cost = facts.costs.get(place);
  if (cost) words.push(`costs ${cost}`);
  if (facts.free.has(place) && !look.number) words.push("free for a center");
  if (look.isUnusual) words.push("see what happened: key I");
  return words.join("; ");
}

/** Return what there is to say of a cell on a right click: pairs of name and words. */
export function factsOf(board, x, y, { nameOf, named, shows }) {
  const place = at(x, y);
  const terrain = keyed(board.terrain).get(place);
  const cell = placed(board.cells).get(place);
  const cost = keyed(shows?.costs ?? []).get(place);
  const pairs = [["terrain", terrain ? terrain.join(", ") : "plain"]];
  if (!cell) pairs.push(["owner", "nobody"]);
  else {
    const [, , owner, , , effective, production, defense] = cell;
    pairs.push(["owner", owner ? nameOf(owner) : "nobody yet"]);
    for (const [team, height] of heightsIn(cell)) {
      pairs.push([team === owner ? "height" : `height of ${nameOf(team)}`, height]);
    }
    if (owner) pairs.push(["effective height", effective]);
    pairs.push(["production", points(production)], ["defense", defense]);
  }
  if (cost) pairs.push(["placing costs", points(cost)]);
  const reports = board.reports.find((report) => report[0] === x && report[1] === y);
  return { pairs, reports: (reports?.[2] ?? []).map(named) };
}
