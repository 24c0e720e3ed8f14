import { Command, Option } from "commander";
import { SEVERITIES } from "../../tools/library/checks/finding.js";
import { examples } from "../options.js";
import type { Exit } from "../exit.js";
import { type CheckOptions, checkServer } from "../tools/checkServer.js";

/** `tulipgraph check -- COMMAND…` */
export function checkCommand(exit: Exit): Command {
  return new Command("check")
    .description(
      "Check the tools of an MCP server that you are writing: whether searches reach them beside other servers' tools, twins, silence about effects and results, schemas that clients refuse, hostile text, tokens. Calls no tool and stores nothing",
    )
    .argument("[command...]", "after --, the command that starts the server")
    .option("--url <url>", "the server's address, instead of a command")
    .option(
      "--beside <file>",
      "a file with the tools that it stands beside (default: the shipped catalogs)",
    )
    .addOption(
      new Option("--level <severity>", "the mildest findings that are shown and make it fail")
        .choices(SEVERITIES)
        .default("warning"),
    )
    .option("--junit <file.xml>", "write the findings as JUnit XML")
    .option("--badge <file.svg>", "write a badge")
    .addHelpText(
      "after",
      examples([
        "tulipgraph check -- node server.mjs",
        "tulipgraph check --junit check.xml --badge tools.svg -- node server.mjs",
      ]),
    )
    .action(async (words: string[], options: CheckOptions) =>
      exit(await checkServer(words, options)),
    );
}
