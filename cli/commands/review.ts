import type { Command } from "commander";
import type { Exit } from "../exit.js";
import { examples } from "../helpExamples.js";
import type { LockOptions } from "../lock.js";
import type { ReviewOptions } from "../review.js";

/** The usual name of the lock file, in the current folder. */
const LOCK_FILE = "tulipgraph.lock.json";

/** `tools review | lock | verify` */
export function addReview(tools: Command, exit: Exit): void {
  tools
    .command("review")
    .description(
      "Show tools of connected sources that have changed or are new since they were accepted, and decide about them. Exits with 1 while some wait",
    )
    .argument("[source]", "the source; without it, all")
    .option("--library <name>", "only in this library")
    .option("--accept <id...>", "make these tools of the library")
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
      const { reviewTools } = await import("../review.js");
      exit(await reviewTools(source, options));
    });
  withFile(tools.command("lock"))
    .description(
      "Write which definitions of connected sources' tools are accepted, to be committed",
    )
    .addHelpText("after", examples(["tulipgraph tools lock"]))
    .action(async (options: LockOptions) => {
      const { writeLock } = await import("../lock.js");
      await writeLock(options);
    });
  withFile(tools.command("verify"))
    .description("Compare the libraries with the lock file. Exits with 1 on differences")
    .option("--live", "ask the sources what they offer now as well")
    .addHelpText("after", examples(["tulipgraph tools verify --live"]))
    .action(async (options: LockOptions & { live?: boolean }) => {
      const { verifyLock } = await import("../lock.js");
      exit(await verifyLock(options));
    });
}

function withFile(command: Command): Command {
  return command
    .option("--file <file>", "the lock file", LOCK_FILE)
    .option("--json", "print JSON and nothing else");
}
