// The page of a game of SMAC: a draft made of clicks, which the server judges.

import { BACK, deliverAct, deliverOrder, deliverTakeBack } from "./deliveries.js";
import { lateReason, outboxOf, reasonOf, waitingOrder } from "./deliveries.js";
import { byId, make, mark, write } from "../shared/elements.js";
import { confirmed, connect, linksAfter, refuse, say } from "./page.js";
import { gamePath } from "../shared/requests.js";
import { makeDish } from "./smac_dish.js";
import { factsOf, looksOf, naming } from "./smac_looks.js";
import { makeNews, sentence, titleOf } from "./smac_news.js";
import { button, makeActions, makeBank, makeCellCard, makeEvolving } from "./smac_panels.js";
import { makeHelp, makeLines, makePlacement, makePlayers, makeSpecials } from "./smac_panels.js";
import { bubbles, isMuted, mute, pop, squoosh } from "./smac_sound.js";

const root = byId("board");
const id = root.dataset.id;
const PLAYED = "The turn was played meanwhile.";
const DRAFT = "draft";
const DRAFT_LOADING = "draft loading";
const LARGER = [1, 1.6, 2.4];
const SMALLEST_PX = 14;
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

let position = null;
let me = null;
let lines = [];
let draft = null;
let dropped = null; // the lines before starting over, which undoing brings back
let aim = null;
let pointed = null;
let stage = null;
let card = null; // the cell whose card is open
let page = null;
let work = Promise.resolve();
let zoom = 0;

const outbox = outboxOf(id);
outbox.when(DRAFT, (item, answer) => enqueue(() => takeLateDraft(item, answer)));
outbox.when(DRAFT_LOADING, takeDraft);
outbox.when("order", takeLateOrder);
outbox.when("act", (item, answer) => refuse(lateReason(item, answer), page.refusal));
const refresh = connect(id, onPosition);

// -- what comes from the server ---------------------------------------------------------------

function onPosition(next) {
  const isFirst = position === null;
  const isNew = isFirst || next.step !== position.step;
  const before = me;
  position = next;
  me = whoDrafts();
  if (!page) {
    page = makePage(next.board);
    enlargeForFingers();
  }
  if (isNew) showNews(isFirst);
  if (isNew || me !== before) beginDraft();
  render();
}

/** Return the own team that drafts: of several at one screen the first that has not sealed. */
function whoDrafts() {
  const own = position.seats.filter((seat) => seat.is_yours).map((seat) => seat.team);
  const open = position.asks.filter((each) => own.includes(each.team) && !each.is_answered);
  return open[0]?.team ?? own[0] ?? null;
}

function beginDraft() {
  lines = [];
  draft = dropped = aim = null;
  refuse("", page.refusal);
  if (ask()) enqueue(loadDraft);
}

function showNews(isFirst) {
  stage = null;
  const { news } = position.board;
  page.news.update(news, names());
  if (news && !isFirst) {
    say(`${titleOf(news)} was played. ${summary(news)}`);
    bubbles();
    if (!isStill.matches) page.news.play();
  }
}

function summary(news) {
  const happenings = news.stages.flatMap((each) => each.happenings);
  return happenings.map((each) => `${sentence(each, names())}.`).join(" ");
}

const seatOf = (team) => position.seats.find((seat) => seat.team === team);
const nameOf = (team) => seatOf(team)?.name ?? `team ${team}`;
const names = () => ({ nameOf, named: naming(position.seats) });
const ask = () => position.asks.find((each) => each.team === me);
const isSealed = () => Boolean(ask()?.is_answered);
const isPlacing = () => position.board.stage.startsWith("placement");

// -- the draft --------------------------------------------------------------------------------

/** Do one thing after the other, so that quick clicks stay in order. */
function enqueue(act) {
  work = work.then(act, act);
  return work;
}

const draftKey = () => `${DRAFT} ${me}`;
/** What was clicked and waits to be sent. */
const waitingDraft = () => {
  const item = outbox.waiting(draftKey());
  return ask() && item?.body.step === ask().step ? item : undefined;
};
const isOrderWaiting = () => Boolean(ask() && (waitingOrder(id, ask()) || waitingDraft()?.isSubmitted));

