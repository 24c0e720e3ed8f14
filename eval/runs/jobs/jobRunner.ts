import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { ExperimentFailed } from "../experimentFailed.js";
import type { Runner, RunRequest, RunState } from "../runner.js";
import { Orders, receivedEnd, sentRequest } from "../sentRun.js";
import type { JobAnswer, JobOrder, JobSetup } from "./jobMessages.js";

/** A runner with processes of its own. */
export interface JobRunner extends Runner {
  /** Ends its processes; no more runs may follow. */
  close: () => Promise<void>;
}

/** A process that makes runs, and its unfinished runs by number. */
interface Job {
  process: ChildProcess;
  home: string;
  orders: Orders<number>;
  /** Why it makes no more runs. */
  lost?: ExperimentFailed;
}

/**
 * Makes runs in several processes on this machine, each run in the one with the fewest unfinished runs. All work in
 * one home: several processes may use its libraries, experience and journal at once.
 *
 * @param options.program what the processes run; `job.ts` when absent
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

/** Source or compiled, as this module. */
function programBeside(): URL {
  return new URL(`./job${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
}

const STDERR = 2;

/** All output of a job goes to this process's stderr: a job prints only problems. */
function startJob({ setup, program }: { setup: JobSetup; program: URL }): Job {
  const child = fork(fileURLToPath(program), [JSON.stringify(setup)], {
    // Node reads TypeScript through a loader, which child processes do not always inherit.
    execArgv: extname(program.pathname) === ".ts" ? ["--import", import.meta.resolve("tsx")] : [],
    stdio: ["ignore", STDERR, STDERR, "ipc"],
  });
  const job: Job = { process: child, home: setup.home, orders: new Orders() };
  child.on("message", (answer: JobAnswer) => receive(job, answer));
  const lose = (how: string) => {
    job.lost ??= endedError(job, how);
    job.orders.failAll(job.lost);
  };
  child.on("error", (error) => lose(error.message));
  child.on("exit", (code, signal) => lose(signal ?? `exit code ${code}`));
  return job;
}

async function order(options: {
  job: Job;
  number: number;
  request: RunRequest;
}): Promise<RunState> {
  const { job, number, request } = options;
  request.signal.throwIfAborted();
  if (job.lost) throw job.lost;
  const { orders } = job;
  const ended = orders.wait(number, request);
  job.process.send({ number, request: sentRequest(request) } satisfies JobOrder, (error) => {
    if (!error) return;
    // The exit of the process is reported a moment later.
    orders.end(number, () => {
      throw job.lost ?? endedError(job, error.message);
    });
  });
  return await ended;
}

function receive({ orders }: Job, answer: JobAnswer): void {
  const { number } = answer;
  if (answer.kind === "usage") orders.requestOf(number)?.onUsage?.(answer.usage);
  else orders.end(number, () => receivedEnd(answer));
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
