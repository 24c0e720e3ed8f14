import type { Config } from "vega-lite";

/** Font size of charts, in pixels. */
export const FONT_SIZE = 11;

/** Mean width of a letter relative to its height, a little more than in usual sans-serif fonts. */
const LETTER_WIDTH = 0.58;

/** Estimated width of a text in pixels: there is no canvas to measure with. */
export function textWidth(text: string): number {
  return Math.ceil(text.length * FONT_SIZE * LETTER_WIDTH);
}

/** Shortens a text in the middle to fit a width: long names mostly differ at their ends. */
export function fitText(text: string, width: number): string {
  const letters = Math.max(3, Math.floor(width / (FONT_SIZE * LETTER_WIDTH)));
  if (text.length <= letters) return text;
  const head = Math.ceil((letters - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (letters - 1 - head))}`;
}

/** Colours as custom properties, which the page sets for light and dark mode. */
export const COLOURS = [1, 2, 3, 4, 5, 6].map((number) => `var(--series-${number})`);
export const ACCENT = "var(--accent)";
export const GROUND = "var(--ground)";

/** Text and lines in the text colour of the page, and no frame. */
export const THEME: Config = {
  font: "inherit",
  aria: false,
  background: undefined,
  view: { stroke: null },
  axis: {
    labelColor: "currentColor",
    titleColor: "currentColor",
    tickColor: "currentColor",
    domainColor: "currentColor",
    gridColor: "currentColor",
    labelFontSize: FONT_SIZE,
    titleFontSize: FONT_SIZE,
    titleFontWeight: "normal",
    // Vega overestimates the width of text and would cut or drop labels that fit.
    labelLimit: 0,
    labelOverlap: false,
    labelFlush: false,
    gridOpacity: 0.13,
    tickOpacity: 0.4,
    domainOpacity: 0.4,
    tickSize: 4,
    labelPadding: 4,
  },
  text: { color: "currentColor", fontSize: FONT_SIZE },
  rule: { color: "currentColor" },
};
