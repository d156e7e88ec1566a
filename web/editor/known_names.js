// What a game gives a bot, offered while one types and told under the pointer.

import { autocompletion } from "@codemirror/autocomplete";
import { pythonLanguage } from "@codemirror/lang-python";
import { hoverTooltip } from "@codemirror/view";

/** @import { Completion, CompletionContext } from "@codemirror/autocomplete" */
/** @import { Extension } from "@codemirror/state" */
/** @import { ApiEntry } from "../write/types.d.ts" */

const MAX_EXPLAINED = 3;
const HOVER_MS = 250;

/**
 * Return what completes and explains these names.
 * @param {ApiEntry[]} entries
 * @returns {Extension}
 */
export function makeExtensions(entries) {
  return [
    autocompletion({ icons: false }),
    pythonLanguage.data.of({ autocomplete: /** @param {CompletionContext} context */ (context) => findCompletions(context, entries) }),
    hoverTooltip(
      (view, at) => {
        const { from, text } = view.state.doc.lineAt(at);
        const [start, end] = wordAround(text, at - from);
        const told = start === end ? [] : findEntries(entries, text.slice(start, end), ownerBefore(text, start));
        if (!told.length) return null;
        const create = () => ({ dom: renderEntries(told) });
        return { pos: from + start, end: from + end, above: true, create };
      },
      { hoverTime: HOVER_MS },
    ),
  ];
}

/**
 * @param {CompletionContext} context
 * @param {ApiEntry[]} entries
 */
function findCompletions(context, entries) {
  const word = context.matchBefore(/[\w]*$/);
  const line = context.state.doc.lineAt(context.pos);
  const start = (word?.from ?? context.pos) - line.from;
  const owner = ownerBefore(line.text, start);
  if (owner === null && !context.explicit && (word?.text.length ?? 0) < 2) return null;
  const isPart = owner !== null;
  const options = entries.filter((entry) => Boolean(entry.of) === isPart).map((entry) => completion(entry, owner));
  return options.length ? { from: line.from + start, options, validFor: /^\w*$/ } : null;
}

/**
 * @param {ApiEntry} entry
 * @param {string | null} owner  what stands before the dot
 * @returns {Completion}
 */
function completion(entry, owner) {
  const { name, of, kind, signature } = entry;
  return {
    label: name,
    type: kind,
    detail: of || signature.slice(0, 40),
    boost: owner && ownerMatches(owner, of) ? 20 : 0,
    info: () => renderEntries([entry]),
  };
}

/**
 * Return the entries of this name, those of the object before the dot first.
 * @param {ApiEntry[]} entries
 * @param {string} name
 * @param {string | null} owner
 */
function findEntries(entries, name, owner) {
  const found = entries.filter((entry) => entry.name === name);
  const own = owner === null ? found : found.filter(({ of }) => ownerMatches(owner, of));
  return (own.length ? own : found).slice(0, MAX_EXPLAINED);
}

/**
 * Tell whether a name may be that of an object of this class: `my_slime` of a Slime.
 * @param {string} owner
 * @param {string} of
 */
function ownerMatches(owner, of) {
  const [plain, cls] = [owner, of].map((name) => name.toLowerCase().replaceAll("_", ""));
  return plain === "self" ? /player|bot|brain|shape/.test(cls) : cls !== "" && (plain.endsWith(cls) || cls.endsWith(plain));
}

/**
 * Return the name before the dot in front of a place; "" before a dot without a name, null without a dot.
 * @param {string} text
 * @param {number} start
 */
function ownerBefore(text, start) {
  const found = /(\w*)(?:\([^()]*\)|\[[^[\]]*\])?\.$/.exec(text.slice(0, start));
  return found ? found[1] : null;
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {[number, number]}
 */
function wordAround(text, at) {
  const before = /\w*$/.exec(text.slice(0, at))?.[0].length ?? 0;
  const after = /^\w*/.exec(text.slice(at))?.[0].length ?? 0;
  return [at - before, at + after];
}

/** @param {ApiEntry[]} entries */
function renderEntries(entries) {
  const whole = document.createElement("div");
  for (const entry of entries) {
    const part = document.createElement("div");
    part.className = "cm-known";
    const code = document.createElement("code");
    code.textContent = formatSignature(entry);
    part.append(code, entry.text);
    whole.append(part);
  }
  return whole;
}

/** @param {ApiEntry} entry */
function formatSignature({ name, of, kind, signature }) {
  if (kind === "class") return `class ${name}`;
  const owned = of ? `${of}.${name}` : name;
  return kind === "method" || kind === "function" ? owned + signature.replace(/^\(self(, )?/, "(") : `${owned}: ${signature}`;
}
