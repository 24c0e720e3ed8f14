import { Hono } from "hono";
import { z } from "zod";
import type { Call } from "../../state/state.js";
import { heldRuns, mayRelease } from "../access/heldRuns.js";
import { HttpProblem } from "../problem.js";
import { ownerSeen, pathId, readQuery, time } from "../api/requests.js";
import { readHistory } from "../api/threadStates.js";
import { type RunRow, orderOf } from "../runs/runRow.js";
import type { Environment, Server } from "../server.js";

/** A run, as a list shows it. */
export interface ShownRun {
  runId: string;
  threadId: string;
  graph: string;
  status: string;
  /** What was asked, or that it goes on after an answer. */
  request: string;
  createdAt: string;
  updatedAt: string;
  error: string | null;
  /** A person has to decide something before its thread goes on. */
  waits: boolean;
}

/** A stage of a run, from when it was its turn. */
export interface ShownStage {
  stage: string;
  at: string | null;
}

/** A run with what it has done. */
export interface WatchedRun extends ShownRun {
  stages: ShownStage[];
  /** Texts of whatever a graph has in these channels. */
  answer: string;
  outcome: string;
  calls: { tool: string; args: unknown; failed: boolean }[];
}

/** A run that waits because its caller has used up the day's budget. */
export interface HeldRun {
  runId: string;
  graph: string;
  request: string;
  createdAt: string;
  /** When it begins by itself. */
  until: string;
  /** Whose budget is used up: the name of the key, or what the caller is known by. */
  caller: string;
  /** Whether whoever asks may let it begin at once. */
  mayRelease: boolean;
}

/** Stages of one run that are shown at most, the latest. */
const MOST_STAGES = 200;

/** Most characters of a request in a list. */
const LONGEST_SHOWN = 300;

const list = z.object({ limit: z.coerce.number().int().min(1).max(100).default(30) });

/** The latest runs of all threads of an owner, and what one of them has done. */
export function runRoutes(server: Pick<Server, "data" | "runs">): Hono<Environment> {
  const app = new Hono<Environment>();
  app.get("/runs", async (context) => {
    const { limit } = readQuery(context, list);
    const owner = ownerSeen(context);
    const rows = await server.data.db
      .selectFrom("runs")
      .leftJoin("threads", "threads.thread_id", "runs.thread_id")
      .selectAll("runs")
      .select("threads.status as thread_status")
      .$if(owner !== undefined, (query) => query.where("runs.owner", "=", String(owner)))
      .orderBy("runs.created_at", "desc")
      .orderBy("runs.run_id", "desc")
      .limit(limit)
      .execute();
    // A thread's earlier runs wait for nothing any more.
    const latest = new Map(rows.toReversed().map((row) => [row.thread_id, row.run_id]));
    return context.json(
      rows.map(({ thread_status, ...row }): ShownRun => {
        const isLatest = latest.get(row.thread_id) === row.run_id;
        return { ...shown(row), waits: isLatest && thread_status === "interrupted" };
      }),
    );
  });
  app.get("/held", async (context) => {
    const caller = context.get("caller");
    const held = await heldRuns({ data: server.data, caller });
    return context.json(
      held.map(({ key_name, ...row }): HeldRun => {
        const { runId, graph, request, createdAt } = shown(row);
        const until = time(row.due_at);
        const known = { caller: key_name || row.caller, mayRelease: mayRelease(caller, row) };
        return { runId, graph, request, createdAt, until, ...known };
      }),
    );
  });
  app.get("/runs/:run_id", async (context) => {
    const run = await server.runs.find(pathId(context, "run_id"));
    const owner = ownerSeen(context);
    if (!run || (owner !== undefined && run.owner !== owner))
      throw new HttpProblem({ status: 404, problem: "there is no such run" });
    return context.json(await watched(server, run));
  });
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
