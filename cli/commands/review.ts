import type { Command } from "commander";
import type { Exit } from "../exit.js";
import { examples } from "../helpExamples.js";
import type { LockOptions } from "../sources/lock.js";
import type { ReviewOptions } from "../sources/review.js";

/** The default lock file, in the current folder. */
const LOCK_FILE = "tulipgraph.lock.json";

/** `tools review | lock | verify` */
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
  withFile(tools.command("lock"))
    .description(
      "Write the accepted tool definitions of connected sources to a lock file, to be committed",
    )
    .addHelpText("after", examples(["tulipgraph tools lock"]))
    .action(async (options: LockOptions) => {
      const { writeLock } = await import("../sources/lock.js");
      await writeLock(options);
    });
  withFile(tools.command("verify"))
    .description("Compare the libraries with the lock file. Exits with 1 on differences")
    .option("--live", "also ask the sources what they offer now")
    .addHelpText("after", examples(["tulipgraph tools verify --live"]))
    .action(async (options: LockOptions & { live?: boolean }) => {
      const { verifyLock } = await import("../sources/lock.js");
      exit(await verifyLock(options));
    });
}

function withFile(command: Command): Command {
  return command
    .option("--file <file>", "the lock file", LOCK_FILE)
    .option("--json", "print JSON and nothing else");
}
