// Shows the dialogs and notices of a page as its scripts do, without what leads to them: see test_dialogs.py.

const WORDS = "The server does not answer. Nothing was lost; please try again.";

function put(place, html) {
  document.querySelector(place).insertAdjacentHTML("afterbegin", html);
}

/** Show every notice of the page, with words where it has none now. */
function showNotices() {
  for (const list of document.querySelectorAll("ul.wrong")) {
    list.innerHTML = `<li>${WORDS}</li>`;
    list.parentElement.appendChild(list.cloneNode(true)).classList.add("hint");
  }
  const outbox = document.getElementById("outbox");
  if (outbox) outbox.innerHTML = `<p>${WORDS} <button>Send now</button></p>`;
  for (const notice of document.querySelectorAll("[role=alert], [role=status], #first-words, .refused")) {
    if (!notice.textContent.trim()) notice.textContent = WORDS;
    for (let at = notice; at && at.tagName !== "DIALOG"; at = at.parentElement) at.hidden = false;
  }
}

/** Show in a board's panel what stands there after the end. */
async function showEnd() {
  const { Ending } = await import("/static/boards/ending.js");
  const seats = [{ team: 1, is_yours: true, name: "Ann" }, { team: 2, is_yours: false, name: "Bea" }];
  const ending = { who: "Ann wins", why: "the last hunter fell", figures: ["47 slimes : 0"], moments: [3], winners: [1], scores: [12, 8] };
  const teams = [{ color: "#2f7de1" }, { color: "#f28c28" }];
  const standings = Array.from({ length: 9 }, (_, turn) => turn).map((turn) => new Map([[1, { score: turn }], [2, { score: 1 }]]));
  const viewer = { replay: { ending, teams, standings }, scrub() {} };
  const shown = new Ending("1", "smac", document.getElementById("orders"));
  shown.show({ seats, outcome: null }, viewer);
  shown.show({ seats, outcome: { winner: 1 } }, viewer);
}

/** Ask what a board asks before something that cannot be taken back. */
async function ask() {
  const { askToConfirm } = await import("/static/boards/page.js");
  askToConfirm("Resign?", "This cannot be taken back.", "Resign");
}

/** Fill the dialogs of /write with what its scripts and the page of a version put there; return their ids. */
function fillDialogs() {
  const lines = ["same", "removed", "added"].map((kind) =>
    `<div class="diff-${kind}"><span class="number">7</span><span class="sign">+</span><code>x = 1</code></div>`);
  const changes = `<h3>player.py</h3><div class="diff">${lines.join("")}<div class="diff-gap">⋯</div></div>`;
  for (const place of document.querySelectorAll("dialog [id$=changes]")) place.innerHTML = changes;
  const steps = ["passed", "failed", "running", "open"].map((state) =>
    `<li class="${state}"><span class="sign">✗</span><div><b>It plays</b><p>No.</p></div></li>`);
  document.getElementById("handed-in").innerHTML = `<ol class="checks">${steps.join("")}</ol>`;
  for (const title of document.querySelectorAll("dialog h2:empty")) title.textContent = "Rename a file";
  return [...document.querySelectorAll("dialog")].map((dialog) => dialog.id);
}
