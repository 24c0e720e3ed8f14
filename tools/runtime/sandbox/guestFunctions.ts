import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import { GUEST } from "./guest.js";
import type { FailureKind, ProgramEnd, ToolAnswer } from "./sandbox.js";

/** How deep a result may be nested, as for every tool. */
const DEEPEST_RESULT = 200;

/** Receives what the guest reports. */
interface GuestListener {
  /** How the call ended; only the first report counts. */
  report: (end: ProgramEnd) => void;
  /** The program calls a tool; returns a text to refuse. */
  ask: (call: AskedCall) => string | undefined;
}

/** The code that runs beside the program in the sandbox (`GUEST`), as functions for the host. */
export interface Guest {
  /** Must be called first. */
  listen(listener: GuestListener): void;
  /** Calls the function; its end is reported. */
  start(target: QuickJSHandle, args: string): void;
  /** Settles the promise of a `callTool`. */
  settle(answer: ToolAnswer): void;
  /** Reports what evaluating a text threw. */
  explain(thrown: QuickJSHandle, kind: FailureKind): void;
}

/** A program's call of a tool. */
interface AskedCall {
  /** Counted from 1. */
  id: number;
  tool: string;
  /** The arguments. */
  json: string;
}

/**
 * Loads the guest into an engine, before any program.
 *
 * Exceptions of guest calls are ignored: then the call ends without a report, as it does when the engine runs out of
 * memory before it can report.
 */
export function loadGuest({
  context,
  resultChars,
}: {
  context: QuickJSContext;
  resultChars: number;
}): Guest {
  let listener: GuestListener | undefined;
  const textHandle = (text: string | undefined) =>
    text === undefined ? context.undefined : context.newString(text);
  const heard = (handle: QuickJSHandle | undefined) =>
    handle !== undefined && context.typeof(handle) === "string"
      ? context.getString(handle)
      : undefined;
  const onAsk = context.newFunction("ask", (id, tool, json) =>
    textHandle(
      listener?.ask({
        id: context.getNumber(id),
        tool: heard(tool) ?? "",
        json: heard(json) ?? "",
      }),
    ),
  );
  const onReport = context.newFunction("report", (kind, text, stack) => {
    listener?.report(endOf(heard(kind), heard(text), heard(stack)));
  });
  const numbers = [resultChars, DEEPEST_RESULT].map((each) => context.newNumber(each));
  const make = context.unwrapResult(context.evalCode(GUEST, "guest.js"));
  const guest = context.unwrapResult(
    context.callFunction(make, context.undefined, onAsk, onReport, ...numbers),
  );
  const guestFunction = (name: "start" | "settle" | "explain") => {
    const handle = context.getProp(guest, name);
    return (...args: QuickJSHandle[]) =>
      void context.callFunction(handle, context.undefined, ...args);
  };
  const [start, settle, explain] = (["start", "settle", "explain"] as const).map(guestFunction);
  return {
    listen(told) {
      listener = told;
    },
    start: (target, args) => start?.(target, context.newString(args)),
    settle(answer) {
      const isOk = answer.ok ? context.true : context.false;
      const text = textHandle(answer.ok ? answer.json : answer.error);
      settle?.(context.newNumber(answer.id), isOk, text);
    },
    explain: (thrown, kind) => explain?.(thrown, context.newString(kind)),
  };
}

function endOf(
  kind: string | undefined,
  text: string | undefined,
  stack: string | undefined,
): ProgramEnd {
  if (kind === "done") return { type: "done", json: text };
  // The guest reports nothing else.
  return { type: "failed", kind: kind as FailureKind, text, stack };
}
