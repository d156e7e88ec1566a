// Fades out the edge of what can be scrolled sideways, so that one sees that there is more.

const FADE_PX = 36;
const SLACK_PX = 1; // positions are fractions of a pixel where a page is zoomed

/** @param {HTMLElement} box */
function fade(box) {
  const left = box.scrollLeft > SLACK_PX ? `${FADE_PX}px` : "0px";
  const isMore = box.scrollLeft + box.clientWidth < box.scrollWidth - SLACK_PX;
  const right = isMore ? `calc(100% - ${FADE_PX}px)` : "100%";
  box.style.maskImage = `linear-gradient(to right, transparent, #000 ${left}, #000 ${right}, transparent)`;
}

/**
 * Watch what matches a selector from now on.
 * @param {string} selector
 */
export function showScrolling(selector) {
  const sizes = new ResizeObserver((changes) => {
    for (const { target } of changes) fade(/** @type {HTMLElement} */ (target));
  });
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector))) {
    sizes.observe(box); // which looks at it once, too
    box.addEventListener("scroll", () => fade(box), { passive: true });
  }
}
