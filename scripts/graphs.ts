// `npm run graphs`: updates what other files say about graphs and stages: langgraph.json, the table in docs/graphs.md,
// and the drawings and the table of stages in docs/architecture.md.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DEFAULT_GRAPH, GRAPH_IDS, allGraphs, loadGraph } from "../graphs/index.js";
import { markdownTable } from "./markdownTable.js";

const COLUMNS = ["id", "what it does", "model calls, one-tool request"];

/** The up-to-date contents of the files that name all graphs, by path. */
export async function graphFiles(): Promise<Record<string, string>> {
  return {
    "langgraph.json": readFileSync("langgraph.json", "utf8").replace(
      /(?<="graphs": )\{[^}]*\}/,
      servedGraphs,
    ),
    "docs/graphs.md": await withTable(readFileSync("docs/graphs.md", "utf8")),
    "docs/architecture.md": await withStages(readFileSync("docs/architecture.md", "utf8")),
  };
}

/** The graphs that are drawn, in the order of their drawings. */
const DRAWN = ["tulip", "dfsdt_btp"] as const;

async function withStages(text: string): Promise<string> {
  const graphs = await Promise.all(DRAWN.map(loadGraph));
  const drawings = await Promise.all(graphs.map(({ graph }) => graph.getGraphAsync()));
  const drawn = text.replace(/(?<=```mermaid\n)%%.*?(?=\n```)/gs, () =>
    (drawings.shift()?.drawMermaid() ?? "").trim(),
  );
  return marked({
    text: drawn,
    name: "stages",
    table: markdownTable(["stage", "room", "what it does"], stages()),
  });
}

/** Every stage with its room and the gist of its comment. */
function stages(): string[][] {
  const inRooms = readdirSync("nodes", { recursive: true, encoding: "utf8" })
    .filter((file) => /^(?!kit|policy).*\.ts$/.test(file))
    .map((file) => join("nodes", file));
  return inRooms.toSorted().flatMap((file) => {
    const name = basename(file, ".ts");
    const code = readFileSync(file, "utf8");
    const said = new RegExp(`/\\*\\*((?:(?!\\*/).)*)\\*/\\nexport function ${name}\\(`, "s").exec(
      code,
    );
    return said && /\b(askingStage|stage)\(/.test(code)
      ? [[`\`${name}\``, `\`${dirname(file)}\``, gist(said[1] ?? "")]]
      : [];
  });
}

/** The beginning of a comment, at most up to the end of its first sentence. */
function gist(comment: string): string {
  const text = comment.replaceAll(/\s*\*\s|\s+/g, " ").trim();
  return (/^.{20,}?(?=[.:;,]? \(|[.;:] |\.$)/.exec(text)?.[0] ?? text).replaceAll("|", "\\|");
}

function servedGraphs(): string {
  const served = GRAPH_IDS.map((id) => [id, servedFrom(id)]);
  return JSON.stringify(Object.fromEntries(served), null, 2).replaceAll("\n", "\n  ");
}

/** A file exports one graph as `graph`, or those of a family by their ids. */
export function servedFrom(id: string): string {
  const file = readdirSync("graphs").find((name) =>
    readFileSync(join("graphs", name), "utf8").includes(`export const ${id} =`),
  );
  return file ? `./graphs/${file}:${id}` : `./graphs/${id}.ts:graph`;
}

async function withTable(text: string): Promise<string> {
  const rows = Object.entries(await allGraphs()).map(([id, { summary, modelCalls }]) => [
    `\`${id}\`${id === DEFAULT_GRAPH ? " (default)" : ""}`,
    summary.replace(/(?<=\bAs )\w+/, "`$&`"),
    String(modelCalls),
  ]);
  return marked({ text, name: "graphs", table: markdownTable(COLUMNS, rows) });
}

/** The text with the table replaced between its marks. */
function marked({ text, name, table }: { text: string; name: string; table: string }): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  return text.replace(new RegExp(`${begin}.*${end}`, "s"), () => `${begin}\n\n${table}\n\n${end}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(await graphFiles())) writeFileSync(path, text);
}
