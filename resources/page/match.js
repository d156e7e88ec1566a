// The match as a whole: how it ended, and how to see it again.
import { byId, icon, make, one } from "./elements.js";

export function showMatch(story) {
  const rows = [
    ...(story.ending ? [["scores", story.ending.scores.map(one).join(" : ")]] : []),
    ["ended", story.ending ? `${story.ending.reason}, in turn ${story.lastTurn}` : `not: the record stops in turn ${story.lastTurn}`],
    ["seed", story.seed],
    ["match", story.key],
  ];
  byId("match").append(
    make("h2", { textContent: verdict(story) }),
    make("dl", { class: "facts" }, ...rows.map(([name, value]) =>
      make("div", {}, make("dt", { textContent: name }), make("dd", { textContent: value })),
    )),
  );
  byId("match").append(...story.papers.map(paper));
  if (story.again) byId("match").append(make("h3", { textContent: "play it again" }), command(story.again));
}

// `player_one (team 1) won`.
function verdict({ teams, ending }) {
  if (!ending) return "The match was cut off";
  return ending.winner ? `${teams[ending.winner - 1].name} (team ${ending.winner}) won` : "A draw";
}

// Something longer, opened by who wants to read it.
function paper({ title, text }) {
  return make("details", {}, make("summary", { textContent: title }), make("pre", { textContent: text, tabIndex: 0 }));
}

function command(text) {
  const words = make("code", { textContent: text, tabIndex: 0 });
  const copy = make("button", { type: "button", class: "tool", title: "Copy", "aria-label": "Copy the command" }, icon("copy"));
  copy.addEventListener("click", async () => {
    getSelection().selectAllChildren(words);
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      document.execCommand("copy");  // pages from a disk may have no clipboard
    }
    copy.classList.add("done");
    setTimeout(() => copy.classList.remove("done"), 1200);
  });
  return make("div", { class: "command" }, words, copy);
}