async function loadDraft() {
  const mine = ask();
  if (!mine) return;
  const waiting = waitingDraft();
  if (waiting) lines = waiting.body.lines; // clicked before the page was loaded again
  const { team, step } = mine;
  const path = `${gamePath(id, "draft")}?team=${team}`;
  const item = { kind: DRAFT_LOADING, key: DRAFT_LOADING, method: "GET", path, asked: { team, step } };
  const answer = await outbox.deliver(item);
  if (!answer.isWaiting) takeDraft(item, answer);
}

function takeDraft({ asked }, answer) {
  const isOurs = ask()?.team === asked.team && ask().step === asked.step;
  if (!answer.isOk) refuse(answer.error, page.refusal);
  else if (isOurs && !waitingDraft()) {
    accept(answer);
    render();
  }
}

/** Send what was clicked, in place of what was before. */
function put(next) {
  const { team, piece, step } = ask();
  const item = { kind: DRAFT, key: draftKey(), words: "what you clicked", method: "PUT", path: gamePath(id, "draft") };
  return outbox.deliver({ ...item, body: { step, team, piece, lines: next } });
}

/** Show what the server says of clicks that had to wait, and submit them if that was wanted. */
async function takeLateDraft(item, answer) {
  const { team, step } = item.body;
  const isOurs = ask()?.team === team && ask().step === step;
  if (answer.isDiscarded) {
    if (isOurs && draft) accept(draft);
    render();
  } else if (answer.status === 409 || (answer.isOk && !isOurs)) {
    refuse(lateReason(item, { ...answer, isOk: false, status: 409 }), page.refusal);
    await refresh();
  } else if (!answer.isOk) refuse(lateReason(item, answer), page.refusal);
  else {
    showRefused(accept(answer));
    render();
    if (item.isSubmitted && !answer.refused.length) await seal();
  }
}

async function takeLateOrder(item, answer) {
  if (answer.status) await refresh();
  if (answer.isOk) say("Your orders were sent.");
  refuse(lateReason(item, answer), page.refusal);
  render();
}

function showRefused(reasons) {
  refuse(reasons.length ? `Refused: ${reasons.join("; ")}.` : "", page.refusal);
}

/** Keep what the server has accepted, and return the reasons for what it has refused. */
function accept(answer) {
  const refused = new Map(answer.refused);
  lines = answer.lines.filter((line, place) => !refused.has(place));
  draft = answer;
  return [...refused.values()];
}

/** Send the lines that `makeLines` makes of those there are; return whether all were accepted. */
function change(makeLines) {
  return enqueue(async () => {
    const next = ask() && !isSealed() ? makeLines(lines) : null;
    if (!next) return false;
    const { team, step } = ask();
    const answer = await put(next);
    if (answer.isWaiting) {
      lines = next; // the server prices it and says what it refuses when it answers
      render();
      return false;
    }
    if (answer.status === 409 || ask()?.team !== team || ask().step !== step) {
      refuse(PLAYED, page.refusal);
      await refresh();
      return false;
    }
    if (!answer.isOk) {
      refuse(answer.error, page.refusal);
      return false;
    }
    const reasons = accept(answer);
    showRefused(reasons);
    render();
    return !reasons.length;
  });
}

const add = (...line) => change((now) => [...now, line]);

/** Tell why something cannot be done now, if it cannot. */
function isHindered() {
  const reason = !ask()
    ? "You are not asked for anything now."
    : isSealed()
      ? "Your orders are sealed; take them back to change them."
      : isOrderWaiting()
        ? "Your orders wait to be sent; discard them to change them."
        : !draft
          ? "Loading your draft …"
          : "";
  if (reason) refuse(reason, page.refusal);
  return Boolean(reason);
}

async function pick(x, y) {
  if (stage !== null) return page.news.stop();
  if (isHindered()) return;
  const special = aim;
  if (special) {
    aim = null;
    if (await add("use", special, [x, y])) done(`${special} at ${x}, ${y}`, pop);
    render();
  } else if (isPlacing()) await pickCenter(x, y);
  else {
    const before = draft.shows.bank;
    if (await add("place", x, y)) done(placedWords(x, y, before), squoosh);
  }
}

function placedWords(x, y, before) {
  const cost = Math.round(before - draft.shows.bank);
  return `Placed at ${x}, ${y} for ${cost}; ${draft.shows.bank} left`;
}

