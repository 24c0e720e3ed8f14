import { existsSync } from "node:fs";
import { Command, Option } from "commander";
import type { Exit } from "../exit.js";
import { addDemos } from "../learning/demonstrations.js";
import { type MemoryOptions, exportMemory, importMemory, listMemory } from "../learning/memory.js";
import { labelCalls } from "../learning/labelCalls.js";
import { examples, toCount } from "../options.js";

/** `tulipgraph memory list | import | export` */
export function memoryCommand(exit: Exit): Command {
  const command = new Command("memory")
    .description(
      "Manage past calls and demonstrations. Budgets are divided by past calls; demonstrations are solved tasks that the model is shown for similar ones",
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
    .description("Count past calls, requests and verdicts by library")
    .option("--demos", "list the demonstrations instead, oldest first")
    .addHelpText("after", examples(["tulipgraph memory list --library math"]))
    .action(listMemory);
  command
    .command("label")
    .description(
      "Judge the stored calls that have no verdict: a model some of them, a classifier trained on these (`train judge`) the rest",
    )
    .addOption(
      new Option("--by <judge>", "who judges").choices(["model", "classifier"]).default("model"),
    )
    .option("--model <provider:name>", "the model that judges")
    .option("--limit <n>", "at most this many calls", toCount)
    .addHelpText(
      "after",
      examples([
        "tulipgraph memory label --library office --model openai:gpt-4.1-mini --limit 1000",
        "tulipgraph memory label --library office --by classifier",
      ]),
    )
    .action(labelCalls);
  addFiles(command, exit);
  return command;
}

function addFiles(command: Command, exit: Exit): void {
  command
    .command("import")
    .description(
      "Import past calls or demonstrations from a file, or demonstrations from the last run of a thread. Unusable lines are reported and skipped; a run must have solved its request",
    )
    .argument(
      "<file or thread>",
      "JSONL file of past calls (query, tool, args, result, helpful) or demonstrations (task, calls; optionally answer and level), or the id of a thread",
    )
    .addHelpText("after", examples(["tulipgraph memory import calls.jsonl --library math"]))
    .action(async (from: string, options: MemoryOptions) => {
      if (!existsSync(from)) return await addDemos(from, options);
      exit(await importMemory(from, options));
    });
  command
    .command("export")
    .description("Export past calls to a file, one JSON object per line")
    .argument("<file.jsonl>", "JSONL file; overwritten if it exists")
    .option("--demos", "export the demonstrations instead")
    .addHelpText("after", examples(["tulipgraph memory export calls.jsonl --library math"]))
    .action(exportMemory);
}
