// How SMAC is played on the board: a draft made of clicks, which the server judges.

import { SEAT_ACTS, deliverAct, lateReason, failureReason } from "./deliveries.js";
import { button, byId, make } from "../shared/elements.js";
import { GameBoard, present } from "./game_board.js";
import { askToConfirm, refuse, say } from "./page.js";
import { playOn } from "./play.js";
import { Draft } from "./smac_draft.js";
import { makeLooks } from "./smac_looks.js";
import { PLAIN_NAMES, capital, fillHelp, makeEvolving, makePlacement, makeSpecials, makeTurn } from "./smac_panels.js";

/** @import { PossibleAct } from "../shared/types.d.ts" */
/** @import { OrderingLayer } from "./ordering.js" */
/** @import { Cell, DishShown, DraftLine, GamePage, Look, OrderingListener, OrdersShown, PlacementShown, PlayedBoard, PositionWith, TourStep } from "./types.d.ts" */

const DISH = 1; // the number of the only board

/** @type {TourStep[]} */
const TOUR = [
  ["#stage", "The dish. Whoever’s slime produces enough of all there is wins, so spread to where it grows well."],
  [".draft", "What you have, what your orders lead to, and Submit: the turn runs once all have submitted."],
  ["#stage", "Dots are cells that you can choose now. A right click, a long press or the key I tells all of a cell."],
  ["#deck", "Look back at any moment here, with ← and →. “Back to now” returns."],
  ["[data-action=help]", "The aim, the stages of a turn and the keys stand behind this question mark."],
];

/**
 * @extends {GameBoard<DishShown>}
 * @implements {PlayedBoard<DishShown>}
 */
class SmacBoard extends GameBoard {
  tour = TOUR;
  speed = 0; // the slowest one
  // The own team that drafts.
  /** @type {number | null} */
  me = null;
  // The special whose target is chosen.
  /** @type {string | null} */
  aim = null;
  pointed = "";
  // The steps of the scene that readers of the screen know.
  /** @type {number | null} */
  toldUpTo = null;
  isEntered = false;
  /** @type {Map<string, Look> | null} */
  looks = null;
  /** @type {ReturnType<SmacBoard["makePanels"]> | null} */
  #panels = null;

