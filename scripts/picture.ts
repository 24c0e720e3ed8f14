// `npm run docs:picture`: runs requests with the built-in planner, and draws what a terminal shows of them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What is drawn, in a terminal of how many columns; `tools` is a file to import first. */
const PICTURES = [
  { file: "docs/images/run.svg", request: "What is 45342 * 23487 + 32478?", columns: 92 },
  {
    file: "docs/images/receipt.svg",
    request: "Move todo 1 to 2026-11-27",
    tools: "examples/todos.ts",
    columns: 80,
  },
];

/** Pixels of a character and of a line, at a font size of 14. */
const [CHARACTER, LINE] = [8.43, 21];

/** Around the text, and above it for the title. */
const [MARGIN, TITLE] = [18, 36];

for (const picture of PICTURES) {
  const { file, request, tools, columns } = picture;
  const library = tools ? " --library todos" : "";
  const lines = [`$ npx tulipgraph solve "${request}"${library}`, ...printed(picture)];
  writeFileSync(file, drawn(lines, columns));
}

/** The lines that the run prints, in a new home, so that nothing of this machine is in them. */
function printed({ request, tools, columns }: (typeof PICTURES)[number]): string[] {
  const home = mkdtempSync(join(tmpdir(), "tulipgraph-picture-"));
  const env = {
    ...process.env,
    TULIPGRAPH_HOME: home,
    TULIPGRAPH_LOCAL_MODELS: "off",
    NO_COLOR: "1",
    TERM: "dumb",
  };
  const bin = `${process.execPath} bin/tulipgraph.mjs`;
  if (tools) execFileSync("sh", ["-c", `${bin} tools import ${tools}`], { env, stdio: "ignore" });
  const library = tools ? "--library todos" : "";
  const solve = `${bin} solve "${request}" ${library} --thread first --model offline:planner`;
  // Only a terminal has columns.
  const typed = `stty cols ${columns}; ${solve} 2>/dev/null`;
  const output = execFileSync("script", ["-qec", typed, "/dev/null"], { env, encoding: "utf8" });
  rmSync(home, { recursive: true });
  return output.replaceAll("\r", "").trimEnd().split("\n");
}

function drawn(lines: readonly string[], columns: number): string {
  const width = Math.ceil(columns * CHARACTER + 2 * MARGIN);
  const height = TITLE + lines.length * LINE + MARGIN;
  const rows = lines.map((line, at) => {
    const y = TITLE + (at + 1) * LINE - 6;
    return `  <text x="${MARGIN}" y="${y}" xml:space="preserve">${coloured(shortened(line, columns))}</text>`;
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

function shortened(line: string, columns: number): string {
  return line.length > columns ? `${line.slice(0, columns - 1).trimEnd()}…` : line;
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
