// `npm run graphs`: writes langgraph.json and the table in README.md anew, from the files of the graphs.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GENERATOR_IDS } from "../eval/generation/graphs/generators.js";
import { DEFAULT_GRAPH, GRAPH_IDS, allGraphs } from "../graphs/index.js";

const COLUMNS = ["id", "what it does", "model calls, one-tool request"];

/** What the files that name all graphs have to say, by their paths. */
export async function graphFiles(): Promise<Record<string, string>> {
  return {
    "langgraph.json": readFileSync("langgraph.json", "utf8").replace(
      /(?<="graphs": )\{[^}]*\}/,
      servedGraphs,
    ),
    "README.md": await withTable(readFileSync("README.md", "utf8")),
  };
}

function servedGraphs(): string {
  const served = [
    ...GRAPH_IDS.map((id) => [id, `./graphs/${id}.ts:graph`]),
    ...GENERATOR_IDS.map((id) => [id, `./eval/generation/graphs/${id}.ts:graph`]),
  ];
  return JSON.stringify(Object.fromEntries(served), null, 2).replaceAll("\n", "\n  ");
}

async function withTable(text: string): Promise<string> {
  const rows = Object.entries(await allGraphs()).map(([id, { summary, modelCalls }]) => [
    `\`${id}\`${id === DEFAULT_GRAPH ? " (default)" : ""}`,
    summary.replace(/(?<=\bAs )\w+/, "`$&`"),
    String(modelCalls),
  ]);
  const table = [COLUMNS, ["", "", ""], ...rows].map((row, at) => line({ row, at, rows }));
  const marked = ["<!-- graphs -->", "", ...table, "", "<!-- /graphs -->"].join("\n");
  return text.replace(/<!-- graphs -->.*<!-- \/graphs -->/s, () => marked);
}

function line({ row, at, rows }: { row: string[]; at: number; rows: string[][] }): string {
  const cells = row.map((cell, column) => {
    const width = Math.max(...[COLUMNS, ...rows].map((other) => other[column]?.length ?? 0));
    return at === 1 ? "-".repeat(width) : cell.padEnd(width);
  });
  return `| ${cells.join(" | ")} |`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(await graphFiles())) writeFileSync(path, text);
}
