import { syncBuiltinESMExports } from "node:module";
import { Worker } from "node:worker_threads";
import { MEMORY_VARIABLE, OUT_OF_MEMORY } from "./workerMessages.js";

/** What the compiler takes that reads TypeScript in this process, in megabytes. */
const COMPILER_MB = 64;

/** How often memory and host are checked, in milliseconds. */
const PERIOD_MS = 50;

/**
 * Runs in a worker process: kills it when its functions use too much memory of any kind or its host is gone,
 * and makes a function that would kill its host kill its own process instead. The watch has its own thread,
 * because a computing function would block it in this one.
 */
export function watchOverProcess(): void {
  const memoryMb = Number(process.env[MEMORY_VARIABLE]) + COMPILER_MB;
  const bytes = memoryMb * 2 ** 20 + process.memoryUsage.rss();
  delete process.env[MEMORY_VARIABLE];
  const workerData = { bytes, host: process.ppid };
  new Worker(WATCH, { eval: true, execArgv: [], workerData }).unref();
  spareHost(process.ppid);
}

/** Plain JavaScript, because a thread does not run TypeScript by itself. */
const WATCH = `
const { workerData: { bytes, host } } = require("node:worker_threads");
setInterval(() => {
  if (process.ppid !== host) process.kill(process.pid, "SIGKILL");
  else if (process.memoryUsage.rss() > bytes) process.kill(process.pid, "${OUT_OF_MEMORY}");
}, ${PERIOD_MS});
`;

function spareHost(host: number): void {
  const kill = process.kill.bind(process);
  process.kill = (pid, signal) => kill(pid === host && signal !== 0 ? process.pid : pid, signal);
  syncBuiltinESMExports();
}
