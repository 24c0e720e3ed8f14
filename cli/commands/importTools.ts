import type { Command } from "commander";
import type { CommandForm } from "../command.js";
import { collected } from "../options.js";
import { CREDENTIALS_HELP } from "../sources/importFile.js";
import { importFiles } from "../tools/changeTools.js";

/** `tools import FILES | mcp | openapi` */
export const IMPORT: CommandForm = {
  about:
    "Import the exported functions and LangChain tools of files, or files that describe tools, into a library",
  args: { "<files...>": "TypeScript or JavaScript; JSON or JSON lines for tools without code" },
  options: { "--description <text>": "description of the library" },
  examples: [
    "tulipgraph tools import ./examples/temperatures.ts",
    'tulipgraph tools import a.ts b.ts --library office --description "Mail and calendar"',
  ],
  run: importFiles,
  commands: {
    mcp: {
      about:
        "Import the tools of an MCP server. The server is a command, an address, or an entry in a configuration file of Claude Desktop, VS Code, Cursor or another client",
      args: {
        "[name]": "name of the server, and of its library unless --library is set",
        "[command...]": "after --, the command that starts the server",
      },
      options: {
        "--url <url>": "the server's address",
        "--header <header>": {
          text: "request header, such as 'Authorization: Bearer $TOKEN'; the variable is read when a connection opens; repeatable",
          read: collected,
        },
        "--env <assignment>": {
          text: "environment variable of the command, such as 'KEY=$VALUE'; $VALUE is read when the command starts; repeatable",
          read: collected,
        },
        "--config <file>": {
          text: "configuration file (JSON, TOML or YAML); with NAME, only the server of that name",
          conflicts: ["url", "header", "env"],
        },
        "--credentials <whose...>": CREDENTIALS_HELP,
        "--yes":
          "approve the servers of a configuration file, and accept changed and new tools without a review",
        "--allow-private":
          "let a configuration file send environment variables to private addresses",
        "--try-reads":
          "call each tool once that only reads, needs no arguments and declares no result, to learn what it returns",
        "--trust-hints":
          "treat tools as reads if the server says so; otherwise each counts as a write until you label it",
      },
      examples: [
        "tulipgraph tools import mcp files -- npx -y @modelcontextprotocol/server-filesystem .",
        "tulipgraph tools import mcp issues --url https://example.com/mcp --header 'Authorization: Bearer $TOKEN'",
        "tulipgraph tools import mcp --config claude_desktop_config.json --library desktop",
      ],
      run: async (name: string | undefined, words: string[], _own: object, command: Command) => {
        const { importMcp } = await import("../sources/importMcp.js");
        return await importMcp({ name, words, options: command.optsWithGlobals() });
      },
    },
    openapi: {
      about: "Import the operations of an OpenAPI document (2.0 to 3.2) as tools",
      args: {
        "<document>": "a file or URL, JSON or YAML",
        "[name]": "name of the API (default: name of the file or host)",
      },
      options: {
        "--base <url>": "base URL of the API, if the document does not state it correctly",
        "--only <pattern>": {
          text: "only operations whose operationId, path or tag matches; * matches anything; repeatable",
          read: collected,
        },
        "--auth <scheme=value>": {
          text: "credential, as 'SCHEME=$VARIABLE'; repeatable",
          read: collected,
        },
        "--credentials <whose...>": CREDENTIALS_HELP,
        "--no-deprecated": "skip deprecated operations",
        "--yes": "accept changed and new tools without a review",
        "--try-reads":
          "call each tool once that only reads, needs no arguments and declares no result, to learn what it returns",
      },
      examples: [
        "tulipgraph tools import openapi https://petstore3.swagger.io/api/v3/openapi.json petstore",
        "tulipgraph tools import openapi api.github.com.json github --only 'issues/*' --auth 'bearer=$GITHUB_TOKEN'",
      ],
      run: async (document: string, name: string | undefined, _own: object, command: Command) => {
        const { importOpenApi } = await import("../sources/importOpenApi.js");
        return await importOpenApi({ document, name, options: command.optsWithGlobals() });
      },
    },
  },
};
