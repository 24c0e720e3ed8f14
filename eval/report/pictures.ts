import { readText } from "../files.js";
import { STYLE } from "./html.js";
import type { Report } from "./report.js";

const DRAWING = /<svg role="img" aria-labelledby="([\w-]+)-title[\s\S]*?<\/svg>/g;

/** The charts of a report as files for documents: `charts/scatter.svg` and so on. */
export function chartFiles({ sections }: Report): Record<string, string> {
  const drawings = sections.flatMap(({ figures = [] }) => figures).join("\n");
  return Object.fromEntries(
    [...drawings.matchAll(DRAWING)].map(([svg, id = "chart"]) => [`charts/${id}.svg`, alone(svg)]),
  );
}

function lightColours(): Map<string, string> {
  const [light = ""] = readText(STYLE).split("@media");
  const colours = [...light.matchAll(/(--[\w-]+): (#\w+);/g)];
  return new Map(colours.map(([, name = "", colour = ""]) => [name, colour]));
}

/** A chart with colours of its own, for pages that have no style for it. */
function alone(svg: string): string {
  const colours = lightColours();
  const size = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg);
  const [, width = "", height = ""] = size ?? [];
  const start = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" `;
  const ground = `<rect width="${width}" height="${height}" fill="${colours.get("--ground")}"/>`;
  return `${svg
    .replace("<svg ", start)
    .replace("</desc>", `</desc>${ground}`)
    .replaceAll(/var\((--[\w-]+)\)/g, (whole, name: string) => colours.get(name) ?? whole)
    .replaceAll("currentColor", colours.get("--ink") ?? "black")
    .replaceAll('font-family="inherit"', 'font-family="sans-serif"')}\n`;
}
