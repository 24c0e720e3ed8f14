import { subscribe } from "node:diagnostics_channel";
import pMap from "p-map";
import { LONG_WORK, type LongWork } from "../../../common/longWork.js";
import { projectGraph } from "../../../graphs/projects.js";
import { namedGraph } from "../../../graphs/openGraph.js";
import { type Line, linesOfChange } from "../../../nodes/kit/stage.js";
import { programText } from "../../../plans/steps/references.js";
import { receiptLines } from "../../../state/deeds.js";
import { parseSettings } from "../../../state/settings.js";
import type { Call, GraphState, StateUpdate, Usage } from "../../../state/state.js";
import type { LibraryView } from "../../../tools/library/library.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { time } from "../../api/requests.js";
import { type StateAnswer, readHistory } from "../../api/threadStates.js";
import { type RunRow, isOpen, orderOf, threadRow } from "../../runs/runRow.js";
import { shownProgram } from "./shownProgram.js";
import { shownTree } from "./shownTree.js";
import type { ServerStore } from "../../schema.js";
import type { Runs } from "../../runs/runs.js";
import type { Workspace } from "../../../home/workspace.js";

export type { Exchange } from "../../runs/exchanges.js";

/** A request, as a list shows it. */
export type ShownRun = ReturnType<typeof shownRow> & {
  /** A person has to decide something before its thread goes on. */
  waits: boolean;
};

/** A visit of a stage. */
export type ShownVisit = Awaited<ReturnType<typeof visitsOf>>[number];

/** A call, and what is known of its tool. */
export type ShownCall = ReturnType<typeof shownCall>;

/** What waits for a person. */
export interface ShownInterrupt {
  id: string;
  value: unknown;
}

/** A request with what its runs have done. */
export type WatchedRun = Awaited<ReturnType<typeof watchedRun>>;

/** Only the latest stages of a run are shown. */
const MOST_STAGES = 200;

/** Characters of a request in a list. */
const LONGEST_SHOWN = 2000;

type Served = { data: ServerStore; runs: Runs; workspace: Workspace };

/**
 * What the rows of a request say about it.
 *
 * @param row its last run
 * @param first the run that began it
 */
export function shownRow(row: RunRow, first: RunRow = row) {
  const { graph_id, input, context } = orderOf(first);
  const { request, messages } = (input ?? {}) as { request?: unknown; messages?: unknown };
  const asked = typeof request === "string" ? request : lastText(messages);
  return {
    /** Its last run. */
    runId: row.run_id,
    /** The run that began it. */
    requestId: first.run_id,
    threadId: row.thread_id,
    graph: graph_id,
    /** Settings that it was begun with. */
    settings: context,
    status: row.status,
    /** Who began it: the name of the key, or else the caller's id; empty without authentication. */
    caller: first.caller,
    /** What was asked; empty if that was not in words. */
    request: asked.slice(0, LONGEST_SHOWN),
    createdAt: time(first.created_at),
    updatedAt: time(row.updated_at),
    error: row.error,
    /** How its request has ended, in the graph's words; empty if it has not. */
    outcome: row.outcome ?? "",
    usage: row.usage === null ? null : (JSON.parse(row.usage) as Usage),
  };
}

function lastText(messages: unknown): string {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : messages;
  if (typeof last === "string") return last;
  const { content = "" } = (last ?? {}) as { content?: string | { text?: string }[] };
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
}

