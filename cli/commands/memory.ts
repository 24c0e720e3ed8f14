import { Command } from "commander";
import { examples } from "../examples.js";
import type { Exit } from "../exit.js";
import { exportMemory, importMemory, memoryStats } from "../memory.js";

/** `tulipgraph memory import | export | stats` */
export function memoryCommand(exit: Exit): Command {
  const command = new Command("memory")
    .description(
      "Experience with tools: past calls, on which budgets are planned. Alone, it counts",
    )
    .addHelpText(
      "after",
      examples([
        "tulipgraph memory stats",
        "tulipgraph memory import calls.jsonl --library math",
        "tulipgraph memory export calls.jsonl",
      ]),
    );
  addImport(command, exit);
  command
    .command("export")
    .description("Write past calls to a file, one a line as JSON")
    .argument("<file>", "JSONL file; written anew when it exists")
    .option("--library <name>", "only the calls of this library")
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph memory export calls.jsonl --library math"]))
    .action(exportMemory);
  command
    .command("stats")
    .description("Count past calls, requests and verdicts by library")
    .option("--library <name>", "only this library")
    .option("--json", "print one JSON array")
    .addHelpText("after", examples(["tulipgraph memory stats --library math"]))
    .action(memoryStats);
  return command;
}

function addImport(command: Command, exit: Exit): void {
  command
    .command("import")
    .description("Add past calls from a file; lines that cannot be used are told and left out")
    .argument("<file>", "JSONL file: query, tool, args, result and helpful on each line")
    .option("--library <name>", "the library of lines that name none")
    .option("--json", "print JSON and nothing else")
    .addHelpText(
      "after",
      examples([
        "tulipgraph memory import calls.jsonl",
        "tulipgraph memory import a.jsonl --library math",
      ]),
    )
    .action(async (file: string, options) => exit(await importMemory(file, options)));
}
