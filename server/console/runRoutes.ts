import { Hono } from "hono";
import { z } from "zod";
import type { Call } from "../../state/state.js";
import { ownedBy } from "../access/caller.js";
import { waitingRuns, mayRelease } from "../access/waitingRuns.js";
import { readQuery, time } from "../api/requests.js";
import { findRun } from "../api/runs.js";
import { readHistory } from "../api/threadStates.js";
import { type RunRow, orderOf } from "../runs/runRow.js";
import type { Environment, Server } from "../server.js";

/** A run, as a list shows it. */
export interface ShownRun {
  runId: string;
  threadId: string;
  graph: string;
  status: string;
  /** What was asked, or that the run goes on after an answer. */
  request: string;
  createdAt: string;
  updatedAt: string;
  error: string | null;
  /** A person has to decide something before its thread goes on. */
  waits: boolean;
}

/** A run with what it has done. */
export interface WatchedRun extends ShownRun {
  /** Its stages, and when each began. */
  stages: { stage: string; at: string | null }[];
  /** The graph's channels of these names, as text. */
  answer: string;
  outcome: string;
  calls: { tool: string; args: unknown; failed: boolean }[];
}

/** A run that waits because the day's budget of its caller is used up. */
export interface WaitingRun {
  runId: string;
  graph: string;
  request: string;
  createdAt: string;
  /** When it begins by itself. */
  until: string;
  /** Whose budget is used up: the name of the key, or else the caller's id. */
  caller: string;
  /** Whether this page's user may let it begin at once. */
  mayRelease: boolean;
}

/** Only the latest stages of a run are shown. */
const MOST_STAGES = 200;

/** Characters of a request in a list. */
const LONGEST_SHOWN = 300;

const list = z.object({ limit: z.coerce.number().int().min(1).max(100).default(30) });

/** The latest runs of all threads, the runs that wait for a budget, and what one run has done. */
export function runRoutes(server: Pick<Server, "data" | "runs">): Hono<Environment> {
  const app = new Hono<Environment>();
  app.get("/runs", async (context) => {
    const { limit } = readQuery(context, list);
    const rows = await server.data.db
      .selectFrom("runs")
      .leftJoin("threads", "threads.thread_id", "runs.thread_id")
      .selectAll("runs")
      .select("threads.status as thread_status")
      .where(ownedBy(context.get("caller"), "runs.owner"))
      .orderBy("runs.created_at", "desc")
      .orderBy("runs.run_id", "desc")
      .limit(limit)
      .execute();
    // Earlier runs of a thread no longer wait for anything.
    const latest = new Map(rows.toReversed().map((row) => [row.thread_id, row.run_id]));
    return context.json(
      rows.map(({ thread_status, ...row }): ShownRun => {
        const isLatest = latest.get(row.thread_id) === row.run_id;
        return { ...shown(row), waits: isLatest && thread_status === "interrupted" };
      }),
    );
  });
  app.get("/waiting", async (context) => {
    const caller = context.get("caller");
    const waiting = await waitingRuns({ data: server.data, caller });
    return context.json(
      waiting.map(({ key_name, ...row }): WaitingRun => {
        const { runId, graph, request, createdAt } = shown(row);
        const until = time(row.due_at);
        const known = { caller: key_name || row.caller, mayRelease: mayRelease(caller, row) };
        return { runId, graph, request, createdAt, until, ...known };
      }),
    );
  });
  app.get("/runs/:run_id", async (context) =>
    context.json(await watched(server, await findRun({ server, context }))),
  );
  return app;
}

function shown(row: RunRow): Omit<ShownRun, "waits"> {
  const { graph_id, input, command } = orderOf(row);
  const { request, messages } = (input ?? {}) as { request?: unknown; messages?: unknown };
  const asked = typeof request === "string" ? request : lastText(messages);
  return {
    runId: row.run_id,
    threadId: row.thread_id,
    graph: graph_id,
    status: row.status,
    request: command ? "goes on after an answer" : asked.slice(0, LONGEST_SHOWN),
    createdAt: time(row.created_at),
    updatedAt: time(row.updated_at),
    error: row.error,
  };
}

function lastText(messages: unknown): string {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : messages;
  if (typeof last === "string") return last;
  const { content } = (last ?? {}) as { content?: unknown };
  return typeof content === "string" ? content : "";
}

async function watched(server: Pick<Server, "data" | "runs">, run: RunRow): Promise<WatchedRun> {
  const row = await server.data.db
    .selectFrom("threads")
    .selectAll()
    .where("thread_id", "=", run.thread_id)
    .executeTakeFirst();
  const metadata = { run_id: run.run_id };
  const states = row ? await readHistory({ server, row, limit: MOST_STAGES, metadata }) : [];
  const values = (states[0]?.values ?? {}) as Record<string, unknown>;
  const { calls = [], answer = "", status = "" } = values;
  return {
    ...shown(run),
    stages: states
      .toReversed()
      .flatMap(({ next, created_at: at }) =>
        next.filter((stage) => !stage.startsWith("__")).map((stage) => ({ stage, at })),
      ),
    answer: String(answer),
    outcome: String(status),
    calls: (Array.isArray(calls) ? (calls as Partial<Call>[]) : []).map(
      ({ tool = "", args, error }) => ({ tool, args, failed: error !== undefined }),
    ),
    waits: states[0]?.tasks.some(({ interrupts }) => interrupts.length > 0) ?? false,
  };
}
