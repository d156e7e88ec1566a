// Return every text that is shown with less contrast than `least`, with its colors (WCAG 2.2).
(least) => {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
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
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const words = walker.currentNode.textContent.trim();
    if (!words || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName)) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    const ground = groundOf(element);
    const ink = over(parse(style.color), ground);
    const [dark, light] = [brightness(ink), brightness(ground)].sort((a, b) => a - b);
    const contrast = (light + 0.05) / (dark + 0.05);
    const isLarge = parseFloat(style.fontSize) >= 24
      || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (isLarge ? 3 : least)) {
      found.push(`${words.slice(0, 40)}: ${style.color} on ${JSON.stringify(ground)} is ${contrast.toFixed(2)}`);
    }
  }
  return found;
}
