import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { importTools } from "../../nodes/workspace/libraries.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import type { KilledRuns } from "../fixtures/runtime/killedRuns.js";
import { TEST_LIBRARY } from "./testLibrary.js";

export interface CampaignSettings {
  /** Of the processes' own; one for each is made in it. */
  folder: string;
  /** `postgres://…` */
  database: string;
  /** What Node is given to start `tests/fixtures/runtime/killedRuns.ts`, without its argument. */
  program: readonly string[];
  runs: number;
  writes: number;
  kills: number;
  processes: number;
  leaseMs: number;
  /** Longest time between two kills, in milliseconds. */
  everyMs: number;
  /** Told about each kill, and once in a while how far the runs are. */
  tell?: (line: string) => void;
}

/** What is left of the runs, by what was written. */
export interface CampaignResult {
  kills: number;
  /** Processes that were stopped for longer than their lease, and went on. */
  stops: number;
  /** Lines that the runs wanted to write. */
  wanted: number;
  written: number;
  /** Lines that stand there more than once. */
  doubled: string[];
  /** Lines that a run was told to be written, and that are not there. */
  lost: string[];
  /** Writes that were interrupted, so that nobody knows whether they happened: the run was told so. */
  unknown: number;
  /** Threads whose run has not ended. */
  open: string[];
  ms: number;
}

/**
 * Lets processes work on a list of runs, and kills one after the other at random; every fourth is stopped for longer
 * than its lease instead and goes on after that. Ends when all runs have ended.
 */
export async function killCampaign(settings: CampaignSettings): Promise<CampaignResult> {
  const { folder, processes, kills, runs, writes, leaseMs, everyMs, tell } = settings;
  const begun = performance.now();
  const threads = Array.from({ length: runs }, (_, at) => `run-${at}`);
  const list = join(folder, "threads.txt");
  const book = join(folder, "book.txt");
  writeFileSync(list, threads.join("\n"));
  const { database } = settings;
  const homes = Array.from({ length: processes }, (_, at) => join(folder, `home-${at}`));
  for (const home of homes) await makeLibrary({ home, database });
  const start = (home: string): ChildProcess => {
    const given: KilledRuns = { home, database, list, book, writes, leaseMs, atOnce: 4 };
    return spawn(process.execPath, [...settings.program, JSON.stringify(given)], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  };
  const working = homes.map(start);
  const done = { kills: 0, stops: 0 };
  try {
    while (done.kills + done.stops < kills && working.some(isRunning)) {
      await pause(randomInt(everyMs));
      const at = randomInt(processes);
      const [victim, home] = [working[at], homes[at]];
      if (!victim || !home || !isRunning(victim)) continue;
      if ((done.kills + done.stops) % 4 === 3) {
        victim.kill("SIGSTOP");
        await pause(leaseMs * 1.5);
        victim.kill("SIGCONT");
        done.stops += 1;
      } else {
        const ended = once(victim, "exit");
        victim.kill("SIGKILL");
        await ended;
        working[at] = start(home);
        done.kills += 1;
      }
      tell?.(`${done.kills + done.stops} kills, ${linesIn(book).length} lines`);
    }
    await Promise.all(working.filter(isRunning).map((child) => once(child, "exit")));
  } finally {
    for (const child of working) child.kill("SIGKILL");
  }
  const lines = linesIn(book);
  const ms = performance.now() - begun;
  const made = await madeBy({ threads, lines, database, home: homes[0] ?? folder });
  return { ...done, ...made, wanted: runs * writes, written: lines.length, ms };
}

/** What the runs were told of their writes, beside what is written. */
async function madeBy(options: {
  threads: readonly string[];
  lines: readonly string[];
  home: string;
  database: string;
}): Promise<Pick<CampaignResult, "doubled" | "lost" | "unknown" | "open">> {
  const { threads, lines, home, database } = options;
  const written = new Set(lines);
  const made = { lost: [] as string[], unknown: 0, open: [] as string[] };
  const { runtime, checkpoints, close } = openWorkspace({ home, database });
  for (const thread of threads) {
    const ended = (await checkpoints().threads.get(thread))?.status ?? "";
    if (!["solved", "unsolved"].includes(ended)) made.open.push(thread);
    for (const { status, args } of await runtime.journal.calls(thread)) {
      const { line } = args as { line: string };
      if (status === "done" && !written.has(line)) made.lost.push(line);
      if (status === "started") made.unknown += 1;
    }
  }
  await close();
  const doubled = lines.filter((line, at) => lines.indexOf(line) !== at);
  return { ...made, doubled };
}

async function makeLibrary(place: { home: string; database: string }): Promise<void> {
  const { store, close } = openWorkspace(place);
  const file = resolve("tests/fixtures/library/tools.ts");
  await importTools({ store, settings: TEST_LIBRARY, file, description: "Lines" });
  await close();
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function linesIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}