async function pickCenter(x, y) {
  const place = draft.shows.centers.findIndex((cell) => cell[0] === x && cell[1] === y);
  if (place >= 0) return removeCenter(place);
  if (await add("center", x, y)) done(`Center ${draft.shows.centers.length} at ${x}, ${y}`, squoosh);
}

/** Return where the line of the center with this place in the list stands. */
function lineOfCenter(now, place) {
  const centers = now.flatMap((line, number) => (line[0] === "center" ? [number] : []));
  return centers[place];
}

async function removeCenter(place) {
  const isDone = await change((now) => now.toSpliced(lineOfCenter(now, place), 1));
  if (isDone) done("Center removed", pop);
}

async function soonerCenter(place) {
  const isDone = await change((now) => {
    const next = [...now];
    const [one, other] = [lineOfCenter(now, place - 1), lineOfCenter(now, place)];
    [next[one], next[other]] = [next[other], next[one]];
    return next;
  });
  if (isDone) done("Center moved up", pop);
}

async function bid(points) {
  if (isHindered()) return;
  const isDone = await change((now) => [...now.filter(([verb]) => verb !== "bid"), ["bid", points]]);
  if (isDone) done(`Bid ${points}`, pop);
}

async function evolve(verb, name) {
  if (isHindered()) return;
  if (await add(verb, name)) {
    const { level, to_next_level: next } = draft.shows.characteristics[name];
    done(`${name}: level ${level}, ${next} to the next`, pop);
  }
}

function use(name) {
  if (isHindered()) return;
  const { target, why_not_use: reason } = draft.shows.specials[name];
  if (reason) return refuse(`Refused: ${reason}.`, page.refusal);
  if (target === "nothing") return add("use", name).then((isDone) => isDone && done(name, pop));
  aim = aim === name ? null : name;
  render();
  if (!aim) return;
  say(`Choose the target of ${name} on the dish; Escape to stop.`);
  if (target === "cell") page.dish.focusHere();
}

async function select(name) {
  if (isHindered()) return;
  if (await add("select", name)) done(`${name} selected`, pop);
}

function done(words, sound) {
  sound();
  say(words);
}

function undo() {
  if (isHindered()) return;
  const back = dropped;
  dropped = null;
  if (!lines.length && !back) return refuse("There is nothing to undo.", page.refusal);
  change((now) => (now.length ? now.slice(0, -1) : back)).then((isDone) => {
    if (isDone) done("Undone", pop);
  });
}

function reload() {
  if (isHindered()) return;
  if (!lines.length) return refuse("Your draft is empty.", page.refusal);
  const before = lines;
  change(() => []).then((isDone) => {
    if (!isDone) return;
    dropped = before;
    done("Your draft is empty again; undo brings it back", pop);
    render();
  });
}

function submit() {
  return enqueue(seal);
}

/** Submit the draft, once the server has it, or take it back. */
async function seal() {
  const mine = ask();
  if (!mine || !draft || isOrderWaiting()) return;
  if (waitingDraft()) {
    outbox.change(draftKey(), { isSubmitted: true, words: "what you clicked, and then your orders" });
    render();
    return;
  }
  const sealing = !mine.is_answered;
  const body = { step: mine.step, team: mine.team, piece: mine.piece };
  const answer = sealing
    ? await deliverOrder(id, "your orders", { ...body, order: draft.answer })
    : await deliverTakeBack(id, "take back your orders", body);
  if (answer.isOk) say(sealing ? "Submitted." : "Taken back.");
  refuse(answer.status === 409 ? PLAYED : reasonOf(answer), page.refusal);
  if (answer.isWaiting) render();
  else await refresh();
}

// -- the page ---------------------------------------------------------------------------------

