import type { TopLevelSpec } from "vega-lite";
import { requireExtra } from "../../../common/extras.js";
import { escapeHtml, markup, type Markup, trusted } from "../markup.js";

/** A chart with its alternative text. */
export interface Chart {
  spec: TopLevelSpec;
  /** Unique within the page. */
  id: string;
  title: string;
  /** Its figures in words. */
  description: string;
}

/** Draws a chart as an SVG element that shrinks with its box and uses the colours of the page. */
export async function drawChart({ spec, id, title, description }: Chart): Promise<Markup> {
  const svg = await drawSvg(spec);
  const size = /^<svg[^>]* width="([\d.]+)" height="([\d.]+)"[^>]*>/.exec(svg);
  if (!size) throw new Error("vega draws SVG without a size at its start");
  const [opening, width, height] = size;
  const start =
    `<svg role="img" aria-labelledby="${id}-title ${id}-desc" viewBox="0 0 ${width} ${height}" ` +
    `style="width:${width}px"><title id="${id}-title">${escapeHtml(title)}</title>` +
    `<desc id="${id}-desc">${escapeHtml(description)}</desc>`;
  return trusted(start + svg.slice(opening.length));
}

/** Draws a chart as the text of an SVG file. */
export async function drawSvg(spec: TopLevelSpec): Promise<string> {
  requireExtra("charts");
  // Loading takes half a second, and only reports need it.
  const [vega, { compile }] = await Promise.all([import("vega"), import("vega-lite")]);
  const view = new vega.View(vega.parse(compile(spec).spec), { renderer: "none" });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
}

/** Each chart is drawn for two widths: scaled-down text would be unreadable. */
const WIDE = 720;
const NARROW = 328;

/** A chart for wide and one for narrow pages; the page shows one of them. */
export async function drawResponsive(draw: (width: number) => Chart): Promise<Markup> {
  const drawings = [
    { name: "wide", width: WIDE },
    { name: "narrow", width: NARROW },
  ].map(async ({ name, width }) => {
    const chart = draw(width);
    const drawing = await drawChart({ ...chart, id: `${chart.id}-${name}` });
    return markup`<div class="${name}">${drawing}</div>`;
  });
  return markup`${await Promise.all(drawings)}`;
}
