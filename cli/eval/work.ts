import { Command } from "commander";
import { openQueue } from "../../eval/runs/queue/openQueue.js";
import { workAt } from "../../eval/runs/queue/work.js";
import { EXIT, type Exit } from "../exit.js";
import { examples, toCount } from "../options.js";

interface WorkerOptions {
  queue: string;
  concurrency: number;
  untilEmpty?: boolean;
}

/** `tulipgraph eval work` */
export function workCommand(exit: Exit): Command {
  return new Command("work")
    .description("Work on the runs that `eval run --queue` has put into a Postgres queue")
    .requiredOption("--queue <postgres://...>", "the database of the queue")
    .option("--concurrency <n>", "runs at the same time", toCount, 4)
    .option("--until-empty", "end when nothing is left to do, instead of waiting for more")
    .addHelpText(
      "after",
      examples([
        "tulipgraph eval work --queue postgres://user@host/evaluations",
        "tulipgraph eval work --queue postgres://user@host/evaluations --concurrency 8 --until-empty",
      ]),
    )
    .action(async (options: WorkerOptions) => {
      exit(await evalWork(options));
    });
}

async function evalWork({ queue: url, concurrency, untilEmpty = false }: WorkerOptions) {
  const queue = await openQueue(url);
  const { finish, drop, unheard } = endings();
  try {
    say(`waiting for runs at ${queue.name}`);
    const how = { queue, concurrency, untilEmpty, say };
    const { made } = await workAt({ ...how, finish: finish.signal, signal: drop.signal });
    say(`${made} ${made === 1 ? "run" : "runs"} made`);
    return finish.signal.aborted ? EXIT.cancelled : EXIT.done;
  } finally {
    unheard();
    await queue.close();
  }
}

/** The first Ctrl-C finishes the current runs; a second one, or SIGTERM, gives them back. */
function endings() {
  const finish = new AbortController();
  const drop = new AbortController();
  const dropAll = () => {
    finish.abort();
    drop.abort();
  };
  const interrupt = () => {
    if (finish.signal.aborted) return dropAll();
    say("taking no more runs; Ctrl-C again gives back the current ones");
    finish.abort();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", dropAll);
  const unheard = () => {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", dropAll);
  };
  return { finish, drop, unheard };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
