import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { ExperimentFailed } from "../experimentFailed.js";
import type { Runner, RunRequest, RunState } from "../runner.js";
import { receivedEnd, sentRequest } from "../sentRun.js";
import type { JobAnswer, JobOrder, JobSetup } from "./jobMessages.js";

/** A runner that has processes to be ended. */
export interface JobRunner extends Runner {
  /** Ends its processes; no run may follow. */
  close: () => Promise<void>;
}

/** A run that a job has been ordered to make. */
interface Order {
  request: RunRequest;
  settle: (state: RunState) => void;
  fail: (error: unknown) => void;
}

/** A process that makes runs, and those that it is at, by their numbers. */
interface Job {
  process: ChildProcess;
  /** Where it works. */
  home: string;
  orders: Map<number, Order>;
  /** Why it makes no runs any more. */
  lost?: ExperimentFailed;
}

/**
 * Makes runs in several processes of this machine, each run in that with the fewest under way. All
 * work in one home: libraries, experience and journal may be used by several processes at once.
 *
 * @param options.program what the processes run; the project's own when absent
 */
export function jobRunner(options: { jobs: number; setup: JobSetup; program?: URL }): JobRunner {
  const { setup, program = programBeside() } = options;
  const jobs = Array.from({ length: options.jobs }, () => startJob({ setup, program }));
  let numbers = 0;
  return {
    run(request) {
      const job = leastBusy(jobs);
      const number = (numbers += 1);
      return order({ job, number, request });
    },
    close: async () => void (await Promise.all(jobs.map(endJob))),
  };
}

/** As source or compiled. */
function programBeside(): URL {
  return new URL(`./job${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
}

const STDERR = 2;

/** What a job prints is trouble, and goes where this process tells its own. */
function startJob({ setup, program }: { setup: JobSetup; program: URL }): Job {
  const child = fork(fileURLToPath(program), [JSON.stringify(setup)], {
    // Node reads TypeScript through a loader, which no process inherits for certain.
    execArgv: extname(program.pathname) === ".ts" ? ["--import", import.meta.resolve("tsx")] : [],
    stdio: ["ignore", STDERR, STDERR, "ipc"],
  });
  const job: Job = { process: child, home: setup.home, orders: new Map() };
  child.on("message", (answer: JobAnswer) => receive(job, answer));
  const lose = (how: string) => {
    job.lost ??= endedError(job, how);
    for (const { fail } of job.orders.values()) fail(job.lost);
    job.orders.clear();
  };
  child.on("error", (error) => lose(error.message));
  child.on("exit", (code, signal) => lose(signal ?? `exit code ${code}`));
  return job;
}

function order(options: { job: Job; number: number; request: RunRequest }): Promise<RunState> {
  const { job, number, request } = options;
  const { signal } = request;
  return new Promise<RunState>((settle, fail) => {
    const abort = () => {
      job.orders.delete(number);
      fail(signal.reason);
    };
    if (signal.aborted) return abort();
    if (job.lost) return fail(job.lost);
    signal.addEventListener("abort", abort, { once: true });
    job.orders.set(number, { request, settle, fail });
    job.process.send({ number, request: sentRequest(request) } satisfies JobOrder, (error) => {
      // A process that has just ended is told of a moment later.
      if (error) fail(job.lost ?? endedError(job, error.message));
    });
  });
}

function receive({ orders }: Job, answer: JobAnswer): void {
  const found = orders.get(answer.number);
  if (!found) return;
  if (answer.kind === "usage") return found.request.onUsage?.(answer.usage);
  orders.delete(answer.number);
  try {
    found.settle(receivedEnd(answer));
  } catch (error) {
    found.fail(error);
  }
}

function leastBusy(jobs: readonly Job[]): Job {
  return jobs.reduce((least, job) => (job.orders.size < least.orders.size ? job : least));
}

async function endJob({ process: child }: Job): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  await ended;
}

function endedError({ home }: Job, how: string): ExperimentFailed {
  return new ExperimentFailed({
    folder: home,
    problem: `a process that made its runs has ended (${how})`,
    hint: "The same command goes on where it stopped",
  });
}
