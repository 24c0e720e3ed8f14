import { Command } from "commander";
import { addDemos, exportDemos, importDemos, listDemos } from "../learning/demonstrations.js";
import { examples } from "../helpExamples.js";
import type { Exit } from "../exit.js";
import { exportMemory, importMemory, memoryStats } from "../learning/memory.js";

/** `tulipgraph memory import | export | stats | demos` */
export function memoryCommand(exit: Exit): Command {
  const command = new Command("memory")
    .description(
      "Past calls of tools, by which budgets are divided, and demonstrations. Alone, it counts the calls",
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
    .description("Write past calls to a file, one JSON object per line")
    .argument("<file>", "JSONL file; overwritten if it exists")
    .option("--library <name>", "only the calls of this library")
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph memory export calls.jsonl --library math"]))
    .action(exportMemory);
  command
    .command("stats")
    .description("Count past calls, requests and verdicts for each library")
    .option("--library <name>", "only this library")
    .option("--json", "print one JSON array")
    .addHelpText("after", examples(["tulipgraph memory stats --library math"]))
    .action(memoryStats);
  command.addCommand(demosCommand(exit));
  return command;
}

function addImport(command: Command, exit: Exit): void {
  command
    .command("import")
    .description("Add past calls from a file; unusable lines are reported and skipped")
    .argument("<file>", "JSONL file: query, tool, args, result and helpful on each line")
    .option("--library <name>", "the library for lines that name none")
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

/** `tulipgraph memory demos import | export | list | add` */
function demosCommand(exit: Exit): Command {
  const command = new Command("demos")
    .description("Demonstrations: tasks with their calls, shown to the model for similar tasks")
    .addHelpText(
      "after",
      examples([
        "tulipgraph memory demos list",
        "tulipgraph memory demos import demos.jsonl --library office",
        "tulipgraph memory demos add --thread homework",
      ]),
    );
  addDemosFiles(command, exit);
  command
    .command("list", { isDefault: true })
    .description("List the demonstrations, oldest first")
    .option("--library <name>", "only this library")
    .option("--json", "print one JSON array")
    .addHelpText("after", examples(["tulipgraph memory demos list --library office"]))
    .action(listDemos);
  command
    .command("add")
    .description("Make demonstrations from a run that solved its request")
    .requiredOption("--thread <id>", "the thread; its last run is used")
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph memory demos add --thread homework"]))
    .action(addDemos);
  return command;
}

function addDemosFiles(command: Command, exit: Exit): void {
  command
    .command("import")
    .description("Add demonstrations from a file; unusable lines are reported and skipped")
    .argument("<file>", "JSONL file: task and calls, optionally answer and level, on each line")
    .option("--library <name>", "the library for lines that name none")
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph memory demos import demos.jsonl --library office"]))
    .action(async (file: string, options) => exit(await importDemos(file, options)));
  command
    .command("export")
    .description("Write demonstrations to a file, one JSON object per line")
    .argument("<file>", "JSONL file; overwritten if it exists")
    .option("--library <name>", "only this library")
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph memory demos export demos.jsonl"]))
    .action(exportDemos);
}
