// `npm run docs:picture`: runs a request with the built-in planner, and draws what a terminal shows of it for README.md.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const REQUEST = "What is 45342 * 23487 + 32478?";
const FILE = "docs/images/run.svg";

/** Columns of the drawn terminal. */
const COLUMNS = 92;

/** Pixels of a character and of a line, at a font size of 14. */
const [CHARACTER, LINE] = [8.43, 21];

/** Around the text, and above it for the title. */
const [MARGIN, TITLE] = [18, 36];

writeFileSync(FILE, drawn([`$ npx tulipgraph solve "${REQUEST}"`, ...printed()]));

/** The lines that the run prints, in a new home, so that nothing of this machine is in them. */
function printed(): string[] {
  const home = mkdtempSync(join(tmpdir(), "tulipgraph-picture-"));
  const env = { ...process.env, TULIPGRAPH_HOME: home, TULIPGRAPH_LOCAL_MODELS: "off" };
  const command = ["bin/tulipgraph.mjs", "solve", REQUEST, "--thread", "first"];
  const args = [...command, "--model", "offline:planner"];
  const output = execFileSync(process.execPath, args, { env, encoding: "utf8", stdio: "pipe" });
  rmSync(home, { recursive: true });
  return output.trimEnd().split("\n");
}

function drawn(lines: readonly string[]): string {
  const width = Math.ceil(COLUMNS * CHARACTER + 2 * MARGIN);
  const height = TITLE + lines.length * LINE + MARGIN;
  const rows = lines.map((line, at) => {
    const y = TITLE + (at + 1) * LINE - 6;
    return `  <text x="${MARGIN}" y="${y}" xml:space="preserve">${coloured(shortened(line))}</text>`;
  });
  const lights = ["#f87171", "#fbbf24", "#34d399"].map(
    (fill, at) => `  <circle cx="${MARGIN + 6 + at * 20}" cy="18" r="6" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e5e7eb">`,
    `  <title>A recorded run with the built-in planner</title>`,
    `  <rect width="${width}" height="${height}" rx="10" fill="#111827"/>`,
    ...lights,
    ...rows,
    "</svg>",
    "",
  ].join("\n");
}

function shortened(line: string): string {
  return line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1).trimEnd()}…` : line;
}

/** The command, the names of stages and asides in colours of their own. */
function coloured(line: string): string {
  const text = line.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  if (line.startsWith("$ ")) return `<tspan fill="#34d399">$</tspan>${text.slice(1)}`;
  const [name = ""] = /^[a-z]\w+(?= {2,})/.exec(text) ?? [];
  if (name)
    return `<tspan fill="#93c5fd" font-weight="600">${name}</tspan>${text.slice(name.length)}`;
  return line.includes(" · ") ? `<tspan fill="#9ca3af">${text}</tspan>` : text;
}