function makePage(board) {
  const dish = makeDish(board.side, { pick, ask: openCard, point, key: onKey });
  const scroller = make("div", { class: "scroller" }, dish.element);
  const parts = {
    dish,
    scroller,
    turn: make("strong", {}, ""),
    wait: make("span", { class: "quiet" }, ""),
    pointed: make("p", { class: "pointed", "aria-hidden": true }, ""),
    refusal: make("p", { class: "refusal bad", role: "alert" }),
    sound: button("", toggleSound, { class: "tool" }),
    larger: button("Zoom", enlarge, { class: "tool" }),
    bank: makeBank(),
    actions: makeActions({ undo, reload, submit }),
    evolving: makeEvolving(board.characteristic_words, {
      evolve: (name) => evolve("evolve", name),
      evolveLevel: (name) => evolve("evolve_level", name),
    }),
    specials: makeSpecials(board.special_words, { select, use }),
    placement: makePlacement({ bid, remove: removeCenter, sooner: soonerCenter }),
    targets: make("div", { class: "targets buttons" }),
    lines: makeLines(),
    players: makePlayers(),
    news: makeNews({ show: showStage }),
    card: makeCellCard({ close: closeCard }),
    acts: make("div", { class: "acts buttons" }),
    help: makeHelp(board.characteristic_words),
  };
  const keys = button("Help", () => parts.help.showModal(), { class: "tool" });
  const tools = make("div", { class: "tools" }, parts.larger, parts.sound, keys);
  const top = make("div", { class: "top" }, make("p", {}, parts.turn, " ", parts.wait), tools);
  const status = make("div", { class: "status" }, parts.refusal, parts.pointed);
  const orders = make(
    "div",
    { class: "orders" },
    make("div", { class: "card draft" }, parts.bank.element, parts.actions.element, parts.lines.element),
    parts.placement.element,
    parts.evolving.element,
    parts.specials.element,
  );
  parts.specials.element.append(parts.targets);
  const side = make(
    "div",
    { class: "side" },
    parts.players.element,
    parts.acts,
    parts.news.element,
    parts.card.element,
  );
  const table = make("div", { class: "table" }, top, scroller, status);
  root.classList.add("smac");
  root.replaceChildren(table, orders, side, parts.help);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") escape();
  });
  showSound(parts.sound);
  return parts;
}

function render() {
  const { board } = position;
  const shows = draft?.shows ?? null;
  const sealed = isSealed();
  const isOrders = Boolean(ask()) && !isPlacing() && shows?.type === "orders";
  write(page.turn, turnWords());
  write(page.wait, waitWords());
  mark(page.wait, "title", waitWords() || null);
  showDish();
  page.bank.show(ask() ? shows : null);
  page.actions.show({
    isSealed: sealed,
    canUndo: Boolean(lines.length || dropped),
    isAsked: Boolean(ask()),
    waitingFor: waitedFor().join(", "),
  });
  page.lines.show(ask() ? lines : []);
  page.placement.show(ask() && shows?.type === "placement" ? shows : null, sealed);
  page.evolving.show(isOrders ? shows.characteristics : null, sealed);
  const using = lines.findLast(([verb]) => verb === "use")?.[1];
  const selecting = lines.findLast(([verb]) => verb === "select")?.[1];
  const options = isOrders ? shows.specials : null;
  page.specials.show(options, { isSealed: sealed, aim, using, selecting });
  showTargets(options);
  showActs();
  page.players.show(position);
  root.classList.toggle("watching", !ask());
  root.classList.toggle("aiming", Boolean(aim));
  if (card) page.card.show(...card, cardFacts(...card));
  if (board.ending) root.classList.add("over");
}

function showDish() {
  const shows = ask() && draft ? draft.shows : null;
  const target = lines.findLast(([verb]) => verb === "use")?.[2];
  const aimedAt = aim ? pointed : Array.isArray(target) && shows ? target : null;
  const view = { me, shows, stage, aimedAt: aimedAt?.join(", ") ?? "", nameOf };
  page.dish.show(looksOf(position.board, view));
}

function turnWords() {
  const { board, outcome } = position;
  if (outcome) {
    const winner = outcome.winner ? `${nameOf(outcome.winner)} won` : "A draw";
    return `${winner}: ${outcome.reason}.`;
  }
  if (isPlacing()) return `${board.stage === "placement 1" ? "First" : "Second"} placement round`;
  return `Turn ${board.turn} of ${board.last_turn}`;
}

const waitedFor = () =>
  position.asks.filter((each) => !each.is_answered && each.team !== me).map((each) => nameOf(each.team));

function waitWords() {
  if (stage !== null) return "replay; click to stop";
  if (aim) return `choose the target of ${aim}`;
  if (isOrderWaiting()) return "your orders wait to be sent";
  if (ask() && !isSealed()) return isPlacing() ? "choose your centers" : "your orders";
  const others = waitedFor();
  return others.length ? `waiting for ${others.join(", ")}` : "";
}

