import { Command } from "commander";
import { examples } from "../examples.js";
import type { Exit } from "../exit.js";
import { importFiles, removeTools } from "../changeTools.js";
import { addLimits } from "../runOptions.js";
import { listTools, searchTools, showTool } from "../showTools.js";

/** `tulipgraph tools list | show | search | import | remove` */
export function toolsCommand(exit: Exit): Command {
  const command = new Command("tools")
    .description("Tool libraries and their tools. Alone, it lists the tools of a library")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools list --libraries",
        "tulipgraph tools import ./examples/temperatures.ts",
        'tulipgraph tools search "how warm it feels" --library temperatures',
      ]),
    );
  addReading(command);
  addChanging(command, exit);
  return command;
}

function addReading(command: Command): void {
  withLibrary(command.command("list"))
    .description("List the tools of a library, or all libraries")
    .option("--libraries", "list the libraries instead")
    .addHelpText("after", examples(["tulipgraph tools list --library math --json"]))
    .action(listTools);
  withLibrary(command.command("show"))
    .description("Show a tool: its parameters, source and version")
    .argument("<id>", "the tool's id")
    .addHelpText("after", examples(["tulipgraph tools show add"]))
    .action(showTool);
  addLimits(withLibrary(command.command("search")), "-k, --top-k <n>")
    .description("Find tools by meaning, as the agent does")
    .argument("<phrase...>", "what the tool does")
    .addHelpText("after", examples(['tulipgraph tools search "area of a circle" -k 3 --json']))
    .action(searchTools);
}

function addChanging(command: Command, exit: Exit): void {
  withLibrary(command.command("import"))
    .description("Make the exported functions and LangChain tools of files tools of a library")
    .argument("<files...>", "TypeScript or JavaScript files")
    .option("--description <text>", "what the library is about")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools import ./examples/temperatures.ts",
        'tulipgraph tools import a.ts b.ts --library office --description "Mail and calendar"',
      ]),
    )
    .action(async (files: string[], options) => exit(await importFiles(files, options)));
  withLibrary(command.command("remove"))
    .description("Remove tools, or all tools of a file; their history stays")
    .argument("[ids...]", "the tools' ids")
    .option("--file <file>", "the file whose tools are to be removed")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools remove describe_temperature --library temperatures",
        "tulipgraph tools remove --file ./examples/temperatures.ts --library temperatures",
      ]),
    )
    .action(removeTools);
}

function withLibrary(command: Command): Command {
  return command
    .option("--library <name>", "the library")
    .option("--embeddings <provider:name>", "embedding model of the library")
    .option("--json", "print JSON and nothing else");
}
