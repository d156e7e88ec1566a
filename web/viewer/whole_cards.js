// The panels beside the board are whole: what the end of their column would cut comes with scrolling.
import { make } from "../shared/elements.js";

export const BELOW = 28;  // pixels at the end of the column, for the button

/** @param {HTMLElement} column */
export function keepCardsWhole(column) {
  const more = make("button", { class: "more below", click: () => column.scrollBy(0, 300) });
  column.append(more);
  // Panels that people order with come and go.
  const observe = () => column.querySelectorAll("aside > :not(#teams, #orders, .below), .team, #orders > *").forEach((card) => observer.observe(card));
  const observer = new IntersectionObserver((cards) => {
    for (const { target, rootBounds: room, boundingClientRect: card } of cards) {
      target.classList.toggle("cut", !!room && card.bottom > room.bottom + 1 && card.height < room.height);
    }
    const below = column.querySelectorAll(".cut:not([hidden])");
    more.style.visibility = below[0] ? "" : "hidden";
    more.textContent = `+${below.length} more: ${below[0]?.querySelector("h2, h3, summary")?.textContent}`;
    observe();
  }, { root: column, rootMargin: `0px 0px ${-BELOW}px`, threshold: [0, 1] });
  observe();
}
