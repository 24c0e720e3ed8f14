import type { Command } from "commander";
import type { Exit } from "../exit.js";
import { examples } from "../helpExamples.js";
import type { ReviewOptions } from "../sources/review.js";

/** `tools review | verify` */
export function addReview(tools: Command, exit: Exit): void {
  tools
    .command("review")
    .description(
      "Show changed and new tools of connected sources, and accept or reject them. Exits with 1 while some wait",
    )
    .argument("[source]", "the source; by default all")
    .option("--library <name>", "only in this library")
    .option("--accept <id...>", "add these to the library")
    .option("--reject <id...>", "leave these out until they change again")
    .option("--yes", "accept all others")
    .option("--json", "print JSON and nothing else")
    .addHelpText(
      "after",
      examples([
        "tulipgraph tools review github",
        "tulipgraph tools review github --accept github.issues/create",
      ]),
    )
    .action(async (source: string | undefined, options: ReviewOptions) => {
      const { reviewTools } = await import("../sources/review.js");
      exit(await reviewTools(source, options));
    });
  tools
    .command("verify")
    .description(
      "Compare what connected sources offer now with what was accepted. Exits with 1 on differences",
    )
    .option("--json", "print JSON and nothing else")
    .addHelpText("after", examples(["tulipgraph tools verify"]))
    .action(async (options: { json?: boolean }) => {
      const { verifyPins } = await import("../sources/verify.js");
      exit(await verifyPins(options));
    });
}
