// The news of the last turn, stage by stage: as a list, and replayed on the dish.

import { make, mark, write } from "../shared/elements.js";
import { button } from "./smac_panels.js";

const STAGE_MS = 1300;
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** Return the sentence of a happening: `player_three grew in 4 cells`. */
export function sentence({ team, words }, { nameOf, named }) {
  return team ? `${nameOf(team)} ${named(words)}` : named(words);
}

/** Return what the news are called: `Turn 7`. */
export function titleOf(news) {
  return news.decision === "orders" ? `Turn ${news.turn}` : capital(news.decision);
}

/** The news; `show(stage)` is called with how many stages are shown, or null for the present. */
export function makeNews({ show }) {
  const heading = make("h2", { id: "news-title" }, "News");
  const replay = button("Replay", () => play());
  const back = button("◀", () => step(-1), { "aria-label": "One stage back" });
  const next = button("▶", () => step(1), { "aria-label": "One stage further" });
  const now = button("Now", () => stop(), { title: "back to the present" });
  const controls = make("div", { class: "controls" }, replay, back, next, now);
  const list = make("ol", { class: "stages" });
  const none = make("p", { class: "quiet" }, "Nothing has happened yet.");
  const element = make(
    "section",
    { class: "card news", "aria-labelledby": heading.id },
    make("header", {}, heading, controls),
    none,
    list,
  );
  let news = null;
  let items = [];
  let stage = null;
  let timer = 0;

  function go(to) {
    stage = to;
    items.forEach((item, place) => mark(item, "aria-current", place + 1 === stage ? "step" : null));
    const current = items[stage - 1];
    if (current) list.scrollTop = current.offsetTop - list.offsetTop;
    now.hidden = stage === null;
    show(stage);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    if (stage !== null) go(null);
  }

  function step(by) {
    if (!news) return;
    clearInterval(timer);
    timer = 0;
    const from = stage ?? (by < 0 ? news.stages.length + 1 : 0);
    const to = from + by;
    if (to > news.stages.length) stop();
    else go(Math.max(0, to));
  }

  function play() {
    if (!news?.stages.length) return;
    clearInterval(timer);
    go(0);
    timer = setInterval(() => {
      if (stage < news.stages.length) go(stage + 1);
      else stop();
    }, STAGE_MS);
  }

  function itemOf(each, place, names) {
    const words = each.happenings.map((one) => make("li", {}, sentence(one, names)));
    const open = button(capital(each.name), () => {
      clearInterval(timer);
      go(place + 1);
    });
    return make("li", {}, open, make("ul", {}, ...words));
  }

  return {
    element,
    play,
    stop,
    isShown: () => stage !== null,
    update(latest, names) {
      stop();
      news = latest;
      write(heading, news ? `News: ${titleOf(news)}` : "News");
      none.hidden = Boolean(news);
      controls.hidden = !news;
      now.hidden = true;
      items = (news?.stages ?? []).map((each, place) => itemOf(each, place, names));
      list.replaceChildren(...items);
      list.scrollTop = 0;
    },
  };
}
