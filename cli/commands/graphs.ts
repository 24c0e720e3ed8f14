import { Command } from "commander";
import { graphs } from "../../graphs/index.js";
import { findGraph } from "../findGraph.js";
import { printJson, printTable } from "../print.js";

/** `tulipgraph graphs [--json] | graphs draw ID` */
export function graphsCommand(): Command {
  const command = new Command("graphs").description(
    "The graphs: each is a wiring of the same stages",
  );
  command
    .command("list", { isDefault: true })
    .description("List the graphs")
    .option("--json", "print one JSON array")
    .action(({ json }: { json?: boolean }) => listGraphs(json));
  command
    .command("draw")
    .description("Draw a graph as a Mermaid diagram")
    .argument("<id>", "the graph's id")
    .action(async (id: string) => {
      const { graph } = graphs[findGraph(id)];
      process.stdout.write(`${(await graph.getGraphAsync()).drawMermaid().trimEnd()}\n`);
    });
  return command;
}

function listGraphs(json?: boolean): void {
  const list = Object.entries(graphs).map(([id, { summary, source }]) => ({ id, summary, source }));
  if (json) return printJson(list);
  printTable(list.map(({ id, summary, source }) => [id, summary, source]));
}
