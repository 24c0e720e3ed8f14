import { openGraph } from "../../graphs/openGraph.js";
import { backgroundOf } from "../../nodes/kit/runBasics.js";
import type { GivenDecision, ReviewRequest } from "../../nodes/policy/askDecisions.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import type { GraphState } from "../../state/state.js";
import type { Thread } from "../../storage/checkpoints/checkpoints.js";
import type { JournalEntry } from "../../tools/calls/journal/journal.js";
import type { Task } from "../benchmarks/benchmark.js";
import {
  isNested,
  ownCalls,
  type RecordedCall,
  type RecordedDecision,
  type Recording,
} from "./recording.js";

/** A thread with what its last run was given and, if they differ, each of its runs, by the id in its checkpoints. */
export interface RecordedThread extends Pick<Thread, "id" | "graph" | "settings"> {
  runs?: ReadonlyMap<string, Pick<Thread, "graph" | "settings">>;
}

/** A task that is a run as it was. */
export type RecordedTask = Task & { recording: Recording };

/** The runs of a thread that have ended, oldest first, as tasks. */
export async function recordRuns(thread: RecordedThread): Promise<RecordedTask[]> {
  const ends = await endsOf(thread);
  const entries = await openWorkspace().runtime.journal.calls(thread.id);
  const decisions = await decisionsIn(thread.id);
  return ends.map(({ values, endedAt, given }, at) => {
    const { run, answer, status, usage } = values;
    const calls = callsOf(values, entries);
    const recording: Recording = {
      thread: thread.id,
      graph: given.graph,
      endedAt,
      settings: settingsOf(given),
      earlier: ends
        .slice(0, at)
        .map(({ values: before }) => ({ request: before.run.request, answer: before.answer })),
      calls,
      decisions: decisions.get(run.id) ?? [],
      status,
      answer,
      usage,
    };
    const id = ends.length > 1 ? `${thread.id} ${at + 1}` : thread.id;
    const tools = ownCalls(recording).map(({ tool }) => tool);
    return { id, query: run.request, tools, level: given.graph, recording };
  });
}

interface RunEnd {
  values: GraphState;
  endedAt: string;
  given: Pick<Thread, "graph" | "settings">;
}

/** The state in which each run of a thread has ended, oldest first; a run that has not ended is left out. */
async function endsOf(thread: RecordedThread): Promise<RunEnd[]> {
  const { id, runs } = thread;
  const graph = await openGraph(thread.graph);
  const ends = new Map<string, RunEnd>();
  const history = graph.getStateHistory({ configurable: { thread_id: id } });
  for await (const { values, createdAt = "", next, metadata } of history) {
    const state = values as GraphState;
    const isEnd = next.length === 0 && state.run?.id && state.status !== "running";
    if (!isEnd || ends.has(state.run.id)) continue;
    const { run_id: runId = "" } = (metadata ?? {}) as { run_id?: string };
    ends.set(state.run.id, {
      values: state,
      endedAt: createdAt,
      given: runs?.get(runId) ?? thread,
    });
  }
  return [...ends.values()].toReversed();
}

/** The given settings, with those whose default may be another one when the run is made again. */
function settingsOf({ settings }: Pick<Thread, "settings">): Record<string, unknown> {
  const { threadId: _thread, library: _library, ...given } = settings;
  const parsed = parseSettings(settings);
  const { model, embeddings } = parsed;
  const background = backgroundOf(parsed);
  return { ...given, model, embeddings, ...(background === undefined ? {} : { background }) };
}

/** What a saved plan notes about itself is not a call of a tool. */
const BEGUN = "/begun";

function callsOf({ calls }: GraphState, entries: readonly JournalEntry[]): RecordedCall[] {
  const ids = calls.map(({ id }) => id);
  return entries.flatMap((entry) => {
    const { callId: id, tool, args, effects, resultJson, error, ms = 0, cost = 0, status } = entry;
    const isOwn = ids.some((one) => id === one || id.startsWith(`${one}/`));
    if (!isOwn || id.endsWith(BEGUN)) return [];
    const cut = status === "accepted" || status === "started" ? "it was broken off" : undefined;
    const failure = error ?? cut;
    return {
      id,
      tool,
      args: args as RecordedCall["args"],
      effects,
      ...(resultJson === undefined ? {} : { result: JSON.parse(resultJson) as unknown }),
      ...(failure === undefined ? {} : { error: failure }),
      ms,
      cost,
      ...(isNested(id, entries) ? { nested: true } : {}),
    };
  });
}

/** What people decided in a thread, by run. */
async function decisionsIn(threadId: string): Promise<Map<string, RecordedDecision[]>> {
  const { saver } = openWorkspace().checkpoints();
  const byRun = new Map<string, RecordedDecision[]>();
  const thread = { configurable: { thread_id: threadId } };
  for await (const { checkpoint, pendingWrites = [] } of saver.list(thread)) {
    const written = (name: string): unknown[] =>
      pendingWrites.filter(([, channel]) => channel === name).map(([, , value]) => value);
    const asked = written("__interrupt__").map((each) => (each as { value?: unknown }).value);
    // All answers so far; the one that counts is the last.
    const given = written("__resume__").flatMap((each) => (Array.isArray(each) ? each.at(-1) : []));
    const { id = "" } = (checkpoint.channel_values["run"] ?? {}) as { id?: string };
    byRun.set(id, [...decidedOn(asked.at(-1), given.at(-1)), ...(byRun.get(id) ?? [])]);
  }
  return byRun;
}

function decidedOn(asked: unknown, given: unknown): RecordedDecision[] {
  const { actionRequests = [] } = (asked ?? {}) as Partial<ReviewRequest>;
  const { decisions = [] } = (given ?? {}) as { decisions?: GivenDecision[] };
  return decisions.flatMap((decision, at): RecordedDecision[] => {
    const action = actionRequests[at];
    if (!action) return [];
    const { name, args } = action;
    if (decision.type === "edit") {
      return [{ name, args, type: "edit", instead: decision.editedAction.args }];
    }
    if (decision.type === "approve") return [{ name, args, type: "approve" }];
    const { message } = decision;
    return [{ name, args, type: "reject", ...(message === undefined ? {} : { message }) }];
  });
}
