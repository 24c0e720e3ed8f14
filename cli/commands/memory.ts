import { existsSync } from "node:fs";
import { Command } from "commander";
import type { Exit } from "../exit.js";
import { addDemos } from "../learning/demonstrations.js";
import { type MemoryOptions, exportMemory, importMemory, listMemory } from "../learning/memory.js";
import { examples } from "../options.js";

/** `tulipgraph memory list | import | export` */
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
        "tulipgraph memory import homework",
      ]),
    );
  command
    .command("list")
    .description("Count past calls, requests and verdicts for each library")
    .option("--demos", "list the demonstrations instead, oldest first")
    .addHelpText("after", examples(["tulipgraph memory list --library math"]))
    .action(listMemory);
  addFiles(command, exit);
  return command;
}

function addFiles(command: Command, exit: Exit): void {
  command
    .command("import")
    .description(
      "Add past calls or demonstrations from a file, where unusable lines are reported and skipped; or demonstrations from the last run of a thread, if it solved its request",
    )
    .argument(
      "<file or thread>",
      "JSONL file of past calls (query, tool, args, result, helpful) or demonstrations (task, calls, and optionally answer and level), whose lines may name no library; or a thread's id",
    )
    .addHelpText("after", examples(["tulipgraph memory import calls.jsonl --library math"]))
    .action(async (from: string, options: MemoryOptions) => {
      if (!existsSync(from)) return await addDemos(from, options);
      exit(await importMemory(from, options));
    });
  command
    .command("export")
    .description("Write past calls to a file, one JSON object per line")
    .argument("<file.jsonl>", "JSONL file; overwritten if it exists")
    .option("--demos", "write the demonstrations instead")
    .addHelpText("after", examples(["tulipgraph memory export calls.jsonl --library math"]))
    .action(exportMemory);
}
