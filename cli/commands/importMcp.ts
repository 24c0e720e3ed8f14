import type { Command } from "commander";
import type { Exit } from "../exit.js";
import { examples } from "../helpExamples.js";
import { withLibrary } from "../libraryOption.js";
import { collected } from "../runOptions.js";
import type { McpImportOptions } from "../importMcp.js";

/** `tools import mcp NAME -- COMMAND…`, `tools import mcp NAME --url URL`, `tools import mcp --config FILE` */
export function addImportMcp(importing: Command, exit: Exit): void {
  const command = importing
    .command("mcp")
    .description(
      "Make the tools of an MCP server tools of a library: of one that is started by a command, of one at an address, or of all in the configuration file of Claude Desktop, VS Code or Cursor",
    )
    .argument("[name]", "what the server is called here; its library too, without --library")
    .argument("[command...]", "behind --, what starts the server")
    .option("--url <url>", "the server's address")
    .option(
      "--header <header>",
      "a header for it, 'Authorization: Bearer $TOKEN'; the variable is read when a connection opens",
      collected,
    )
    .option(
      "--env <assignment>",
      "a variable for the command, 'KEY=$VALUE'; the right side is read when it starts",
      collected,
    )
    .option(
      "--config <file>",
      "a configuration file; with NAME, only the server of that name in it",
    );
  withLibrary(command)
    .option("--yes", "accept tools that have changed or are new since they were accepted")
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
      const { importMcp } = await import("../importMcp.js");
      // Options that the import of files has as well count as that one's.
      const options = command.optsWithGlobals<McpImportOptions>();
      exit(await importMcp({ name, words, options }));
    });
}
