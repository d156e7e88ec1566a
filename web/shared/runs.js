// Says how far a match has come that is run for one person.

const PLACES = ["", "next", "second", "third", "fourth", "fifth"];

/**
 * @param {{ state: string, words: string, position: number, wait_s?: number }} run
 * @returns {string}
 */
export function describeRun({ state, words, position, wait_s: waitS = 0 }) {
  if (state === "playing") return "It is being played …";
  if (state !== "waiting") return words;
  if (!position) return "It is about to be played …";
  return `It waits: ${PLACES[position] ?? `number ${position}`} in the queue${waitS ? `, about ${waitS} s` : ""} …`;
}
