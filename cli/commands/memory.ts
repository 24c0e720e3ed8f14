import { Command } from "commander";
import {
  addDemos,
  exportDemos,
  holdsDemonstrations,
  importDemos,
  listDemos,
} from "../learning/demonstrations.js";
import { examples } from "../helpExamples.js";
import type { Exit } from "../exit.js";
import { type MemoryOptions, exportMemory, importMemory, memoryStats } from "../learning/memory.js";

type ChosenMemory = MemoryOptions & { demos?: boolean };

/** `tulipgraph memory list | import | export | add` */
export function memoryCommand(exit: Exit): Command {
  const command = new Command("memory")
    .description(
      "Past calls of tools, by which budgets are divided, and demonstrations: tasks with their calls, shown to the model for similar tasks. Alone, it counts the calls",
    )
    .addHelpText(
      "after",
      examples([
        "tulipgraph memory list --demos",
        "tulipgraph memory import calls.jsonl --library math",
        "tulipgraph memory add homework",
      ]),
    );
  command
    .command("list")
    .description("Count past calls, requests and verdicts for each library")
    .option("--demos", "list the demonstrations instead, oldest first")
    .option("--library <name>", "only this library")
    .option("--json", "print one JSON array")
    .addHelpText("after", examples(["tulipgraph memory list --library math"]))
    .action((options: ChosenMemory) => (options.demos ? listDemos(options) : memoryStats(options)));
  addFiles(command, exit);
  command
    .command("add")
    .description("Make demonstrations from a run that solved its request")
    .argument("<thread>", "the thread's id; its last run is used")
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph memory add homework"]))
    .action(addDemos);
  return command;
}

function addFiles(command: Command, exit: Exit): void {
  command
    .command("import")
    .description(
      "Add past calls or demonstrations from a file; unusable lines are reported and skipped",
    )
    .argument(
      "<file>",
      "JSONL file of past calls (query, tool, args, result, helpful) or demonstrations (task, calls, and optionally answer and level)",
    )
    .option("--library <name>", "the library for lines that name none")
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph memory import calls.jsonl --library math"]))
    .action(async (file: string, options: MemoryOptions) => {
      const importLines = holdsDemonstrations(file) ? importDemos : importMemory;
      exit(await importLines(file, options));
    });
  command
    .command("export")
    .description("Write past calls to a file, one JSON object per line")
    .argument("<file>", "JSONL file; overwritten if it exists")
    .option("--demos", "write the demonstrations instead")
    .option("--library <name>", "only what belongs to this library")
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph memory export calls.jsonl --library math"]))
    .action((file: string, options: ChosenMemory) =>
      options.demos ? exportDemos(file, options) : exportMemory(file, options),
    );
}
