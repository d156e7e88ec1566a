// Return what is shown with too little contrast, with its colors (WCAG 2.2): texts, and in dialogs, notices and
// forms the rims and icons of controls.
() => {
  const CONTROLS = "select, textarea, input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=range]), "
    + ":is(dialog, #past, #tour, #outbox, #first-words, .once) :is(button, .button)";
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    const most = text.startsWith("color(") ? 255 : 1; // as color-mix() makes it: from 0 to 1
    return { r: r * most, g: g * most, b: b * most, a };
  };
  const over = (top, below) => ({
    r: top.r * top.a + below.r * (1 - top.a),
    g: top.g * top.a + below.g * (1 - top.a),
    b: top.b * top.a + below.b * (1 - top.a),
    a: 1,
  });
  const linear = (value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const brightness = ({ r, g, b }) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const groundOf = (element) => {
    const grounds = [];
    for (let at = element; at; at = at.parentElement) grounds.unshift(parse(getComputedStyle(at).backgroundColor));
    return grounds.reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const contrastOf = (one, other) => {
    const [dark, light] = [brightness(one), brightness(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const words = walker.currentNode.textContent.trim();
    if (!words || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName)) continue;
    if (!isSeen(element)) continue;
    const style = getComputedStyle(element);
    const ground = groundOf(element);
    const ink = over(parse(style.color), ground);
    const contrast = contrastOf(ink, ground);
    const isLarge = parseFloat(style.fontSize) >= 24
      || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (isLarge ? 3 : 4.5)) {
      found.push(`${words.slice(0, 40)}: ${style.color} on ${JSON.stringify(ground)} is ${contrast.toFixed(2)}`);
    }
  }
  for (const control of document.querySelectorAll(CONTROLS)) {
    if (!isSeen(control) || control.disabled || control.ariaDisabled === "true") continue;
    const style = getComputedStyle(control);
    const ground = groundOf(control.parentElement);
    const fill = over(parse(style.backgroundColor), ground);
    const edges = parseFloat(style.borderTopWidth) ? [fill, over(parse(style.borderTopColor), ground)] : [fill];
    // A sign or an icon says what it is without a rim; words alone look like any other text.
    const isIcon = control.matches("button, .button") && control.textContent.trim().length < 2;
    if (isIcon) edges.push(over(parse(style.color), fill));
    const contrast = Math.max(...edges.map((edge) => contrastOf(edge, ground)));
    if (contrast < 3) {
      const name = control.id || control.name || control.ariaLabel || control.textContent.trim() || control.className;
      found.push(`${control.tagName.toLowerCase()} ${name.slice(0, 40)}: its rim on ${JSON.stringify(ground)} is ${contrast.toFixed(2)}`);
    }
  }
  return found;
}
