import { type Command, Option } from "commander";
import type { Exit } from "../exit.js";
import { collected, examples } from "../options.js";
import { CREDENTIALS_HELP } from "../sources/credentials.js";
import type { McpImportOptions } from "../sources/importMcp.js";
import type { OpenApiImportOptions } from "../sources/importOpenApi.js";
import { importFiles } from "../tools/changeTools.js";

/** `tools import FILES | mcp | openapi` */
export function addImport(tools: Command, exit: Exit): void {
  const importing = tools
    .command("import")
    .description("Import the exported functions and LangChain tools of files into a library")
    .argument("<files...>", "TypeScript or JavaScript files")
    .option("--description <text>", "description of the library")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools import ./examples/temperatures.ts",
        'tulipgraph tools import a.ts b.ts --library office --description "Mail and calendar"',
      ]),
    )
    .action(async (files: string[], options) => exit(await importFiles(files, options)));
  addMcp(importing, exit);
  addOpenApi(importing, exit);
}

/** `tools import mcp NAME -- COMMAND…`, `tools import mcp NAME --url URL`, `tools import mcp --config FILE` */
function addMcp(importing: Command, exit: Exit): void {
  const command = importing
    .command("mcp")
    .description(
      "Import the tools of an MCP server. The server is a command, an address, or an entry in a configuration file of Claude Desktop, VS Code or Cursor",
    )
    .argument("[name]", "name of the server, and of its library unless --library is set")
    .argument("[command...]", "after --, the command that starts the server")
    .option("--url <url>", "the server's address")
    .option(
      "--header <header>",
      "request header, such as 'Authorization: Bearer $TOKEN'; the variable is read when a connection opens; repeatable",
      collected,
    )
    .option(
      "--env <assignment>",
      "environment variable of the command, such as 'KEY=$VALUE'; $VALUE is read when the command starts; repeatable",
      collected,
    )
    .addOption(
      new Option(
        "--config <file.json>",
        "configuration file; with NAME, only the server of that name",
      ).conflicts(["url", "header", "env"]),
    )
    .option("--credentials <whose...>", CREDENTIALS_HELP)
    .option(
      "--yes",
      "approve the servers of a configuration file, and accept changed and new tools without a review",
    )
    .option(
      "--allow-private",
      "let a configuration file send environment variables to private addresses",
    )
    .option(
      "--try-reads",
      "call each tool once that only reads, needs no arguments and declares no result, to learn what it returns",
    )
    .option(
      "--trust-hints",
      "treat tools as reads if the server says so; otherwise each counts as a write until you label it",
    )
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools import mcp files -- npx -y @modelcontextprotocol/server-filesystem .",
        "tulipgraph tools import mcp issues --url https://example.com/mcp --header 'Authorization: Bearer $TOKEN'",
        "tulipgraph tools import mcp --config claude_desktop_config.json --library desktop",
      ]),
    )
    .action(async (name: string | undefined, words: string[]) => {
      const { importMcp } = await import("../sources/importMcp.js");
      const options = command.optsWithGlobals<McpImportOptions>();
      exit(await importMcp({ name, words, options }));
    });
}

function addOpenApi(importing: Command, exit: Exit): void {
  const command = importing
    .command("openapi")
    .description("Import the operations of an OpenAPI document (3.0 or 3.1) as tools")
    .argument("<document>", "a file or URL, JSON or YAML")
    .argument("[name]", "name of the API (default: name of the file or host)")
    .option("--base <url>", "base URL of the API, if the document does not state it correctly")
    .option(
      "--only <pattern>",
      "only operations whose operationId, path or tag matches; * matches anything; repeatable",
      collected,
    )
    .option("--auth <scheme=value>", "credential, as 'SCHEME=$VARIABLE'; repeatable", collected)
    .option("--credentials <whose...>", CREDENTIALS_HELP)
    .option("--no-deprecated", "skip deprecated operations")
    .option("--yes", "accept changed and new tools without a review")
    .option(
      "--try-reads",
      "call each tool once that only reads, needs no arguments and declares no result, to learn what it returns",
    )
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools import openapi https://petstore3.swagger.io/api/v3/openapi.json petstore",
        "tulipgraph tools import openapi api.github.com.json github --only 'issues/*' --auth 'bearer=$GITHUB_TOKEN'",
      ]),
    )
    .action(async (document: string, name: string | undefined) => {
      const { importOpenApi } = await import("../sources/importOpenApi.js");
      const options = command.optsWithGlobals<OpenApiImportOptions>();
      exit(await importOpenApi({ document, name, options }));
    });
}
