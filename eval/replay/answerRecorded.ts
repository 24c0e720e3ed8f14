import type { Invocation, Invoke, Invoked } from "../../tools/calls/engine/callScope.js";
import { invoke } from "../../tools/calls/engine/invoke.js";
import { validateArguments } from "../../tools/calls/engine/validateArguments.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import type { ToolRecord } from "../../tools/tool.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import type { Runner } from "../runs/runner.js";
import { asNamedNow, isNested, type RecordedCall } from "./recording.js";

/** How the error of a call begins that a recording does not have. */
export const NOT_RECORDED = "not recorded";

type ReplayOptions = Pick<NonNullable<Benchmark["replay"]>, "live" | "renamed">;

/** Answers the calls of replayed runs, each from its own recording. */
export interface Replay {
  invoke: Invoke;
  /** A runner whose runs are answered from the recordings of their requests. */
  through: (runner: Runner) => Runner;
}

/**
 * Opens a replay: no tool is called, except by `live` those that only read. What a model wrote in its own run, and saved
 * plans, reach nothing but other tools: they are followed, and their calls are answered.
 *
 * @param options.live reads that were never recorded are made for real
 * @param options.renamed parameters under whose old names calls were recorded
 */
export function openReplay({ live, renamed }: ReplayOptions): Replay {
  const recordings = new Map<string, RecordedCall[]>();
  return {
    invoke: async (invocation) => {
      const { scope, call } = invocation;
      const calls = recordings.get(scope.threadId);
      const recorded = calls && (await recordedAnswer(invocation, calls));
      if (recorded) return answerOf(recorded);
      const { source, effects } = call.record;
      if (source.kind === "generated" || source.kind === "program") return await invoke(invocation);
      if (live && effects === "read") return await invoke(invocation);
      return { error: notRecorded(call.record) };
    },
    through: (runner) => ({
      run: async (request) => {
        const calls = request.recording?.calls.map((call) => asNamedNow(call, renamed));
        if (calls) recordings.set(request.threadKey, calls);
        return await runner.run(request);
      },
    }),
  };
}

function notRecorded({ name, effects }: ToolRecord): string {
  const done = effects === "write" ? "nothing was written" : "it was not made";
  return `${NOT_RECORDED}: ${name} was never called with these arguments in the recorded run, so ${done}`;
}

function answerOf({ result, error, ms }: RecordedCall): Invoked {
  if (error !== undefined) return { error, ms };
  return { resultJson: result === undefined ? undefined : JSON.stringify(result), ms };
}

/**
 * The recorded call that answers this one: the same tool with the same arguments, of several the one of the same place in
 * the order of such calls, and a read rather the one after as many writes. A read repeated beyond that gets its last answer;
 * a write does not.
 */
async function recordedAnswer(
  { scope, call, args }: Invocation,
  calls: readonly RecordedCall[],
): Promise<RecordedCall | undefined> {
  const { record } = call;
  const wanted = canonicalJson(args);
  const isSame = (one: { tool: string; args: unknown }) =>
    one.tool === record.id && canonicalJson(filled(record, one.args)) === wanted;
  const equal = placed(calls).filter(({ one }) => isSame(one));
  const before = await madeBefore(scope, call);
  const made = placed(before).filter(({ one }) => isSame(one));
  if (record.effects === "write") return equal[made.length]?.one;
  const writes = before.filter(isWrite).length;
  const now = equal.filter((each) => each.writes === writes);
  const repeated = made.filter((each) => each.writes === writes).length;
  const answer = now[Math.min(repeated, now.length - 1)] ?? equal[made.length] ?? equal.at(-1);
  return answer?.one;
}

type Made = Pick<RecordedCall, "tool" | "args" | "effects" | "nested" | "error">;

/** Calls with the number of writes before each. */
function placed<One extends Made>(calls: readonly One[]): { one: One; writes: number }[] {
  return calls.map((one, at) => ({ one, writes: calls.slice(0, at).filter(isWrite).length }));
}

/** A write that a recording lacks has not happened. */
function isWrite({ effects, nested, error = "" }: Made): boolean {
  return effects === "write" && !nested && !error.startsWith(NOT_RECORDED);
}

async function madeBefore(
  { journal, threadId }: Invocation["scope"],
  { id, record }: Invocation["call"],
): Promise<Made[]> {
  const entries = await journal.calls(threadId);
  const own = entries.findIndex(({ callId, tool }) => callId === id && tool === record.id);
  return entries.slice(0, own === -1 ? undefined : own).map((entry) => ({
    ...entry,
    args: entry.args as Made["args"],
    nested: isNested(entry.callId, entries),
  }));
}

/** Arguments with defaults, so that a default that was written out does not count as a difference. */
function filled(record: ToolRecord, args: unknown): unknown {
  const check = validateArguments({ record, args });
  return check.ok ? check.args : args;
}
