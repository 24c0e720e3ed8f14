import { parentPort } from "node:worker_threads";
import { type Engine, newEngine } from "./engine.js";
import type { HostMessage, ProgramCall, ProgramEnd, ThreadMessage, ToolAnswer } from "./sandbox.js";

/** Most tool calls that one call of a program may make; more counts as flooding. */
const MOST_TOOL_CALLS = 1_000;

/** The clock is checked after this many promise jobs. */
const JOBS_AT_ONCE = 1_000;

/** A name that can be looked up by evaluating it. */
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

// Entry of a sandbox thread: runs programs, one call at a time.

if (parentPort === null) throw new Error("sandboxEntry.ts is the entry of a worker thread");
const host = parentPort;

/** Continues the running program with the outcome of a called tool. */
let goOn: Promise<(answer: ToolAnswer) => void> | undefined;

host.on("message", (message: HostMessage) => {
  if (message.type === "call") goOn = start(message.call);
  else void goOn?.then((answer) => answer(message));
});

async function start(call: ProgramCall): Promise<(answer: ToolAnswer) => void> {
  try {
    return await startExecution(call);
  } catch (error) {
    send({ type: "failed", kind: "engine", text: String(error) });
    return () => undefined;
  }
}

function send(message: ThreadMessage): void {
  host.postMessage(message, []);
}

/**
 * Runs one call of a program in its own engine, and tells the host when it computes, waits or calls a tool, and how it
 * ends. What it leaves is dropped with the engine, because freeing it could take as long as the program likes.
 */
async function startExecution(call: ProgramCall): Promise<(answer: ToolAnswer) => void> {
  const engine = await newEngine(call.limits);
  const state: Running["state"] = { waitingFor: 0 };
  const report = (end: ProgramEnd) => void (state.end ??= withCause(end, engine));
  engine.guest.listen({
    report,
    ask(id, tool, json) {
      if (id > MOST_TOOL_CALLS) return `no more than ${MOST_TOOL_CALLS} calls of tools may be made`;
      state.waitingFor++;
      send({ type: "callTool", id, tool, json });
      return undefined;
    },
  });
  const running = { call, engine, state, report };
  const compute = computing(running);
  compute(() => begin(running));
  return (answer) =>
    compute(() => {
      state.waitingFor--;
      engine.guest.settle(answer);
    });
}

interface Running {
  call: ProgramCall;
  engine: Engine;
  state: {
    waitingFor: number;
    end?: ProgramEnd;
  };
  /** Sets the end of the call; only the first one counts. */
  report: (end: ProgramEnd) => void;
}

/**
 * Returns a function that lets the program compute until it ends, waits or exceeds its total time, and tells
 * the host which.
 */
function computing({ call, engine, state, report }: Running): (body: () => void) => void {
  const { runtime } = engine.context;
  const clock = computeClock(call.limits.computeMs);
  runtime.setInterruptHandler(clock.isOver);
  const hasResult = () => state.end?.type === "done";
  return (body) => {
    if (state.end !== undefined) return;
    clock.start();
    send({ type: "computes", leftMs: clock.left() });
    try {
      body();
      while (state.end === undefined && !clock.isOver() && runtime.hasPendingJob()) {
        runtime.executePendingJobs(JOBS_AT_ONCE);
      }
    } catch (error) {
      report({ type: "failed", kind: "engine", text: String(error) });
    }
    if (!hasResult() && clock.isOver()) state.end = { type: "failed", kind: "time" };
    clock.stop();
    if (state.waitingFor === 0) {
      // It waits in vain, or had no memory left to end.
      report({ type: "failed", kind: engine.isFull() ? "memory" : "pending" });
    }
    send(state.end ?? { type: "waits" });
  };
}

/** Defines the function and calls it. */
function begin({ engine: { context, guest }, call, report }: Running): void {
  const { program, functionName, args } = call;
  const missing = `it defines no function ${functionName}`;
  if (!IDENTIFIER.test(functionName))
    return report({ type: "failed", kind: "program", text: missing });
  // Strict mode, because the program was written as a module.
  const defined = context.evalCode(program, "program.js", { strict: true });
  if (defined.error) return guest.explain(defined.error, "program");
  const found = context.evalCode(functionName, "program.js");
  if (found.error || context.typeof(found.value) !== "function")
    return report({ type: "failed", kind: "program", text: missing });
  guest.start(found.value, args);
}

/** Without memory for an error, the engine throws null. */
function withCause(end: ProgramEnd, engine: Engine): ProgramEnd {
  const isNull = end.type === "failed" && end.kind === "threw" && end.text === "null";
  return isNull && engine.isFull() ? { type: "failed", kind: "memory" } : end;
}

function computeClock(computeMs: number) {
  let used = 0;
  let since = performance.now();
  return {
    start() {
      since = performance.now();
    },
    stop() {
      used += performance.now() - since;
    },
    left: () => Math.max(0, computeMs - used),
    isOver: () => used + performance.now() - since > computeMs,
  };
}
