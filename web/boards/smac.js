// How SMAC is played on the board: a draft made of clicks, which the server judges.

import { BACK, deliverAct, lateReason, reasonOf } from "./deliveries.js";
import { byId, make } from "../shared/elements.js";
import { confirmed, linksAfter, refuse, say } from "./page.js";
import { Draft } from "./smac_draft.js";
import { looksOf } from "./smac_looks.js";
import { button, capital, fillHelp, makeEvolving, makePlacement, makeSpecials, makeTurn } from "./smac_panels.js";

const DISH = 1; // the number of the only board
const CALM = 0; // the place of the slowest speed

const TOUR = [
  ["#stage", "The dish. Whoever’s slime produces enough of all there is wins, so spread to where it grows well."],
  [".draft", "What you have, what your orders lead to, and Submit: the turn runs once all have submitted."],
  ["#stage", "Dots are cells that you can choose now. A right click, a long press or the key I tells all of a cell."],
  ["#deck", "Look back at any moment here, with ← and →. “Back to now” returns."],
  ["[data-action=help]", "The aim, the stages of a turn and the keys stand behind this question mark."],
];

export class GameBoard {
  tour = TOUR;

  constructor({ id, root, outbox, refresh }) {
    Object.assign(this, { id, root, outbox, refresh });
    this.position = null;
    this.me = null; // the own team that drafts
    this.aim = null; // the special whose target is chosen
    this.pointed = "";
    this.toldUpTo = null; // the steps of the scene that readers of the screen know
    this.draft = new Draft({
      id, outbox, refresh, say, refuse: (words) => this.refuse(words), changed: () => this.render(),
    });
    outbox.when("act", (item, answer) => this.refuse(lateReason(item, answer)));
    this.listener = {
      isOpen: () => Boolean(this.draft.ask),
      choose: (board, name) => this.pick(name),
      ask: (board, name) => this.layer.viewer.select(this.layer.thingOn(board, name)),
      point: (board, name) => this.point(name),
      key: (event) => this.onKey(event),
      arrive: () => this.arrive(),
    };
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.stopAiming()) event.stopPropagation();
    });
  }

  /** Whether new turns are played on the board, rather than jumped over. */
  get playsNews() {
    return !this.layer.viewer.calm.matches;
  }

  begin(layer) {
    this.layer = layer;
    layer.viewer.playback.speedNumber = CALM;
  }

  show(position) {
    const [before, mine] = [this.position, this.me];
    this.position = position;
    this.me = this.whoDrafts();
    if (!before) this.makePanels();
    const ask = position.asks.find((each) => each.team === this.me);
    const isNew = before?.step !== position.step;
    if (isNew || this.me !== mine) {
      this.aim = null;
      this.refuse("");
      this.draft.begin(ask);
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

  makePanels() {
    const { characteristic_words, special_words } = this.position.board;
    this.turn = makeTurn({
      undo: () => this.undo(),
      startOver: () => this.startOver(),
      submit: () => this.draft.submit(),
      help: () => byId("help").showModal(),
    });
    this.placement = makePlacement({
      bid: (points) => this.bid(points),
      remove: (place) => this.removeCenter(place),
      sooner: (place) => this.soonerCenter(place),
    });
    this.evolving = makeEvolving(characteristic_words, {
      evolve: (name) => this.evolve("evolve", name),
      evolveLevel: (name) => this.evolve("evolve_level", name),
    });
    this.specials = makeSpecials(special_words, { select: (name) => this.select(name), use: (name) => this.use(name) });
    this.acts = make("div", { class: "acts buttons" });
    const panels = [this.turn, this.placement, this.evolving, this.specials];
    this.root.replaceChildren(...panels.map((panel) => panel.element), this.acts);
    fillHelp(this.position.board);
  }

  // ---- what is shown

  render() {
    if (!this.turn) return;
    const { draft } = this;
    const { shows, isSealed, lines } = draft;
    const orders = shows?.type === "orders" ? shows : null;
    const { skips, lost } = this.position.board;
    this.turn.show({ turnWords: this.turnWords, waitWords: this.waitWords, draft, skips, lost });
    this.placement.show(shows?.type === "placement" ? shows : null, isSealed);
    this.evolving.show(orders?.characteristics, isSealed, orders?.hint?.characteristics ?? []);
    const using = lines.findLast(([verb]) => verb === "use")?.[1];
    const selecting = lines.findLast(([verb]) => verb === "select")?.[1];
    this.specials.show(orders?.specials, { isSealed, aim: this.aim, using, selecting });
    this.showTargets(orders?.specials);
    this.showActs();
    this.showLooks();
  }

  showLooks() {
    const { viewer, node } = this.layer;
    const { shows, lines, isSealed } = this.draft;
    const team = viewer.replay.teams[this.me - 1];
    if (team) {
      node.style.setProperty("--own", team.color);
      node.style.setProperty("--on-own", team.ink);
    }
    node.classList.toggle("aiming", Boolean(this.aim));
    const target = lines.findLast(([verb]) => verb === "use")?.[2];
    const aimedAt = this.aim ? this.pointed : Array.isArray(target) ? target.join(", ") : "";
    const offered = shows && isSealed ? { ...shows, costs: [], free_centers: [] } : shows;
    const looks = looksOf(this.layer.thingsOn(DISH), {
      shows: offered,
      lines: shows ? lines : [],
      aimedAt,
      factsOf: (thing) => viewer.narrator.facts(thing),
      terrainOf: (thing) => viewer.narrator.hovered(thing),
      named: (words) => this.named(words),
    });
    this.layer.show(DISH, looks);
    this.looks = looks;
    this.enter(shows);
    this.turn.point(looks.get(this.pointed)?.label ?? "");
  }

  /** Let Tab lead to a cell that can be chosen. */
  enter(shows) {
    const [first] = shows ? [...(shows.costs ?? []), ...(shows.free_centers ?? []), ...(shows.heights ?? [])] : [];
    if (!first || this.isEntered) return;
    this.isEntered = true;
    if (!this.layer.node.contains(document.activeElement)) this.layer.enterAt(DISH, `${first[0]}, ${first[1]}`);
  }

  get turnWords() {
    const { board, outcome } = this.position;
    if (outcome) return `${outcome.winner ? `${this.nameOf(outcome.winner)} won` : "A draw"}: ${outcome.reason}`;
    if (this.isPlacing) return `${board.stage === "placement 1" ? "First" : "Second"} placement round`;
    return `Turn ${board.turn} of ${board.last_turn}`;
  }

  get waitWords() {
    const { board, asks } = this.position;
    const { ask, isSealed, isOrderWaiting } = this.draft;
    if (this.aim) return `Choose the target of ${this.aim} on the dish, or press Escape.`;
    if (isOrderWaiting) return "Your orders wait to be sent.";
    if (ask && !isSealed) return this.isPlacing ? "Choose where your slime begins." : `Your orders. ${victoryWords(board)}`;
    const others = asks.filter((each) => !each.is_answered && each.team !== this.me);
    return others.length ? `Waiting for ${others.map((each) => this.nameOf(each.team)).join(", ")}.` : "";
  }

  get isPlacing() {
    return this.position.board.stage.startsWith("placement");
  }

  nameOf(team) {
    return this.position.seats.find((seat) => seat.team === team)?.name ?? `team ${team}`;
  }

  /** Return words with who stands behind each `team 2`. */
  named(words) {
    return words.replace(/\bteam (\d+)\b/g, (all, team) => this.nameOf(Number(team)));
  }

  refuse(words) {
    refuse(words, this.turn?.refused);
  }

  /** Show the teams at which the special can be aimed. */
  showTargets(options) {
    const isTeam = Boolean(this.aim) && options?.[this.aim].target === "team";
    const teams = isTeam ? this.position.seats.map((seat) => seat.team) : [];
    this.specials.targets.replaceChildren(
      ...(isTeam ? [make("p", {}, "Whom?")] : []),
      ...teams.map((team) => button(this.nameOf(team), () => this.aimAt(team, `against ${this.nameOf(team)}`))),
    );
  }

  showActs() {
    const { acts, outcome } = this.position;
    const shown = acts.filter((act) => act.team === this.me && act.name !== BACK);
    this.acts.replaceChildren(
      ...(outcome ? [linksAfter(this.id)] : []),
      ...shown.map((each) => button(capital(each.name), () => this.act(each))),
    );
  }

  async act(each) {
    if (!(await confirmed(`${capital(each.name)}?`, "This cannot be taken back.", capital(each.name)))) return;
    this.refuse(reasonOf(await deliverAct(this.id, this.position, each)));
  }

  // ---- readers of the screen

  /** The board shows what is new: tell it, and what the cells are now. */
  arrive() {
    const { viewer } = this.layer;
    const [from, to] = [this.toldUpTo, viewer.replay.steps];
    this.toldUpTo = to;
    if (!this.turn) return;
    this.showLooks();
    if (from === null || from === to) return;
    if (this.draft.ask) viewer.sounds.play("turn");
    const told = viewer.narrator.sentences(from, to).map((sentence) => `${capital(this.named(sentence))}.`);
    if (told.length) say(told.join(" "));
  }

  point(name) {
    if (name && name !== this.pointed) this.refuse("");
    this.pointed = name;
    if (this.aim) this.showLooks();
    else this.turn?.point(this.looks?.get(name)?.label ?? "");
  }

  // ---- what the reader does

  /** Tell why something cannot be done now, if it cannot. */
  isHindered() {
    const reason = this.draft.hindrance;
    if (reason) this.refuse(reason);
    return Boolean(reason);
  }

  done(words) {
    this.layer.viewer.sounds.play("move");
    say(words);
  }

  async pick(name) {
    if (this.isHindered()) return;
    const [x, y] = name.split(", ").map(Number);
    if (this.aim) await this.aimAt([x, y], `at ${name}`);
    else if (this.isPlacing) await this.pickCenter(x, y);
    else {
      const before = this.draft.shows.bank;
      if (!(await this.draft.add("place", x, y))) return;
      const { bank } = this.draft.shows;
      this.done(`Placed at ${name} for ${Math.round(before - bank)}; ${bank} left`);
    }
  }

  async aimAt(target, words) {
    const special = this.aim;
    this.aim = null;
    if (await this.draft.add("use", special, target)) this.done(`${special} ${words}`);
    this.render();
  }

  stopAiming() {
    if (!this.aim) return false;
    this.aim = null;
    this.render();
    return true;
  }

  async pickCenter(x, y) {
    const place = this.draft.shows.centers.findIndex((cell) => cell[0] === x && cell[1] === y);
    if (place >= 0) await this.removeCenter(place);
    else if (await this.draft.add("center", x, y)) this.done(`Center ${this.draft.shows.centers.length} at ${x}, ${y}`);
  }

  async removeCenter(place) {
    const isDone = await this.draft.change((lines) => lines.toSpliced(lineOfCenter(lines, place), 1));
    if (isDone) this.done("Center removed");
  }

  async soonerCenter(place) {
    const isDone = await this.draft.change((lines) => {
      const next = [...lines];
      const [one, other] = [lineOfCenter(lines, place - 1), lineOfCenter(lines, place)];
      [next[one], next[other]] = [next[other], next[one]];
      return next;
    });
    if (isDone) this.done("Center moved up");
  }

  async bid(points) {
    if (this.isHindered()) return;
    const isDone = await this.draft.change((lines) => [...lines.filter(([verb]) => verb !== "bid"), ["bid", points]]);
    if (isDone) this.done(`Bid ${points}`);
  }

  async evolve(verb, name) {
    if (this.isHindered() || !(await this.draft.add(verb, name))) return;
    const { level, to_next_level: next } = this.draft.shows.characteristics[name];
    this.done(`${name}: level ${level}, ${next} to the next`);
  }

  async select(name) {
    if (!this.isHindered() && (await this.draft.add("select", name))) this.done(`${name} selected`);
  }

  async use(name) {
    if (this.isHindered()) return;
    const { target, why_not_use: reason } = this.draft.shows.specials[name];
    if (reason) this.refuse(`Refused: ${reason}.`);
    else if (target !== "nothing") this.takeAim(name, target);
    else if (await this.draft.add("use", name)) this.done(name);
  }

  takeAim(name, target) {
    this.aim = this.aim === name ? null : name;
    this.render();
    if (!this.aim) return;
    say(`Choose the target of ${name}; Escape to stop.`);
    if (target === "cell") this.layer.focus(DISH);
  }

  async undo() {
    if (this.isHindered()) return;
    if (!this.draft.canUndo) this.refuse("There is nothing to undo.");
    else if (await this.draft.undo()) this.done("Undone");
  }

  async startOver() {
    if (this.isHindered()) return;
    if (!this.draft.lines.length) this.refuse("Your draft is empty.");
    else if (await this.draft.startOver()) this.done("Your draft is empty again; undo brings it back");
    this.render();
  }

  /** Take keys that a cell with the focus does not take itself. */
  onKey(event) {
    const digit = /^Digit([1-7])$/.exec(event.code);
    const act = { u: () => this.undo(), r: () => this.startOver(), s: () => this.draft.submit() }[event.key.toLowerCase()];
    if (event.key === "Escape") return this.stopAiming();
    if (digit) {
      const name = Object.keys(this.position.board.characteristic_words)[digit[1] - 1];
      if (!this.isPlacing) this.evolve(event.shiftKey ? "evolve_level" : "evolve", name);
    } else act?.();
    return Boolean(digit || act);
  }
}

/** Return where the line of the center with this place in the list stands. */
function lineOfCenter(lines, place) {
  const centers = lines.flatMap((line, number) => (line[0] === "center" ? [number] : []));
  return centers[place];
}

function victoryWords({ threshold_pct: share, victory_from_turn: from }) {
  return share === null ? `From turn ${from} on a large share of production wins.` : `${share} % of all production wins this turn.`;
}
