// Makes elements. Untrusted text goes in as text, never as HTML.

/** @import { Attributes, ElementsById, Value } from "./types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return an element that the page has from the start.
 * @template {keyof ElementsById} Id
 * @param {Id} id
 */
export const byId = (id) => /** @type {ElementsById[Id]} */ (document.getElementById(id));

/**
 * Return an HTML element; functions are listeners, true is an attribute without a value.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {(Node | string | number)[]} children
 */
export function make(tag, attributes = {}, ...children) {
  return fillElement(document.createElement(tag), attributes, children);
}

/**
 * Return a button that does something when it is clicked.
 * @param {Node | string | number} words
 * @param {() => unknown} click
 * @param {Attributes} attributes
 */
export function button(words, click, attributes = {}) {
  return make("button", { type: "button", click, ...attributes }, words);
}

/**
 * Return the rows of a list of facts.
 * @param {[name: string, value: string][]} facts
 */
export function factRows(facts) {
  return facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)));
}

/**
 * Return an SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
export function draw(tag, attributes = {}, ...children) {
  return fillElement(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Show or remove an element's attribute.
 * @param {Element} element
 * @param {string} name
 * @param {Value} value
 */
export function mark(element, name, value) {
  if (value === false || value == null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Change a text only if it differs: readers of live regions hear every change.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Return a color of the theme, such as that of `--background`.
 * @param {string} name
 */
export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {(Node | string | number)[]} children
 */
function fillElement(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value !== "function") mark(element, name, value);
    else {
      element.addEventListener(
        name,
        /** @type {EventListener} */
        (value),
      );
    }
  }
  for (const child of children) element.append(typeof child === "number" ? String(child) : child);
  return element;
}
