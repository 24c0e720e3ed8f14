import { Command } from "commander";
import { DEFAULT_GRAPH, allGraphs, loadGraph } from "../../graphs/index.js";
import { examples } from "../helpExamples.js";
import { findGraph } from "../../graphs/openGraph.js";
import { printJson, printTable } from "../printing/print.js";

/** `tulipgraph graphs list | draw ID` */
export function graphsCommand(): Command {
  const command = new Command("graphs")
    .description("The graphs, each a wiring of the same stages. Alone, it lists them")
    .addHelpText(
      "after",
      examples(["tulipgraph graphs --json", "tulipgraph graphs draw cot_tulip > cot_tulip.mmd"]),
    );
  command
    .command("list")
    .description("List the graphs")
    .option("--json", "print one JSON array")
    .addHelpText("after", examples(["tulipgraph graphs list --json"]))
    .action(({ json }: { json?: boolean }) => listGraphs(json));
  command
    .command("draw")
    .description("Draw a graph as a Mermaid diagram")
    .argument("<id>", "the graph's id")
    .addHelpText("after", examples(["tulipgraph graphs draw cot_tulip > cot_tulip.mmd"]))
    .action(async (id: string) => {
      const { graph } = await loadGraph(findGraph(id));
      process.stdout.write(`${(await graph.getGraphAsync()).drawMermaid().trimEnd()}\n`);
    });
  return command;
}

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
