import type { Page } from "playwright-core";

/** A text with too little contrast. */
export interface FaintText {
  text: string;
  ratio: number;
}

/**
 * Texts on show whose contrast with what they stand on is below 4.5 to 1 (WCAG 2.2, 1.4.3), which
 * exempts disabled controls.
 */
export async function faintTexts(page: Page): Promise<FaintText[]> {
  const texts = await page.evaluate(shownTexts);
  return texts
    .map(({ text, colour, ground }) => ({
      text,
      ratio: contrast(luminance(colour), luminance(ground)),
    }))
    .filter(({ ratio }) => ratio < 4.5);
}

/** Every visible text with its colour and its background. Runs in the page. */
function shownTexts(): { text: string; colour: string; ground: string }[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const text = (walker.currentNode.textContent ?? "").trim();
    const parent = walker.currentNode.parentElement;
    if (!parent || text === "" || !parent.checkVisibility()) continue;
    if (parent.closest("script, style, title, desc, :disabled")) continue;
    let under: Element | null = parent;
    while (under && getComputedStyle(under).backgroundColor === "rgba(0, 0, 0, 0)")
      under = under.parentElement;
    const style = getComputedStyle(parent);
    found.push({
      text: text.slice(0, 40),
      colour: parent instanceof SVGElement ? style.fill : style.color,
      ground: getComputedStyle(under ?? document.body).backgroundColor,
    });
  }
  return found;
}

function luminance(colour: string): number {
  const parts = (colour.match(/[\d.]+/g) ?? []).slice(0, 3);
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = Number(part) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
