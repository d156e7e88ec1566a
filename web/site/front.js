// The match that plays on the first page: its frame comes after everything else was painted.

for (const figure of document.querySelectorAll("[data-watch]")) {
  const frame = document.createElement("iframe");
  frame.src = `${figure.getAttribute("data-watch")}#autoplay&loop&bare`;
  frame.title = figure.querySelector("figcaption a")?.textContent ?? "";
  frame.tabIndex = -1; // its keys are those of the whole page, to which the link leads
  const show = () => figure.querySelector(".frame")?.replaceChildren(frame);
  if (document.readyState === "complete") whenIdle(show);
  else addEventListener("load", () => whenIdle(show));
}

/**
 * Do something when nothing else is to be done.
 * @param {() => void} act
 */
function whenIdle(act) {
  if ("requestIdleCallback" in window) requestIdleCallback(act, { timeout: 1000 });
  else setTimeout(act, 200);
}
