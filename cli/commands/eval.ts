import { Command } from "commander";
import { generateCommand } from "../eval/generate.js";
import { fromThreadsCommand } from "../eval/fromThreads.js";
import { reportCommand } from "../eval/report.js";
import { retrievalCommand } from "../eval/retrieval.js";
import { runCommand } from "../eval/run.js";
import { examples } from "../options.js";
import type { Exit } from "../exit.js";

/** `tulipgraph eval run | report | from-threads | generate | retrieval` */
export function evalCommand(exit: Exit): Command {
  return new Command("eval")
    .description("Run benchmarks; compare graphs, settings and budgets; measure retrieval")
    .addHelpText(
      "after",
      examples([
        "tulipgraph eval run --benchmark math --graphs base,cot_tulip --out results/math",
        "tulipgraph eval report results/math",
      ]),
    )
    .addCommand(runCommand(exit))
    .addCommand(reportCommand())
    .addCommand(fromThreadsCommand())
    .addCommand(generateCommand(exit))
    .addCommand(retrievalCommand(exit));
}
