import type { Command } from "commander";
import { requireExtra } from "../../common/extras.js";
import type { Exit } from "../exit.js";
import { examples } from "../helpExamples.js";
import { collected, withLibrary } from "../options.js";
import type { McpImportOptions } from "../sources/importMcp.js";

/** `tools import mcp NAME -- COMMAND…`, `tools import mcp NAME --url URL`, `tools import mcp --config FILE` */
export function addImportMcp(importing: Command, exit: Exit): void {
  const command = importing
    .command("mcp")
    .description(
      "Import the tools of an MCP server into a library: a server started by a command, one at an address, or all servers in a configuration file of Claude Desktop, VS Code or Cursor",
    )
    .argument("[name]", "a name for the server, and for its library without --library")
    .argument("[command...]", "after --, the command that starts the server")
    .option("--url <url>", "the server's address")
    .option(
      "--header <header>",
      "a header for requests, 'Authorization: Bearer $TOKEN'; the variable is read when a connection opens; may be repeated",
      collected,
    )
    .option(
      "--env <assignment>",
      "an environment variable for the command, 'KEY=$VALUE'; the right side is read when it starts; may be repeated",
      collected,
    )
    .option("--config <file>", "a configuration file; with NAME, only its server of that name");
  withLibrary(command)
    .option("--yes", "accept changed and new tools without a review")
    .option("--description <text>", "what the library is about")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools import mcp files -- npx -y @modelcontextprotocol/server-filesystem .",
        "tulipgraph tools import mcp issues --url https://example.com/mcp --header 'Authorization: Bearer $TOKEN'",
        "tulipgraph tools import mcp --config claude_desktop_config.json --library desktop",
      ]),
    )
    .action(async (name: string | undefined, words: string[]) => {
      requireExtra("mcp");
      const { importMcp } = await import("../sources/importMcp.js");
      // Commander assigns options that `tools import` has as well to that command.
      const options = command.optsWithGlobals<McpImportOptions>();
      exit(await importMcp({ name, words, options }));
    });
}
