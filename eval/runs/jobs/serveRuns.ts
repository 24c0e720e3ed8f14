import { inHome } from "../../../nodes/workspace/home.js";
import { openWorkspace } from "../../../nodes/workspace/workspace.js";
import type { Usage } from "../../../state/state.js";
import { openBenchmark } from "../../benchmarks/index.js";
import { localRunner } from "../localRunner.js";
import type { Runner } from "../runner.js";
import { worldsOf } from "../worldsOf.js";
import { endOf } from "../sentRun.js";
import type { JobAnswer, JobOrder, JobSetup } from "./jobMessages.js";

/**
 * Makes the runs that the parent process orders, until the parent ends in whatever way. Ctrl-C reaches both
 * processes; the parent handles it.
 */
export function serveRuns(setup: JobSetup): void {
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
  const { home } = setup;
  const runner = inHome(home, () => openRunner(setup));
  // The error is the answer to each order.
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

/** Once the channel is closed there is nobody to tell, and this process ends. */
function send(message: JobAnswer): void {
  if (process.connected) process.send?.(message);
}
