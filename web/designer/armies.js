// The armies that one has in store, and how one of them is handed in.

import { API, send } from "../shared/requests.js";
import { browserStorage } from "../shared/storage.js";

/** @import { Answer } from "../shared/types.d.ts" */
/** @import { Army } from "./types.d.ts" */

const KEY = "armies"; // where the browser keeps them
const MAX_ARMIES = 50;

/**
 * Return the armies in store, the newest first: of a member those that the server keeps.
 * @param {boolean} isMember
 * @returns {Promise<Army[]>}
 */
export async function loadArmies(isMember) {
  if (isMember) {
    /** @type {Answer<{ armies: { army: Army }[] }>} */
    const answer = await send("GET", `${API}/designs/mine`);
    return answer.isOk ? answer.armies.map(({ army }) => army) : [];
  }
  return browserStorage.loadValue(KEY) ?? [];
}

/**
 * Put an army in store, in place of one of the same name.
 * @param {Army} army
 * @param {string} preset
 * @param {boolean} isMember
 */
export async function storeArmy(army, preset, isMember) {
  if (isMember) return send("PUT", `${API}/designs/mine`, { army, preset, in_store: true });
  const others = (await loadArmies(false)).filter(({ name }) => name !== army.name);
  browserStorage.save(KEY, JSON.stringify([army, ...others].slice(0, MAX_ARMIES)));
  return null;
}

/**
 * Hand an army in to a ladder; "" is the one that there is.
 * @param {Army} army
 * @param {string} preset
 * @param {string} ladder
 * @returns {Promise<Answer<{ path: string }>>}
 */
export async function handIn(army, preset, ladder) {
  /** @type {Answer<{ name: string, source: string }>} */
  const file = await send("POST", `${API}/designs/file`, { army, preset });
  if (!file.isOk) return file;
  /** @type {Answer<{ ladders: { id: string }[] }> | null} */
  const offered = ladder ? null : await send("GET", `${API}/designs`);
  const first = (offered?.isOk && offered.ladders[0]?.id) || "";
  const body = { files: { [file.name]: base64(file.source) }, name: army.name, ladder: ladder || first };
  return send("POST", `${API}/bots`, body);
}

/** @param {string} text */
function base64(text) {
  let letters = "";
  for (const byte of new TextEncoder().encode(text)) letters += String.fromCharCode(byte);
  return btoa(letters);
}
