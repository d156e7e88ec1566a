// Shows the checks of a version as they run: the page is asked for anew until they have ended.
const POLL_MS = 400;
const RETRY_MS = 3_000;
const TIMEOUT_MS = 15_000;
const NO_ANSWER = "The server does not answer; trying again …";

async function poll() {
  const shown = document.getElementById("checks");
  if (shown?.dataset.state !== "checking") return;
  let wait = POLL_MS;
  try {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.getElementById("checks");
    if (!answer.ok) throw new Error(String(answer.status));
    if (!now) return location.reload();  // one has to sign in again
    if (!now.isEqualNode(shown)) shown.replaceWith(document.adoptNode(now));
    tell("");
  } catch {
    tell(NO_ANSWER);
    wait = RETRY_MS;
  }
  setTimeout(poll, wait);
}

/** @param {string} words */
function tell(words) {
  const place = document.getElementById("connection");
  if (place && place.textContent !== words) place.textContent = words;
}

setTimeout(poll, POLL_MS);