  /** @param {GamePage} page */
  constructor(page) {
    super(page);
    const { id, root, outbox, refresh } = page;
    this.draft = new Draft({
      id, outbox, refresh, say, refuse: (words) => this.refuse(words), changed: () => this.render(),
    });
    outbox.when("act", (item, answer) => this.refuse(lateReason(item, answer)));
    /** @type {OrderingListener} */
    this.listener = {
      isOpen: () => Boolean(this.draft.ask),
      choose: (_, name) => this.pick(name),
      point: (_, name) => this.point(name),
      key: (event) => this.onKey(event),
      arrive: () => this.arrive(),
    };
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.stopAiming()) event.stopPropagation();
    });
  }

  /** @param {OrderingLayer} layer */
  start(layer) {
    super.start(layer);
    layer.viewer.teams.names = PLAIN_NAMES;
  }

  get panels() {
    return present(this.#panels, "No position has been shown yet.");
  }

  /** @param {PositionWith<DishShown>} position */
  show(position) {
    const [before, mine] = [this.take(position), this.me];
    this.me = this.whoDrafts();
    if (!before) this.#panels = this.makePanels(position.board);
    const ask = position.asks.find(({ team }) => team === this.me && !position.seats[team - 1].substitute);
    const isNew = before?.step !== position.step;
    if (isNew || this.me !== mine) {
      this.aim = null;
      this.refuse("");
      this.draft.start(ask);
    } else this.draft.ask = ask;
    if (isNew) this.isEntered = false;
    this.render();
    if (isNew && before) say(`${this.turnWords}. ${this.waitWords}`);
  }

  /** Return the own team that drafts: of several at one screen the first that has not sealed. */
  whoDrafts() {
    const { seats, asks } = this.position;
    const own = seats.filter((seat) => seat.is_yours).map((seat) => seat.team);
    const open = asks.filter((each) => own.includes(each.team) && !each.is_answered);
    return open[0]?.team ?? own[0] ?? null;
  }

  /** @param {DishShown} board */
  makePanels(board) {
    const turn = makeTurn({
      undo: () => this.undo(),
      startOver: () => this.startOver(),
      submit: () => this.draft.submit(),
      help: () => byId("help").showModal(),
      stopAiming: () => this.stopAiming(),
    });
    const placement = makePlacement({
      bid: (points) => this.bid(points),
      remove: (place) => this.removeCenter(place),
      sooner: (place) => this.soonerCenter(place),
    });
    const evolving = makeEvolving(board.characteristic_words, {
      evolve: (name) => this.evolve("evolve", name),
      evolveLevel: (name) => this.evolve("evolve_level", name),
    });
    const specials = makeSpecials(board.special_words, { select: (name) => this.select(name), use: (name) => this.use(name) });
    const acts = make("div", { class: "acts buttons" });
    this.root.replaceChildren(...[turn, placement, evolving, specials].map((panel) => panel.element), acts);
    fillHelp(board);
    return { turn, placement, evolving, specials, acts };
  }

  // ---- what is shown

  render() {
    if (!this.#panels) return;
    const { turn, placement, evolving, specials } = this.#panels;
    const { draft } = this;
    const { shows, isSealed, lines } = draft;
    const orders = shows?.type === "orders" ? shows : null;
    const { skips, lost } = this.position.board;
    turn.show({ turnWords: this.turnWords, waitWords: this.waitWords, draft, skips, lost, isAiming: Boolean(this.aim) });
    placement.show(shows?.type === "placement" ? shows : null, isSealed);
    evolving.show(orders?.characteristics, isSealed, orders?.hint?.characteristics ?? []);
    const using = lines.findLast(([verb]) => verb === "use")?.[1];
    const selecting = lines.findLast(([verb]) => verb === "select")?.[1];
    specials.show(orders?.specials, { isSealed, aim: this.aim, using, selecting });
    this.showTargets(orders?.specials);
    this.showActs();
    this.showLooks();
  }

  showLooks() {
    const { viewer, node } = this.layer;
    const { shows, lines, isSealed } = this.draft;
    const team = viewer.replay.teams[(this.me ?? 0) - 1];
    if (team) {
      node.style.setProperty("--own", team.color);
      node.style.setProperty("--on-own", team.ink);
    }
    node.classList.toggle("aiming", Boolean(this.aim));
    const target = lines.findLast(([verb]) => verb === "use")?.[2];
    const aimedAt = this.aim ? this.pointed : Array.isArray(target) ? target.join(", ") : "";
    const sealed = shows?.type === "orders" ? { ...shows, costs: [] } : shows && { ...shows, free_centers: [] };
    const looks = makeLooks(this.layer.thingsOn(DISH), {
      shows: isSealed ? sealed : shows,
      lines: shows ? lines : [],
      aimedAt,
      listFacts: (thing) => viewer.narrator.facts(thing),
      listTerrain: (thing) => viewer.narrator.hoverFacts(thing),
      nameTeams: (words) => this.nameTeams(words),
    });
    this.layer.show(DISH, looks);
    this.looks = looks;
    this.enter(shows);
    this.panels.turn.point(looks.get(this.pointed)?.label ?? "");
  }

  /**
   * Let Tab lead to a cell that can be chosen.
   * @param {OrdersShown | PlacementShown | null} shows
   */
  enter(shows) {
    const [first] = shows ? [...(shows.costs ?? []), ...(shows.free_centers ?? []), ...(shows.heights ?? [])] : [];
    if (!first || this.isEntered) return;
    this.isEntered = true;
    if (!this.layer.node.contains(document.activeElement)) this.layer.enterAt(DISH, `${first[0]}, ${first[1]}`);
  }

  get turnWords() {
    const { board, outcome } = this.position;
    if (outcome) return outcome.winner ? `${this.teamName(outcome.winner)} won` : "A draw";
    if (this.isPlacing) return `${board.stage === "placement 1" ? "First" : "Second"} placement round`;
    return `Turn ${board.turn} of ${board.last_turn}`;
  }

  get waitWords() {
    const { board, asks } = this.position;
    const { ask, isSealed, isOrderWaiting } = this.draft;
    if (this.aim) return `Choose the target of ${this.aim}.`;
    if (isOrderWaiting) return "Your orders wait to be sent.";
    if (ask && !isSealed) return this.isPlacing ? "Choose where your slime begins." : `Your orders. ${victoryWords(board)}`;
    const others = asks.filter((each) => !each.is_answered && each.team !== this.me);
    return others.length ? `Waiting for ${others.map((each) => this.teamName(each.team)).join(", ")}.` : "";
  }

  get isPlacing() {
    return this.position.board.stage.startsWith("placement");
  }

  /** @param {number} team */
  teamName(team) {
    return this.position.seats.find((seat) => seat.team === team)?.name ?? `team ${team}`;
  }

  /**
   * Return words with who stands behind each `team 2`.
   * @param {string} words
   */
  nameTeams(words) {
    return words.replace(/\bteam (\d+)\b/g, (_, team) => this.teamName(Number(team)));
  }

  /** @param {string} words */
  refuse(words) {
    refuse(words, this.#panels?.turn.refused);
  }

  /**
   * Show the teams at which the special can be aimed.
   * @param {OrdersShown["specials"] | undefined} options
   */
  showTargets(options) {
    const isTeam = this.aim !== null && options?.[this.aim].target === "team";
    const teams = isTeam ? this.position.seats.map((seat) => seat.team) : [];
    this.panels.specials.targets.replaceChildren(
      ...(isTeam ? [make("p", {}, "Whom?")] : []),
      ...teams.map((team) => button(this.teamName(team), () => this.aimAt(team, `against ${this.teamName(team)}`))),
    );
  }

  showActs() {
    const { acts } = this.position;
    const shown = acts.filter((act) => act.team === this.me && !SEAT_ACTS.includes(act.name));
    this.panels.acts.replaceChildren(
      ...shown.map((each) => button(capital(each.name), () => this.act(each))),
    );
  }

  /** @param {PossibleAct} each */
  async act(each) {
    if (!(await askToConfirm(`${capital(each.name)}?`, "This cannot be taken back.", capital(each.name)))) return;
    this.refuse(failureReason(await deliverAct(this.id, this.position, each)));
  }

  // ---- readers of the screen

  /** The board shows what is new: tell it, and what the cells are now. */
  arrive() {
    const { viewer } = this.layer;
    const [from, to] = [this.toldUpTo, viewer.replay.steps];
    this.toldUpTo = to;
    if (!this.#panels) return;
    this.showLooks();
    if (from === null || from === to) return;
    if (this.draft.ask) viewer.sounds.play("turn");
    const told = viewer.narrator.sentences(from, to).map((sentence) => `${capital(this.nameTeams(sentence))}.`);
    if (told.length) say(told.join(" "));
  }

  /** @param {string} name */
  point(name) {
    if (name && name !== this.pointed) this.refuse("");
    this.pointed = name;
    if (this.aim) this.showLooks();
    else this.#panels?.turn.point(this.looks?.get(name)?.label ?? "");
  }

  // ---- what the reader does

  /** Tell why something cannot be done now, if it cannot. */
  refuseIfHindered() {
    const reason = this.draft.hindrance;
    if (reason) this.refuse(reason);
    return Boolean(reason);
  }

  /** @param {string} words */
  reportDone(words) {
    this.layer.viewer.sounds.play("move");
    say(words);
  }

  /** @param {string} name */
  async pick(name) {
    if (this.refuseIfHindered()) return;
    const [x, y] = name.split(", ").map(Number);
    if (this.aim) await this.aimAt([x, y], `at ${name}`);
    else if (this.isPlacing) await this.pickCenter(x, y);
    else {
      const { shows: before } = this.draft;
      const isDone = await this.draft.add("place", x, y);
      const { shows } = this.draft;
      if (isDone && before && shows) this.reportDone(`Placed at ${name} for ${Math.round(before.bank - shows.bank)}; ${shows.bank} left`);
    }
  }

  /**
   * @param {number | Cell} target
   * @param {string} words
   */
  async aimAt(target, words) {
    const special = this.aim;
    this.aim = null;
    if (special && await this.draft.add("use", special, target)) this.reportDone(`${special} ${words}`);
    this.render();
  }

  stopAiming() {
    if (!this.aim) return false;
    this.aim = null;
    this.render();
    return true;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  async pickCenter(x, y) {
    const place = this.draft.shows?.centers?.findIndex((cell) => cell[0] === x && cell[1] === y) ?? -1;
    if (place >= 0) await this.removeCenter(place);
    else if (await this.draft.add("center", x, y)) this.reportDone(`Center ${this.draft.shows?.centers?.length} at ${x}, ${y}`);
  }

  /** @param {number} place */
  async removeCenter(place) {
    const isDone = await this.draft.change((lines) => lines.toSpliced(lineOfCenter(lines, place), 1));
    if (isDone) this.reportDone("Center removed");
  }

  /** @param {number} place */
  async soonerCenter(place) {
    const isDone = await this.draft.change((lines) => {
      const next = [...lines];
      const [one, other] = [lineOfCenter(lines, place - 1), lineOfCenter(lines, place)];
      [next[one], next[other]] = [next[other], next[one]];
      return next;
    });
    if (isDone) this.reportDone("Center moved up");
  }

  /** @param {number} points */
  async bid(points) {
    if (this.refuseIfHindered()) return;
    const isDone = await this.draft.change((lines) => [...lines.filter(([verb]) => verb !== "bid"), ["bid", points]]);
    if (isDone) this.reportDone(`Bid ${points}`);
  }

  /**
   * @param {"evolve" | "evolve_level"} verb
   * @param {string} name
   */
  async evolve(verb, name) {
    if (this.refuseIfHindered() || !(await this.draft.add(verb, name))) return;
    const { shows } = this.draft;
    if (shows?.type !== "orders") return;
    const { level, to_next_level: next } = shows.characteristics[name];
    this.reportDone(`${name}: level ${level}, ${next} to the next`);
  }

  /** @param {string} name */
  async select(name) {
    if (!this.refuseIfHindered() && (await this.draft.add("select", name))) this.reportDone(`${name} selected`);
  }

  /** @param {string} name */
  async use(name) {
    const { shows } = this.draft;
    if (this.refuseIfHindered() || shows?.type !== "orders") return;
    const { target, why_not_use: reason } = shows.specials[name];
    if (reason) this.refuse(`Refused: ${reason}.`);
    else if (target !== "nothing") this.takeAim(name, target);
    else if (await this.draft.add("use", name)) this.reportDone(name);
  }

  /**
   * @param {string} name
   * @param {string} target
   */
  takeAim(name, target) {
    this.aim = this.aim === name ? null : name;
    this.render();
    if (!this.aim) return;
    say(`Choose the target of ${name}; Escape to stop.`);
    if (target === "cell") this.layer.focus(DISH);
  }

  async undo() {
    if (this.refuseIfHindered()) return;
    if (!this.draft.canUndo) this.refuse("There is nothing to undo.");
    else if (await this.draft.undo()) this.reportDone("Undone");
  }

  async startOver() {
    if (this.refuseIfHindered()) return;
    if (!this.draft.lines.length) this.refuse("Your draft is empty.");
    else if (await this.draft.startOver()) this.reportDone("Your draft is empty again; undo brings it back");
    this.render();
  }

  /**
   * Take keys that a cell with the focus does not take itself.
   * @param {KeyboardEvent} event
   */
  onKey(event) {
    const digit = /^Digit([1-7])$/.exec(event.code);
    /** @type {Record<string, (() => unknown) | undefined>} */
    const acts = { u: () => this.undo(), r: () => this.startOver(), s: () => this.draft.submit() };
    const act = acts[event.key.toLowerCase()];
    if (event.key === "Escape") return this.stopAiming();
    if (digit) {
      const name = Object.keys(this.position.board.characteristic_words)[Number(digit[1]) - 1];
      if (!this.isPlacing) this.evolve(event.shiftKey ? "evolve_level" : "evolve", name);
    } else act?.();
    return Boolean(digit || act);
  }
}

/**
 * Return where the line of the center with this place in the list stands.
 * @param {DraftLine[]} lines
 * @param {number} place
 */
function lineOfCenter(lines, place) {
  const centers = lines.flatMap((line, number) => (line[0] === "center" ? [number] : []));
  return centers[place];
}

/** @param {DishShown} board */
function victoryWords({ threshold_pct: share, victory_from_turn: from }) {
  return share === null ? `From turn ${from} on a large share of production wins.` : `${share} % of all production wins this turn.`;
}

playOn(SmacBoard);
