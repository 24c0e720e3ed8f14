import { openNamed } from "../../home/libraries.js";
import type { Workspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import type { Thread } from "../../storage/checkpoints/checkpoints.js";
import { isOutcomeUnknown } from "../../tools/calls/engine/callOutcome.js";
import { isSavedPlan } from "../../tools/calls/engine/savedPlan.js";
import type { JournalEntry } from "../../tools/calls/journal/journal.js";
import type { LibraryView } from "../../tools/library/library.js";

/** What is to be taken back; by default, the last run of the thread that changed something. */
export interface WantedUndo {
  run?: string;
  /** Number of a write in its thread, from 1. */
  step?: number;
}

/** A write of a thread that was made, or may have been. */
export interface Write extends Pick<JournalEntry, "ref" | "callId" | "tool" | "before" | "after"> {
  /** In its thread, from 1. */
  number: number;
  /** The run that made it; a call of an older version is a run of its own. */
  run: string;
  args: Record<string, unknown>;
  result?: unknown;
  /** Nobody knows whether it was made. */
  isUnknown: boolean;
  /** It was taken back. */
  isUndone: boolean;
  /** It takes back another write, which does not take back one itself: what it wrote is not a change to take back. */
  isUndo: boolean;
}

/** The writes of a thread, from its journal and the library of its settings. */
export async function threadWrites(
  { store, runtime }: Pick<Workspace, "store" | "runtime">,
  { id, settings: { library, embeddings } }: Pick<Thread, "id" | "settings">,
): Promise<Write[]> {
  const entries = await runtime.journal.calls(id);
  if (!entries.some(({ effects }) => effects === "write")) return [];
  const settings = parseSettings({ library, embeddings });
  return writesOf(entries, await openNamed({ store, settings }));
}

/** The writes of a thread that were made, or may have been, in the order in which they began. */
export function writesOf(
  entries: readonly JournalEntry[],
  library: Pick<LibraryView, "get">,
): Write[] {
  const writes = entries.filter(
    ({ effects, status }) => effects === "write" && status !== "accepted",
  );
  const made = writes.filter(
    ({ status, error = "" }) =>
      status === "done" || status === "started" || isOutcomeUnknown(error),
  );
  const byRef = new Map(made.map((entry) => [entry.ref, entry]));
  const undone = new Set(
    made.flatMap(({ undoes, status }) => (undoes !== undefined && status === "done" ? undoes : [])),
  );
  const isUndo = ({ undoes }: JournalEntry): boolean => {
    const other = undoes === undefined ? undefined : byRef.get(undoes);
    return undoes !== undefined && !(other && isUndo(other));
  };
  const own = made.filter((entry) => countsItself(entry, { writes, library }));
  return own.map((entry, at) => ({
    number: at + 1,
    run: entry.runId ?? `call ${entry.ref}`,
    ref: entry.ref,
    callId: entry.callId,
    tool: entry.tool,
    args: entry.args as Record<string, unknown>,
    ...(entry.resultJson !== undefined && { result: JSON.parse(entry.resultJson) as unknown }),
    before: entry.before,
    after: entry.after,
    isUnknown: entry.status !== "done",
    isUndone: undone.has(entry.ref),
    isUndo: isUndo(entry),
  }));
}

/**
 * A saved plan does nothing but call, and so does a program, which is no tool of the library; what other tools have
 * called is taken back with them, if there is a way.
 */
function countsItself(
  { callId, tool }: JournalEntry,
  { writes, library }: { writes: readonly JournalEntry[]; library: Pick<LibraryView, "get"> },
): boolean {
  const record = library.get(tool);
  if (record ? isSavedPlan(record) : writes.some((other) => other.callId.startsWith(`${callId}/`)))
    return false;
  const above = writes.filter((other) => callId.startsWith(`${other.callId}/`));
  return !above.some((other) => library.get(other.tool)?.undo !== undefined);
}

/** What of a thread is to be taken back, last first, or why there is nothing. */
export function undoTarget(
  writes: readonly Write[],
  { run, step }: WantedUndo,
): { run: string; writes: Write[] } | { problem: string; hint: string } {
  const standing = writes.filter(({ isUndone }) => !isUndone);
  const last = standing.findLast(({ isUndo }) => !isUndo);
  if (writes.length === 0)
    return { problem: "it has changed nothing", hint: "There is nothing to take back" };
  const steps = step === undefined ? writes : writes.filter(({ number }) => number === step);
  const wanted = run ?? (step === undefined ? last?.run : steps[0]?.run);
  const meant = steps.filter((write) => write.run === wanted);
  if (step !== undefined && steps.length === 0)
    return { problem: `it has no step ${step}`, hint: `Its changes are 1 to ${writes.length}` };
  if (run !== undefined && meant.length === 0) {
    const runs = [...new Set(writes.map((write) => write.run))];
    return {
      problem: `no run ${run} has changed something`,
      hint: `Others have: ${runs.join(", ")}`,
    };
  }
  const open = meant.filter(({ isUndone }) => !isUndone).toReversed();
  if (wanted !== undefined && open.length > 0) return { run: wanted, writes: open };
  const taking = writes.findLast(({ isUndo, isUndone }) => isUndo && !isUndone);
  const back = taking && `To make the changes again, take back run ${taking.run}`;
  return {
    problem: "it has already been taken back",
    hint: back ?? "There is nothing left to take back",
  };
}
