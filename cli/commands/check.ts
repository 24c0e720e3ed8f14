import { SEVERITIES } from "../../tools/library/checks/finding.js";
import type { CommandForm } from "../command.js";
import { collected } from "../options.js";
import { checkServer } from "../tools/checkServer.js";

/** `tulipgraph check -- COMMAND…` */
export const CHECK: CommandForm = {
  about:
    "Check the tools of an MCP server that you are writing: whether searches reach them beside other servers' tools, twins, missing effects and result types, schemas that clients refuse, hostile text, tokens. Calls no tool and stores nothing",
  args: { "[command...]": "after --, the command that starts the server" },
  options: {
    "--url <url>": "the server's address, instead of a command",
    "--beside <library>": {
      text: "a library of yours, or a file with tools, to search among; repeatable (default: the shipped catalogs)",
      read: collected,
    },
    "--level <severity>": {
      text: "the mildest findings that are shown and make it fail",
      choices: SEVERITIES,
      usual: "warning",
    },
    "--junit <file.xml>": "write the findings as JUnit XML",
    "--badge <file.svg>": "write a badge",
  },
  examples: [
    "tulipgraph check -- node server.mjs",
    "tulipgraph check --beside work --beside tools.jsonl -- node server.mjs",
    "tulipgraph check --junit check.xml --badge tools.svg -- node server.mjs",
  ],
  run: checkServer,
};
