// What others ask of the reader: to take back a move, to end a board, to play again.

/** @import { PossibleAct, Position } from "../shared/types.d.ts" */
/** @typedef {{ key: string, words: string, agree?: PossibleAct, decline?: PossibleAct }} Offer */

const [ACCEPT_END, AGREE] = ["accept the end", "agree to take back"];
/** @type {Record<string, string>} */
const DECLINES = { [ACCEPT_END]: "decline the end", [AGREE]: "decline to take back" };
/** The acts that answer an offer. */
export const ANSWERS = [ACCEPT_END, AGREE, ...Object.values(DECLINES)];

/**
 * Return what the reader is asked; without `agree` it is to play again.
 * @param {Pick<Position, "seats" | "acts" | "step" | "outcome" | "rematch" | "rematch_wishes" | "rematch_refusals">} position
 * @returns {Offer[]}
 */
export function listOffers({ seats, acts, step, outcome, rematch, rematch_wishes: wishes, rematch_refusals: refusals }) {
  /** @type {Offer[]} */
  const offers = [];
  for (const agree of acts) {
    const { team, piece, name, words } = agree;
    const who = list(seats.filter((seat) => seat.team !== team).map((seat) => seat.name));
    const decline = acts.find((act) => act.name === DECLINES[name] && act.team === team && act.piece === piece);
    const key = `${name} ${team} ${piece} ${step}`;
    if (name === AGREE) offers.push({ key, words: `${who} asks to take back ${words}`, agree, decline });
    if (name === ACCEPT_END) offers.push({ key, words: `${who} offers to end board ${piece}`, agree, decline });
  }
  const people = seats.filter((seat) => seat.kind === "person");
  const asking = people.filter((seat) => !seat.is_yours && wishes.includes(seat.team));
  const isOpen = people.some((seat) => seat.is_yours && ![...wishes, ...refusals].includes(seat.team));
  if (outcome && !rematch && isOpen && asking.length) {
    offers.push({ key: `again ${wishes}`, words: `${list(asking.map((seat) => seat.name))} would like to play again` });
  }
  return offers;
}

/** @param {string[]} names */
export const list = (names) => new Intl.ListFormat("en").format(names);
