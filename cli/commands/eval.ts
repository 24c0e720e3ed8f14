import { Command } from "commander";
import { reportCommand } from "../eval/report.js";
import { retrievalCommand } from "../eval/retrieval.js";
import { runCommand } from "../eval/run.js";
import { examples } from "../examples.js";
import type { Exit } from "../exit.js";

/** `tulipgraph eval run | report | retrieval` */
export function evalCommand(exit: Exit): Command {
  return new Command("eval")
    .description("Run benchmarks, compare graphs and settings, and measure retrieval")
    .addHelpText(
      "after",
      examples([
        "tulipgraph eval run --benchmark math --graphs base,cot_tulip --out results/math",
        "tulipgraph eval report results/math",
        "tulipgraph eval report results/before results/after",
        "tulipgraph eval retrieval --tools tools.jsonl --queries queries.jsonl -k 1,5,10",
      ]),
    )
    .addCommand(runCommand(exit))
    .addCommand(reportCommand())
    .addCommand(retrievalCommand(exit));
}
