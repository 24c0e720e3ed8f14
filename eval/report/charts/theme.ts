import type { Config } from "vega-lite";

/** Letters of charts, in pixels. */
export const FONT_SIZE = 11;

/** Mean width of a letter in parts of its height: a little more than that of usual sans-serifs. */
const LETTER_WIDTH = 0.58;

/** Width of a text in pixels, estimated: there is no canvas to measure with. */
export function textWidth(text: string): number {
  return Math.ceil(text.length * FONT_SIZE * LETTER_WIDTH);
}

/** A text cut to a width in its middle: names that are long mostly differ at their ends. */
export function fitText(text: string, width: number): string {
  const letters = Math.max(3, Math.floor(width / (FONT_SIZE * LETTER_WIDTH)));
  if (text.length <= letters) return text;
  const head = Math.ceil((letters - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (letters - 1 - head))}`;
}

/** Colours by name of a custom property, which the page sets for light and for dark. */
export const COLOURS = [1, 2, 3, 4, 5, 6].map((number) => `var(--series-${number})`);
export const ACCENT = "var(--accent)";
export const GROUND = "var(--ground)";

/** All letters and lines in the colour of the page's text, and no box around the drawing. */
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
    // Vega believes letters wider than they are and would cut or drop labels that fit.
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