/** What the runs of a request have done, from their checkpoints. @param of any of them */
export async function watchedRun(server: Served, of: RunRow) {
  const all = await server.data.db
    .selectFrom("runs")
    .selectAll()
    .where("request_id", "=", of.request_id ?? of.run_id)
    .orderBy("created_at")
    .orderBy("run_id")
    .execute();
  const [first = of] = all;
  const run = all.at(-1) ?? of;
  const row = await threadRow(server.data, run.thread_id);
  const shown = shownRow(run, first);
  const histories = await pMap(row ? all : [], async ({ run_id: runId }) => {
    const metadata = { run_id: runId };
    const states = row ? await readHistory({ server, row, limit: MOST_STAGES, metadata }) : [];
    return { states, visits: await visitsOf({ ...shown, runId }, states.toReversed()) };
  });
  const { states = [] } = { ...histories.at(-1) };
  const values = (states[0]?.values ?? {}) as Partial<GraphState>;
  const { calls = [], answer = "", status = "running", usage = null, ledger = null } = values;
  const library = await libraryOf(server, run);
  const tools = library?.pick([...new Set(calls.map(({ tool }) => tool))]);
  const later = await server.data.db
    .selectFrom("runs")
    .select("run_id")
    .where("thread_id", "=", run.thread_id)
    .where("created_at", ">", run.created_at)
    .executeTakeFirst();
  // What an earlier run asked has been answered.
  const tasks = (!later && states[0]?.tasks) || [];
  const interrupts = tasks.flatMap((task) => task.interrupts as ShownInterrupt[]);
  return {
    ...shown,
    request: shown.request || (values.run?.request ?? "").slice(0, LONGEST_SHOWN),
    visits: histories.flatMap(({ visits }) => visits),
    answer,
    /** As code, if the plan was all that was asked for. */
    plan: values.plan && status === "planned" ? programText(values.plan) : "",
    receipt: values.deeds ? receiptLines(values.deeds) : [],
    outcome: status === "running" ? "" : status,
    calls: calls.map((call) => shownCall(call, tools?.get(call.tool))),
    program: values.program ? shownProgram({ program: values.program, calls, library }) : null,
    tree: shownTree(values),
    usage,
    ledger: ledger && { unit: ledger.unit, amount: ledger.amount, spent: ledger.spent },
    interrupts,
    waits: interrupts.length > 0,
    /** What this process is long at: a run may wait for its library to be indexed. */
    work: isOpen(run) ? [...underWay].map(progressOf) : [],
  };
}

const underWay = new Set<LongWork>();

subscribe(LONG_WORK, (message) => {
  const work = message as LongWork;
  if (work.hasEnded) underWay.delete(work);
  else underWay.add(work);
});

function progressOf({ label, unit, done, total }: LongWork): string {
  const [shown, of] = [done, total].map((count) => count.toLocaleString("en"));
  return `${label}: ${shown} ${total > 0 ? `of ${of} ` : ""}${unit}`;
}

/** Undefined if it has been deleted since. */
async function libraryOf({ workspace }: Served, run: RunRow): Promise<LibraryView | undefined> {
  try {
    const settings = parseSettings(orderOf(run).context);
    return await workspace.library(settings);
  } catch {
    return undefined;
  }
}

function shownCall(call: Call, record: ToolRecord | undefined) {
  const { id, tool, args, result, error, ms, refused, resultRef } = call;
  // A tool that is no longer there counts as writing, like one that says nothing about it.
  const writes = record?.effects !== "read";
  /** The result is long, and only the journal has it. */
  const isElsewhere = resultRef !== undefined;
  return { id, tool, args, result, error, ms, refused, writes, isElsewhere };
}

/** @param states oldest first */
async function visitsOf(
  { runId, graph }: Pick<ShownRun, "runId" | "graph">,
  states: readonly StateAnswer[],
) {
  const stages = projectGraph(graph) ? {} : (await namedGraph(graph)).wiring.stages;
  return states.flatMap((state, at) => {
    const after = states[at + 1];
    return state.tasks
      .filter(({ name }) => !name.startsWith("__"))
      .map(({ id, name, result }) => {
        const before = state.values as Partial<GraphState>;
        const change = (result ?? {}) as StateUpdate;
        const lines = result ? linesOfChange({ stage: stages[name], change, before }) : [];
        return {
          /** Of LangGraph's task; what the model was told and replied is kept under it. */
          id,
          runId,
          stage: name,
          /** Null while it works. */
          ms: timeBetween(state, after),
          lines: lines.map(plainLine),
          ...spentBetween(before.usage, change.usage),
          /** The state before it, to go back to. */
          checkpoint: (state.checkpoint?.["checkpoint_id"] as string | undefined) ?? "",
        };
      });
  });
}

function timeBetween(state: StateAnswer, after: StateAnswer | undefined): number | null {
  if (!state.created_at || !after?.created_at) return null;
  return Date.parse(after.created_at) - Date.parse(state.created_at);
}

function spentBetween(before: Partial<Usage> = {}, after: Partial<Usage> = before) {
  const more = (what: "modelCalls" | "inputTokens" | "outputTokens") =>
    Math.max(0, (after[what] ?? 0) - (before[what] ?? 0));
  return { modelCalls: more("modelCalls"), tokens: more("inputTokens") + more("outputTokens") };
}

function plainLine(line: Line): string {
  if (typeof line === "string") return line;
  return line
    .map((part) => (typeof part === "string" ? part : "strong" in part ? part.strong : part.aside))
    .join("");
}
