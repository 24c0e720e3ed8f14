import { syncBuiltinESMExports } from "node:module";
import { Worker } from "node:worker_threads";
import { MEMORY_VARIABLE, OUT_OF_MEMORY } from "./workerMessages.js";

/** How often memory and host are looked at, in milliseconds. */
const PERIOD_MS = 50;

/**
 * In a worker process: ends it when its functions take more memory than they may, of whatever kind, or when
 * its host is gone; and a function that would kill its host kills its own process. The watch has a thread of
 * its own, because a function that computes leaves no time for it in this one.
 */
export function watchOverProcess(): void {
  const bytes = Number(process.env[MEMORY_VARIABLE]) * 2 ** 20 + process.memoryUsage.rss();
  delete process.env[MEMORY_VARIABLE];
  const workerData = { bytes, host: process.ppid };
  new Worker(WATCH, { eval: true, execArgv: [], workerData }).unref();
  spareHost(process.ppid);
}

/** JavaScript as it is: a thread would have to be taught TypeScript first. */
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
