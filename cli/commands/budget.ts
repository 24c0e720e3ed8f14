import { Command } from "commander";
import { examples } from "../helpExamples.js";
import type { Exit } from "../exit.js";
import { type ExplainOptions, USUAL_BUDGET, explainBudget } from "../runs/explainBudget.js";
import { addBudget, addLimits, addSettings, settingsHelp } from "../options.js";

/** `tulipgraph budget "REQUEST"` */
export function budgetCommand(exit: Exit): Command {
  const command = new Command("budget")
    .description(
      `Show the calls that the _btp graphs would grant for a request, without running anything; the default budget is ${USUAL_BUDGET.amount} ${USUAL_BUDGET.unit}`,
    )
    .argument("<request...>", "what to do, in plain words")
    .option("--library <name>", "tool library, or a file with exported functions")
    .option("--embeddings <provider:name>", "embedding model");
  return addSettings(addLimits(addBudget(command), "--top-k <n>"))
    .option("--json", "print one JSON object and nothing else")
    .addHelpText(
      "after",
      () =>
        settingsHelp() +
        examples([
          'tulipgraph budget "How does 31 degrees feel?" --library ./examples/temperatures.ts',
          "tulipgraph budget \"…\" --budget '$0.05' --set pricing=measured --json",
          'tulipgraph budget "…" --budget 12 --set valueThreshold=0 --top-k 5',
        ]),
    )
    .action(async (words: string[], options: ExplainOptions) => {
      exit(await explainBudget(words.join(" ").trim(), options));
    });
}
