import type { Command } from "commander";
import { examples } from "../helpExamples.js";
import type { LoginOptions } from "../login.js";
import { toCount } from "../runOptions.js";

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
    .option("--scope <scopes>", "rights to ask for beside those that the server names")
    .option("--client-id <id>", "as whom to ask, where the server registers nobody by itself")
    .option("--client-secret <variable>", "the secret that belongs to it, as '$VARIABLE'")
    .option(
      "--port <n>",
      "port on loopback to come back to, where the server takes only one",
      toCount,
    )
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools login issues",
        "tulipgraph tools login issues --url https://example.com/mcp",
      ]),
    )
    .action(async (name: string, options: LoginOptions) => {
      const { logIn } = await import("../login.js");
      await logIn(name, options);
    });
}