/** Show the teams at which the special can be aimed. */
function showTargets(options) {
  const isTeam = aim && options?.[aim].target === "team";
  const teams = isTeam ? position.seats.map((seat) => seat.team) : [];
  page.targets.replaceChildren(
    ...teams.map((team) =>
      button(nameOf(team), async () => {
        const special = aim;
        aim = null;
        if (await add("use", special, team)) done(`${special} against ${nameOf(team)}`, pop);
        render();
      }),
    ),
  );
  if (aim) page.targets.prepend(make("p", {}, isTeam ? "Whom? Or click a cell." : "Click its cell."));
}

function showActs() {
  const acts = position.acts.filter((act) => act.team === me && act.name !== BACK);
  const isOver = position.outcome !== null;
  page.acts.replaceChildren(
    ...(isOver ? [linksAfter(id)] : []),
    ...acts.map((act) =>
      button(act.name, async () => {
        if (!(await confirmed(`${act.name}?`, "This cannot be taken back.", act.name))) return;
        refuse(reasonOf(await deliverAct(id, position, act)), page.refusal);
      }),
    ),
  );
}

function showStage(next) {
  stage = next;
  write(page.wait, waitWords());
  showDish();
}

function point(x, y) {
  const isOther = x !== undefined && pointed?.join() !== [x, y].join();
  if (isOther) refuse("", page.refusal);
  pointed = x === undefined ? null : [x, y];
  write(page.pointed, pointed ? pointedWords(x, y) : "");
  if (aim) showDish();
}

function pointedWords(x, y) {
  const cell = page.dish.element.querySelector(`[data-x="${x}"][data-y="${y}"]`);
  return cell.getAttribute("aria-label");
}

const cardFacts = (x, y) =>
  factsOf(position.board, x, y, { ...names(), shows: ask() && draft ? draft.shows : null });

function openCard(x, y) {
  card = [x, y];
  const facts = cardFacts(x, y);
  page.card.show(x, y, facts);
  const words = facts.pairs.map(([name, value]) => `${name} ${value}`);
  say([`Cell ${x}, ${y}`, ...words, ...facts.reports].join("; "));
}

function closeCard() {
  const isInside = page.card.element.contains(document.activeElement);
  card = null;
  page.card.hide();
  if (isInside) page.dish.focusHere();
}

function escape() {
  if (aim) {
    aim = null;
    render();
  } else if (stage !== null) page.news.stop();
  else if (card) closeCard();
}

function toggleSound() {
  mute(!isMuted());
  showSound(page.sound);
  pop();
}

function showSound(sound) {
  write(sound, isMuted() ? "Muted" : "Sound");
  mark(sound, "aria-label", "Sound");
  mark(sound, "aria-pressed", String(!isMuted()));
}

/** Show the dish larger, with the cell that was pointed at or one's own center in the middle. */
function enlarge() {
  zoom = (zoom + 1) % LARGER.length;
  const { element } = page.dish;
  const { scroller } = page;
  element.style.width = `${100 * LARGER[zoom]}%`;
  write(page.larger, zoom ? `Zoom ${LARGER[zoom]}×` : "Zoom");
  const { side, teams } = position.board;
  const [x, y] = pointed ?? teams[me - 1]?.centers[0] ?? [side / 2, side / 2];
  const size = element.getBoundingClientRect().width;
  scroller.scrollLeft = ((x + 1) / side) * size - scroller.clientWidth / 2;
  scroller.scrollTop = ((y + 1) / side) * size - scroller.clientHeight / 2;
}

/** On a small screen begin with cells that a finger can hit. */
function enlargeForFingers() {
  const width = page.scroller.clientWidth / position.board.side;
  if (width < SMALLEST_PX) enlarge();
}

const SHORTCUTS = {
  u: undo,
  r: reload,
  s: submit,
  n: () => page.news.play(),
  m: toggleSound,
  "?": () => page.help.showModal(),
};

/** Keys that a cell of the dish with the focus does not take itself. */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const digit = /^Digit([1-7])$/.exec(event.code);
  const act = SHORTCUTS[event.key.toLowerCase()];
  if (digit) {
    const name = Object.keys(position.board.characteristic_words)[digit[1] - 1];
    if (!isPlacing()) evolve(event.shiftKey ? "evolve_level" : "evolve", name);
  } else if (act) act();
  else return;
  event.preventDefault();
}
