// Says how far a match has come that is run for one person.

/**
 * @param {{ state: string, words: string, position: number }} run
 * @returns {string}
 */
export function describeRun({ state, words, position }) {
  const before = position - 1;
  if (state === "waiting") return before > 0 ? `It waits: ${before} ${before === 1 ? "run is" : "runs are"} before it …` : "It is about to be played …";
  return state === "playing" ? "It is being played …" : words;
}
