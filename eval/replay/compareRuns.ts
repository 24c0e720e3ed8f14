import { dollarsOf } from "../../models/prices.js";
import { answerValues } from "../../plans/grounding/writtenValues.js";
import { parseSettings } from "../../state/settings.js";
import type { Usage } from "../../state/state.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import type { Results } from "../runs/experimentFolder.js";
import { latestAttempts, type RunRecord } from "../runs/runRecord.js";
import type { ToolShape } from "../scorers/scorer.js";
import { NOT_RECORDED } from "./answerRecorded.js";
import { asNamedNow, ownCalls, type RecordedCall, type Recording } from "./recording.js";

/**
 * What a replay did, compared with the recorded run: the same calls and the same answer · the same answer by other calls ·
 * other writes, or not all of them · anything else.
 */
export type Verdict = "same" | "otherCalls" | "otherWrites" | "different";

/** A call in a comparison. */
export type ComparedCall = Pick<RecordedCall, "tool" | "args" | "error"> & {
  writes: boolean;
  /** No recording has it, and it was not made. */
  unrecorded: boolean;
};

/** One side of a comparison. */
export interface ComparedSide {
  calls: ComparedCall[];
  status: string;
  answer: string;
  usage: Usage;
  /** Null if a price is unknown. */
  usd: number | null;
}

/** A replayed run beside the recorded one. */
export type ComparedRun = Awaited<ReturnType<typeof compareRun>>;

/** The runs of a replay beside the recorded ones, in the order of the recordings. */
export async function compareRuns(results: Results): Promise<ComparedRun[]> {
  const { experiment, tasks, records, tools = [] } = results;
  const { live = false, renamed = {} } = experiment.definition.replay ?? {};
  const places = new Map(tasks.map(({ id }, at) => [id, at]));
  const ordered = latestAttempts(records).toSorted(
    (a, b) => (places.get(a.task) ?? 0) - (places.get(b.task) ?? 0),
  );
  const compared = ordered.flatMap((record) => {
    const task = tasks.find(({ id }) => id === record.task);
    if (!task?.recording) return [];
    // A renamed parameter does not count as a difference.
    const calls = task.recording.calls.map((call) => asNamedNow(call, renamed));
    const recording = { ...task.recording, calls };
    return compareRun({ record, request: task.query, recording, tools, live });
  });
  return await Promise.all(compared);
}

async function compareRun(options: {
  record: RunRecord;
  request: string;
  recording: Recording;
  tools: readonly ToolShape[];
  live: boolean;
}) {
  const { record, request, recording, tools, live } = options;
  const before = await sideBefore(recording);
  const now = sideNow(record, writing(recording, tools));
  const missing = without(before.calls, now.calls);
  const further = without(now.calls, before.calls);
  const { task, graph, variant, run, error: failure } = record;
  const recorded = new Set(before.calls.map(keyOf));
  const unknown = now.calls.filter((call) => !recorded.has(keyOf(call)));
  const made = live ? unknown.filter(({ writes, unrecorded }) => !writes && !unrecorded) : [];
  return {
    task,
    request,
    graph,
    variant,
    run,
    verdict: verdictOf({ before, now, changed: [...missing, ...further] }),
    before,
    now,
    /** Calls of the recorded run that were not made again. */
    missing,
    /** Calls that the recorded run had not made. */
    further,
    /** How many calls no recording has, and were not made. */
    unrecorded: now.calls.filter(({ unrecorded }) => unrecorded).length,
    /** How many calls were made for real. */
    live: made.length,
    ...(failure === undefined ? {} : { failure }),
  };
}

function verdictOf({
  before,
  now,
  changed,
}: {
  before: ComparedSide;
  now: ComparedSide;
  changed: readonly ComparedCall[];
}): Verdict {
  if (changed.some(({ writes }) => writes)) return "otherWrites";
  if (before.status !== now.status || !sameAnswer(before.answer, now.answer)) return "different";
  return changed.length > 0 ? "otherCalls" : "same";
}

/** Equal but for blanks and case, or other words for the same values. */
function sameAnswer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.toLowerCase().replaceAll(/\s+/g, " ").trim());
  if (a === b) return true;
  const [values, others] = [valuesIn(one), valuesIn(other)];
  return values.length > 0 && canonicalJson(values) === canonicalJson(others);
}

function valuesIn(text: string): string[] {
  const written = answerValues(text).map(({ kind, written: value }) => `${kind} ${value}`);
  return [...new Set(written.map((value) => value.toLowerCase()))].toSorted();
}

async function sideBefore(recording: Recording): Promise<ComparedSide> {
  const { status, answer, usage, settings } = recording;
  const { model, embeddings } = parseSettings(settings);
  return {
    calls: ownCalls(recording).map((call) => compared(call, call.effects === "write")),
    status,
    answer,
    usage,
    usd: await dollarsOf({ model, embeddings, usage }),
  };
}

function sideNow(record: RunRecord, writes: (tool: string) => boolean): ComparedSide {
  const { status, answer, usage, usd } = record;
  const calls = record.calls.filter(({ refused }) => !refused);
  return {
    calls: calls.map((call) => compared(call, writes(call.tool))),
    status,
    answer,
    usage,
    usd,
  };
}

function compared(
  { tool, args, error }: Pick<ComparedCall, "tool" | "args" | "error">,
  writes: boolean,
): ComparedCall {
  const unrecorded = error?.startsWith(NOT_RECORDED) ?? false;
  return { tool, args, ...(error === undefined ? {} : { error }), writes, unrecorded };
}

/** Whether a tool writes: as the library says now, else as the recording does; one that neither knows does. */
function writing({ calls }: Recording, tools: readonly ToolShape[]): (tool: string) => boolean {
  const effects = new Map([
    ...calls.map(({ tool, effects: known }) => [tool, known] as const),
    ...tools.flatMap(({ id, effects: known }) => (known ? [[id, known] as const] : [])),
  ]);
  return (tool) => effects.get(tool) !== "read";
}

function without(calls: readonly ComparedCall[], others: readonly ComparedCall[]): ComparedCall[] {
  const left = others.map(keyOf);
  return calls.filter((call) => {
    const at = left.indexOf(keyOf(call));
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
}

function keyOf({ tool, args }: ComparedCall): string {
  return canonicalJson({ tool, args });
}
