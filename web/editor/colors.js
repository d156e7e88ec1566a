// How the editor looks: the colors of the site, which change with its theme.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** @param {string} color @param {number} share */
const mixColor = (color, share) => `color-mix(in srgb, var(--${color}) ${share}%, var(--text))`;

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--panel)", color: "var(--text)", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.55", overscrollBehavior: "contain" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--quiet)", borderRight: "1px solid var(--rim)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--raised) 45%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--raised)", color: "var(--text)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--link) 32%, transparent)",
  },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 40%, transparent)", outline: "none" },
  ".cm-searchMatch-selected": { backgroundColor: "color-mix(in srgb, var(--accent) 75%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--link) 30%, transparent)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "color-mix(in srgb, var(--bad) 35%, transparent)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--raised)", border: "1px solid var(--rim)", color: "var(--quiet)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", fontFamily: "Inter, system-ui, sans-serif" },
  ".cm-panels-top": { borderBottom: "1px solid var(--rim)" },
  ".cm-panel.cm-search": { padding: "6px 8px" },
  ".cm-panel.cm-search label": { fontSize: "13px" },
  ".cm-textfield": { backgroundColor: "var(--panel)", border: "1px solid var(--quiet)", borderRadius: "6px", padding: "4px 8px", color: "inherit" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--panel)", border: "1px solid var(--rim)", borderRadius: "6px", padding: "4px 10px", color: "inherit" },
  ".cm-button:active": { backgroundImage: "none", backgroundColor: "var(--raised)" },
  ".cm-panel.cm-search [name=close]": { color: "var(--text)", fontSize: "18px", width: "28px", height: "28px" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)", border: "1px solid var(--rim)", borderRadius: "8px", color: "var(--text)",
    boxShadow: "0 4px 16px var(--shade)",
  },
  ".cm-tooltip-hover, .cm-tooltip-lint": { overflow: "hidden" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "ui-monospace, monospace", maxHeight: "14em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: ".75" },
  ".cm-completionInfo": { padding: "0", width: "min(26em, 60vw)", maxHeight: "16em", overflow: "auto" },
  // Where there is no room beside the list, the text about a name stands below it.
  ".cm-completionInfo.cm-completionInfo-right-narrow, .cm-completionInfo.cm-completionInfo-left-narrow": {
    top: "100% !important", bottom: "auto !important", left: "0", right: "auto", width: "100%", boxSizing: "border-box",
  },
  ".cm-known": { padding: "8px 10px", maxWidth: "min(34em, 80vw)", font: "13.5px/1.45 Inter, system-ui, sans-serif", whiteSpace: "pre-line" },
  ".cm-known + .cm-known": { borderTop: "1px solid var(--rim)" },
  ".cm-known code": { display: "block", font: "13px/1.5 ui-monospace, monospace", color: "var(--link)", whiteSpace: "pre-wrap", marginBottom: "2px" },
  ".cm-diagnostic": { padding: "6px 10px", font: "13.5px/1.45 Inter, system-ui, sans-serif", whiteSpace: "pre-wrap", maxWidth: "min(40em, 86vw)" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--accent)" },
  ".cm-diagnostic-info": { borderLeft: "4px solid var(--link)" },
  ".cm-lintRange": { textDecorationThickness: "2px", textUnderlineOffset: "3px" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--focus)" },
  ".cm-lintRange-info": { backgroundImage: "none", textDecoration: "underline dotted var(--link)" },
});

const inks = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--link)" },
  { tag: [tags.string, tags.special(tags.string)], color: mixColor("won", 62) },
  { tag: [tags.number, tags.bool, tags.null], color: mixColor("bad", 72) },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.definition(tags.className), tags.className], color: "var(--focus)", fontWeight: "600" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.function(tags.variableName))], color: "var(--focus)", fontWeight: "600" },
  { tag: tags.meta, color: "var(--focus)" },
  { tag: tags.self, color: mixColor("link", 55) },
  { tag: tags.invalid, color: "var(--bad)" },
]);

export const colors = [look, syntaxHighlighting(inks)];
