import type { Command } from "commander";
import { requireExtra } from "../../common/extras.js";
import { examples } from "../helpExamples.js";
import type { LoginOptions } from "../sources/login.js";
import { toCount } from "../options.js";

/** `tools login NAME` */
export function addLogin(tools: Command): void {
  tools
    .command("login")
    .description(
      "Log in to an MCP server with OAuth: prints an address to open, and waits until you have logged in",
    )
    .argument("<name>", "the server's name")
    .option("--url <url>", "its address, if it is not imported yet")
    .option("--scope <scopes>", "scopes to request besides those that the server names")
    .option("--client-id <id>", "the OAuth client, if the server does not register clients itself")
    .option("--client-secret <variable>", "the client's secret, as '$VARIABLE'")
    .option("--port <n>", "loopback port for the redirect, if the server accepts only one", toCount)
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools login issues",
        "tulipgraph tools login issues --url https://example.com/mcp",
      ]),
    )
    .action(async (name: string, options: LoginOptions) => {
      requireExtra("mcp");
      const { logIn } = await import("../sources/login.js");
      await logIn(name, options);
    });
}
