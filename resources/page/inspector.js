// Everything about one piece: what it is, and what became of it.
import { byId, icon, make } from "./elements.js";
import { pictureOf } from "./teams.js";

const PICTURE = 48;

export class Inspector {
  constructor(viewer) {
    this.viewer = viewer;
    this.panel = byId("inspector");
    this.title = make("h2");
    this.where = make("p", { class: "about" });
    this.picture = make("div", { class: "emblem" });
    const close = make("button", { type: "button", class: "tool", title: "Let go of it (Esc)", "aria-label": "Close" }, icon("close"));
    close.addEventListener("click", () => viewer.select(null));
    this.facts = make("dl", { class: "facts" });
    this.history = make("ol", { class: "history" });
    this.note = make("p", { class: "note" });
    const who = make("div", { class: "who" }, this.title, this.where);
    this.panel.append(
      make("div", { class: "team-head" }, this.picture, who, close),
      this.facts, make("h3", { textContent: "what it did, the newest first" }), this.history, this.note,
    );
  }

  show() {
    const { selected, reel } = this.viewer;
    this.#open(selected !== null);
    if (selected === null) return;
    const look = reel.things.get(selected)?.look;
    if (look || selected !== this.shown) this.last = look;
    this.shown = selected;
    this.#head(selected, this.last, Boolean(look));
    this.#tell(this.viewer.teller.history(selected, reel.position));
  }

  // On a phone it takes the place of the teams, so that nothing else moves.
  #open(isOpen) {
    const height = byId("teams").offsetHeight;
    if (isOpen && height) this.panel.style.setProperty("--place", `${height}px`);
    this.panel.hidden = !isOpen;
    document.body.classList.toggle("inspecting", isOpen);
  }

  #head(id, look, isThere) {
    const { story, images, teller } = this.viewer;
    this.title.textContent = teller.name(id, look);
    this.where.textContent = isThere ? "" : "is not on the board now";
    this.where.hidden = isThere;
    const image = images[story.images.names[look?.image]];
    if (this.image !== image) this.picture.replaceChildren(...(image ? [pictureOf(image, PICTURE)] : []));
    this.image = image;
    const facts = isThere ? teller.facts(look) : [];
    this.facts.replaceChildren(...facts.map(([name, value]) =>
      make("div", {}, make("dt", { textContent: name }), make("dd", { textContent: value })),
    ));
  }

  #tell(moments) {
    const { texts } = this.viewer;
    this.history.replaceChildren(...moments.map(momentOf));
    const left = texts.logs_left_out + texts.faults_left_out;
    const first = [...texts.logs, ...texts.faults].reduce((turn, [at]) => Math.max(turn, at), 0);
    this.note.hidden = !left && moments.length > 0;
    this.note.textContent = left
      ? `What the bots said in ${left} later rounds (after about turn ${first}) is left out, to keep this page small.`
      : "Nothing in the last turns.";
  }
}

function momentOf({ turn, stage, ordered, sentences, fault, lines }) {
  const isLost = ordered && !ordered.order;
  const said = ordered ? ordered.order || "no order" : stage;
  const told = [...sentences, fault].filter(Boolean).join("; ");
  const item = make(
    "li", { class: isLost ? "bad" : "" },
    make("span", { class: "turn", textContent: turn }),
    make("span", { class: ordered ? "order" : "order stage", textContent: said }),
    make("span", { class: "told", textContent: told }),
  );
  if (lines.length) item.append(make("pre", { textContent: lines.join("\n") }));
  return item;
}
