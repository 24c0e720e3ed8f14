import { inHome } from "../../../workspace/home.js";
import { openWorkspace } from "../../../workspace/workspace.js";
import type { Usage } from "../../../state/state.js";
import { openBenchmark } from "../../benchmarks/index.js";
import { localRunner } from "../localRunner.js";
import type { Runner } from "../runner.js";
import { worldsOf } from "../beginWorld.js";
import { endOf } from "../sentRun.js";
import type { JobAnswer, JobOrder, JobSetup } from "./jobMessages.js";

/**
 * Makes the runs that the process which started this one orders, until that one goes, however it
 * goes. A Ctrl-C reaches both at once and is that one's to answer.
 */
export function serveRuns(setup: JobSetup): void {
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
  const { home } = setup;
  const runner = inHome(home, () => openRunner(setup));
  // What went wrong is the answer to each order.
  runner.catch(() => undefined);
  process.on("message", (order: JobOrder) => {
    void inHome(home, () => answer(order, runner));
  });
}

async function openRunner({ benchmark, checkpoints }: JobSetup): Promise<Runner> {
  const opened = benchmark === undefined ? {} : await openBenchmark(benchmark);
  openWorkspace({ worlds: await worldsOf(opened) });
  return localRunner({ checkpoints });
}

async function answer({ number, request }: JobOrder, runner: Promise<Runner>): Promise<void> {
  const { signal } = new AbortController();
  const onUsage = (usage: Usage) => send({ number, kind: "usage", usage });
  const end = await endOf(async () => (await runner).run({ ...request, signal, onUsage }));
  send({ number, ...end });
}

/** Nobody is left to be told once the channel is closed, and this process ends. */
function send(message: JobAnswer): void {
  if (process.connected) process.send?.(message);
}
