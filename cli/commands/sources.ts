import type { Command } from "commander";
import { examples } from "../helpExamples.js";

/** `tools sources` and `tools login` */
export function addSources(tools: Command): void {
  tools
    .command("sources")
    .description(
      "List the MCP servers and OpenAPI documents that tools come from, and how they are reached",
    )
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph tools sources"]))
    .action(async (options: { json?: boolean }) => {
      const { listSources } = await import("../sources.js");
      await listSources(options);
    });
  tools
    .command("login")
    .description(
      "Log in at an MCP server with OAuth: prints an address to open, and waits until that has been done",
    )
    .argument("<name>", "the server's name")
    .option("--url <url>", "its address, before it is imported")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools login issues",
        "tulipgraph tools login issues --url https://example.com/mcp",
      ]),
    )
    .action(async (name: string, options: { url?: string }) => {
      const { logIn } = await import("../login.js");
      await logIn(name, options);
    });
}
