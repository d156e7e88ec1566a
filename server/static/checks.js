// Shows the checks of a version as they run: the page is asked for anew until they have ended.
const BETWEEN_MS = 400;
const RETRY_MS = 3_000;

async function look() {
  const shown = document.getElementById("checks");
  if (shown.dataset.state !== "checking") return;
  let wait = BETWEEN_MS;
  try {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.getElementById("checks");
    if (answer.ok && now && !now.isEqualNode(shown)) shown.replaceWith(document.adoptNode(now));
  } catch {
    wait = RETRY_MS;  // the server does not answer; it will
  }
  setTimeout(look, wait);
}

setTimeout(look, BETWEEN_MS);
