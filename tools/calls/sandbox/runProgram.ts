import { messageOf } from "../../../common/errors.js";
import { jsonResult } from "../engine/jsonResult.js";
import type { ProgramCall, WorkerMessage } from "../functions/workerMessages.js";
import { type Engine, newEngine } from "./engine.js";
import { type ProgramEnd, type ToolAnswer, errorLine, failureOf, limitError } from "./sandbox.js";

/** Most tool calls that one call of a program may make; more counts as flooding. */
const MOST_TOOL_CALLS = 1_000;

/** The clock is checked after this many promise jobs. */
const JOBS_AT_ONCE = 1_000;

/** A name that can be looked up by evaluating it. */
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** What a program needs of whoever runs it. */
interface Host {
  callTool: (call: { tool: string; args: Record<string, unknown> }) => Promise<unknown>;
  /** Told when the program computes and when it waits. */
  say: (message: WorkerMessage) => void;
}

/**
 * Makes an engine for one call of a program.
 *
 * @returns what runs the call, and gives its result as JSON text or throws ToolError
 */
export async function readyProgram(call: ProgramCall, host: Host) {
  const engine = await newEngine(call.limits).catch((error: unknown) => {
    throw limitError("engine", call.limits, String(error));
  });
  return () => runProgram(engine, call, host);
}

/** What it leaves is dropped with the engine, because freeing it could take as long as the program likes. */
async function runProgram(
  engine: Engine,
  call: ProgramCall,
  { callTool, say }: Host,
): Promise<string | undefined> {
  const { resultChars } = call.limits;
  const answered = async (id: number, tool: string, json: string): Promise<ToolAnswer> => {
    try {
      const args = JSON.parse(json) as Record<string, unknown>;
      const result = jsonResult(await callTool({ tool, args }));
      if (result === undefined || result.length <= resultChars)
        return { id, ok: true, json: result };
      throw new Error(`${tool}: its result has more than ${resultChars} characters as JSON`);
    } catch (error) {
      // The program gets the error, because it may have an alternative.
      return { id, ok: false, error: errorLine(messageOf(error)) };
    }
  };
  const end = await new Promise<ProgramEnd>((onEnd) => {
    const state: Running["state"] = { waitingFor: 0 };
    const report = (ended: ProgramEnd) => void (state.end ??= withCause(ended, engine));
    const running = { call, engine, state, report };
    const compute = computing(running, { say, onEnd });
    engine.guest.listen({
      report,
      ask(id, tool, json) {
        if (id > MOST_TOOL_CALLS)
          return `no more than ${MOST_TOOL_CALLS} calls of tools may be made`;
        state.waitingFor++;
        void answered(id, tool, json).then((answer) =>
          compute(() => {
            state.waitingFor--;
            engine.guest.settle(answer);
          }),
        );
        return undefined;
      },
    });
    compute(() => begin(running));
  });
  if (end.type === "failed") throw failureOf(end, call);
  return end.json;
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

/** Returns a function that lets the program compute until it ends, waits or exceeds its total time, and says which. */
function computing(
  { call, engine, state, report }: Running,
  { say, onEnd }: Pick<Host, "say"> & { onEnd: (end: ProgramEnd) => void },
): (body: () => void) => void {
  const { runtime } = engine.context;
  const clock = computeClock(call.limits.computeMs);
  runtime.setInterruptHandler(clock.isOver);
  const hasResult = () => state.end?.type === "done";
  return (body) => {
    if (state.end !== undefined) return;
    clock.start();
    say({ type: "computes", leftMs: clock.left() });
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
    say({ type: "waits" });
    if (state.end) onEnd(state.end);
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
