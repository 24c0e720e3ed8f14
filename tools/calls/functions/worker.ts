import { AsyncLocalStorage } from "node:async_hooks";
import { langChainTool, moduleExports, reach } from "../workers/exportPath.js";
import { thrownText } from "../engine/thrownText.js";
import { jsonResult } from "../engine/jsonResult.js";
import { SandboxLimit } from "../sandbox/sandbox.js";
import { settledValue } from "./settledValue.js";
import {
  type FunctionCall,
  type HostMessage,
  type ProgramCall,
  type WorkerCall,
  type WorkerMessage,
  MEMORY_VARIABLE,
  OUT_OF_MEMORY,
  ToolError,
} from "./workerMessages.js";
import { syncBuiltinESMExports } from "node:module";
import { Worker } from "node:worker_threads";

// Entry of a worker process: runs functions of users' files, or programs in the sandbox, one call at a time.

/** What the compiler takes that reads TypeScript in this process, in megabytes. */
const COMPILER_MB = 64;

/** How often memory and host are checked, in milliseconds. */
const PERIOD_MS = 50;

/** Plain JavaScript, because a thread does not run TypeScript by itself. */
const WATCH = `
const { workerData: { bytes, host } } = require("node:worker_threads");
setInterval(() => {
  if (process.ppid !== host) process.kill(process.pid, "SIGKILL");
  else if (process.memoryUsage.rss() > bytes) process.kill(process.pid, "${OUT_OF_MEMORY}");
}, ${PERIOD_MS});
`;

watchOverProcess();
process.on("uncaughtException", (error) => {
  const cause = calls.getStore();
  // What an earlier call left running is none of the present call's faults.
  if (cause !== undefined && current !== undefined && cause !== current)
    process.stderr.write(`${nameOf(cause)}, after its end: ${thrownText(error)}\n`);
  else send({ type: "crashed", error: thrownText(error) });
});
process.on("disconnect", () => process.exit());

/** The call from which something runs, also after the call's end. */
const calls = new AsyncLocalStorage<WorkerCall>();
let current: WorkerCall | undefined;
let controller = new AbortController();
const answers = new Map<number, (answer: HostMessage & { type: "answer" }) => void>();
let lastId = 0;
let start = () => {};

process.on("message", (message: HostMessage) => {
  if (message.type === "call") void calls.run(message.call, () => run(message.call));
  else if (message.type === "start") start();
  else if (message.type === "abort") abort();
  else answers.get(message.id)?.(message);
});

function abort(): void {
  controller.abort(new Error("the call was ended"));
  send({ type: "told" });
}

async function run(call: WorkerCall): Promise<void> {
  current = call;
  controller = new AbortController();
  answers.clear();
  try {
    const work = await ("program" in call ? ready(call) : exported(call));
    await toldToStart();
    const resultJson = await work();
    send({ type: "done", resultJson });
  } catch (error) {
    const text = error instanceof ToolError ? error.message : thrownText(error);
    send({ type: "failed", error: text, isLimit: error instanceof SandboxLimit });
  }
}

function nameOf(call: WorkerCall): string {
  return "program" in call ? call.functionName : call.exportName;
}

async function ready(call: ProgramCall) {
  const { readyProgram } = await import("../sandbox/runProgram.js");
  return await readyProgram(call, { callTool, say: send });
}

/** Waits until the host has recorded the start, before the function can do anything. */
function toldToStart(): Promise<void> {
  return new Promise((resolve) => {
    start = resolve;
    send({ type: "ready" });
  });
}

async function exported(call: FunctionCall) {
  const target = await targetOf(call);
  const { args, context: given } = call;
  const context = given
    ? [{ ...given, world: undefined, signal: controller.signal, callTool }]
    : [];
  return async () => jsonResult(await settledValue(target(...args, ...context)));
}

async function targetOf({ file, exportName, kind }: FunctionCall) {
  const exports = await moduleExports(file);
  if (kind === "listing") {
    const { listedTools } = await import("./listedTools.js");
    return () => listedTools(exports);
  }
  const { value, owner } = await reach(exports, exportName);
  if (kind === "function" && typeof value === "function")
    return (...args: unknown[]): unknown => Reflect.apply(value, owner, args);
  const tool = kind === "langchain" ? langChainTool(value) : undefined;
  const { signal } = controller;
  if (tool) return (args: unknown) => tool.invoke(args, { signal });
  const names = Object.keys(exports).join(", ");
  throw new Error(`${file} exports no ${kind} "${exportName}"; it exports: ${names || "nothing"}`);
}

function callTool({ tool, args }: { tool: string; args: Record<string, unknown> }) {
  const id = ++lastId;
  return new Promise<unknown>((resolve, reject) => {
    answers.set(id, (answer) => {
      answers.delete(id);
      if (answer.ok) resolve(answer.result);
      else reject(new Error(answer.error));
    });
    send({ type: "callTool", id, tool, args });
  });
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}

/**
 * Runs in a worker process: kills it when its functions use too much memory of any kind or its host is gone,
 * and makes a function that would kill its host kill its own process instead. The watch has its own thread,
 * because a computing function would block it in this one.
 */
function watchOverProcess(): void {
  const memoryMb = Number(process.env[MEMORY_VARIABLE]) + COMPILER_MB;
  const bytes = memoryMb * 2 ** 20 + process.memoryUsage.rss();
  delete process.env[MEMORY_VARIABLE];
  const workerData = { bytes, host: process.ppid };
  new Worker(WATCH, { eval: true, execArgv: [], workerData }).unref();
  spareHost(process.ppid);
}

function spareHost(host: number): void {
  const kill = process.kill.bind(process);
  process.kill = (pid, signal) => kill(pid === host && signal !== 0 ? process.pid : pid, signal);
  syncBuiltinESMExports();
}
