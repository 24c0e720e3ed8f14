import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import pMap from "p-map";

/** Makes runs on a server, on connections that stay open or on new ones. @throws if a run fails */
export function callerOf(url: string, run: object): (isNew?: boolean) => Promise<void> {
  const agent = new Agent({ keepAlive: true });
  return async (isNew = false) => {
    const text = await readText(
      await send({ url: `${url}/runs/wait`, body: run, agent: !isNew && agent }),
    );
    if (text.includes("__error__")) throw new Error(text);
  };
}

/** Runs that wait for an hour, and a stream of each. */
export async function openStreams(url: string, run: object, count: number): Promise<() => void> {
  const waiting = Array.from({ length: count }, () => ({ ...run, after_seconds: 3_600 }));
  const made = await send({ url: `${url}/runs/batch`, body: waiting, agent: false });
  const runs = JSON.parse(await readText(made)) as { run_id: string }[];
  const open = await pMap(
    runs,
    ({ run_id }) => send({ url: `${url}/runs/${run_id}/stream`, agent: false }),
    { concurrency: 20 },
  );
  for (const stream of open) stream.resume().on("error", () => undefined);
  return () => open.forEach((stream) => stream.destroy());
}

function send(options: {
  url: string;
  body?: unknown;
  agent: Agent | false;
}): Promise<IncomingMessage> {
  const { url, body, agent } = options;
  const method = body === undefined ? "GET" : "POST";
  return new Promise((done, failed) => {
    const asked = request(
      url,
      { agent, method, headers: { "content-type": "application/json" } },
      done,
    );
    asked.on("error", failed).end(JSON.stringify(body));
  });
}

/** @throws for a status of failure */
async function readText(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of answer.setEncoding("utf8")) text += part;
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
  return text;
}

/** What processes have taken of the processor (ms), with those they have started and that have ended; 0 but on Linux. */
export function processorMs(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => {
    const stat = readProc(`${pid}/stat`);
    // User and system time of the process.
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
      .map(Number);
  });
  return (ticks.reduce((sum, each) => sum + each, 0) * 1_000) / TICKS;
}

const TICKS = existsSync("/proc/self/stat") ? Number(execFileSync("getconf", ["CLK_TCK"])) : 100;

/** Resident memory of processes; 0 but on Linux. */
export function heldMegabytes(pids: readonly number[]): number {
  const held = pids.map((pid) =>
    Number(/VmRSS:\s+(\d+)/.exec(readProc(`${pid}/status`))?.[1] ?? 0),
  );
  return Math.round(held.reduce((sum, each) => sum + each, 0) / 1_024);
}

function readProc(file: string): string {
  const path = `/proc/${file}`;
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
