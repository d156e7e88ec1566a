// Makes elements. Untrusted text goes in as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

/** Return an HTML element; functions are listeners, true is an attribute without a value. */
export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Return an SVG element. */
export function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** Show or remove an element's attribute. */
export function mark(element, name, value) {
  if (value === false || value == null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value === true ? "" : value);
  }
}

/** Change a text only if it differs: readers of live regions hear every change. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Return a color of the theme, such as that of `--background`. */
export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else mark(element, name, value);
  }
  element.append(...children);
  return element;
}
