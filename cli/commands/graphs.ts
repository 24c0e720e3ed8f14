import type { CommandForm } from "../command.js";
import { DEFAULT_GRAPH, allGraphs } from "../../graphs/index.js";
import { namedGraph } from "../../graphs/openGraph.js";
import { printJson, printTable, printLine } from "../printing/print.js";

/** `tulipgraph graphs [ID]` */
export const GRAPHS: CommandForm = {
  about: "List the graphs, or draw one as a Mermaid diagram",
  args: { "[graph]": "the graph to draw, or a file with your own wiring" },
  examples: ["tulipgraph graphs --json", "tulipgraph graphs cot_tulip > cot_tulip.mmd"],
  run: async (id: string | undefined, { json }: { json?: boolean }) => {
    if (id === undefined) return await listGraphs(json);
    const { graph } = await namedGraph(id);
    const drawing = (await graph.getGraphAsync()).drawMermaid().trimEnd();
    if (json) printJson({ id, drawing });
    else printLine(drawing);
  },
};

async function listGraphs(json?: boolean): Promise<void> {
  const list = Object.entries(await allGraphs()).map(([id, { summary, source, budget }]) => ({
    id,
    summary,
    source,
    budget,
  }));
  if (json) return printJson(list);
  printTable({
    rows: list.map(({ id, summary, source }) => [
      id,
      `${summary}${id === DEFAULT_GRAPH ? " (the default)" : ""} · ${source}`,
    ]),
  });
}
