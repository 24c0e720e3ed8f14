import { Hono } from "hono";
import type { RawBuilder } from "kysely";
import { z } from "zod";
import { dataUrl } from "../../../common/fileNames.js";
import { sql } from "../../../storage/kysely.js";
import { type Caller, ownedBy } from "../../access/caller.js";
import { tellPage } from "../../api/requests.js";
import { query, uuid } from "../../api/taking.js";
import { findRun } from "../../api/runs.js";
import { notFound } from "../../problem.js";
import type { Environment } from "../../server.js";
import type { GraphState } from "../../../state/state.js";
import { type Exchange, type ShownRun, shownRow, watchedRun } from "./watchedRun.js";
import type { ServerStore } from "../../schema.js";
import type { Runs } from "../../runs/runs.js";
import type { Workspace } from "../../../home/workspace.js";

/** The last run of a thread that stands at an interrupt; earlier ones no longer wait for anything. */
const WAITS = sql<boolean>`runs.status not in ('pending', 'running') and threads.status = 'interrupted'
  and not exists (select 1 from ${sql.table("runs")} later
    where later.thread_id = runs.thread_id and later.created_at > runs.created_at)`;

/** No later run has gone on with its request. */
const isLatest = sql<boolean>`not exists (select 1 from ${sql.table("runs")} next
  where next.request_id = runs.request_id and (next.created_at > runs.created_at
    or (next.created_at = runs.created_at and next.run_id > runs.run_id)))`;

/** How runs stand, outcome before state. */
const ENDS = {
  open: sql<boolean>`runs.status in ('pending', 'running')`,
  waiting: WAITS,
  solved: sql<boolean>`runs.status = 'success' and runs.outcome in ('solved', 'answered', 'planned')`,
  unsolved: sql<boolean>`(runs.status in ('error', 'timeout') or runs.status = 'success'
    and runs.outcome in ('unsolved', 'limit', 'budget', 'error'))`,
  stopped: sql<boolean>`runs.status = 'interrupted'`,
} satisfies Record<string, RawBuilder<boolean>>;

type End = keyof typeof ENDS;

const list = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(30),
  offset: z.coerce.number().int().min(0).default(0),
  thread: uuid.optional(),
  end: z.enum(Object.keys(ENDS) as [End, ...End[]]).optional(),
  words: z.string().trim().max(200).optional(),
});

type Served = { data: ServerStore; runs: Runs; workspace: Workspace };

/** The latest requests, each as its last run stands, and what the runs of one have done. */
export function runRoutes(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  app.get("/runs", query(list), async (context) => {
    const wanted = context.req.valid("query");
    const { total, runs } = await latestRuns(server, context.get("caller"), wanted);
    tellPage(context, { ...wanted, total });
    return context.json(runs);
  });
  app.get("/runs/:run_id", async (context) =>
    context.json(await watchedRun(server, await findRun(server, context))),
  );
  app.get("/runs/:run_id/received/:name", async (context) => {
    const { thread_id } = await findRun(server, context);
    const name = context.req.param("name");
    const { journal } = server.workspace.runtime;
    const [file] = await journal.files(thread_id, [`received/${name}`]);
    if (file) return context.json({ url: dataUrl(file) });
    throw notFound(`there is no file "${name}"`);
  });
  app.get("/runs/:run_id/results/:ref", async (context) => {
    const { thread_id } = await findRun(server, context);
    const place = { configurable: { thread_id, checkpoint_ns: "" } };
    const { checkpoint } = { ...(await server.runs.graphs.saver().getTuple(place)) };
    const { calls = [] } = (checkpoint?.channel_values ?? {}) as Partial<GraphState>;
    const ref = context.req.param("ref");
    if (calls.some(({ resultRef }) => resultRef === ref))
      return context.json({ result: await server.workspace.runtime.journal.result(ref) });
    throw notFound(`no call of the thread has the result "${ref}"`);
  });
  app.get("/runs/:run_id/exchanges/:visit", async (context) => {
    const { run_id } = await findRun(server, context);
    const rows = await server.data.db
      .selectFrom("exchanges")
      .select("exchange")
      .where("run_id", "=", run_id)
      .where("visit", "=", context.req.param("visit"))
      .orderBy("at")
      .execute();
    return context.json(rows.map(({ exchange }) => JSON.parse(exchange) as Exchange));
  });
  return app;
}

async function latestRuns({ data }: Served, caller: Caller, wanted: z.output<typeof list>) {
  const { limit, offset, thread, end, words } = wanted;
  const found = data.db
    .selectFrom("runs")
    .leftJoin("runs as first", "first.run_id", "runs.request_id")
    .leftJoin("threads", "threads.thread_id", "runs.thread_id")
    .leftJoin("keys", "keys.key_id", "first.caller")
    .where(ownedBy(caller, "runs.owner"))
    .where(isLatest)
    .$if(thread !== undefined, (query) => query.where("runs.thread_id", "=", String(thread)))
    .$if(end !== undefined, (query) => query.where(ENDS[end as End]))
    .$if(Boolean(words), (query) => query.where(saying(String(words))));
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await found
    .selectAll("runs")
    .select([
      "keys.name as key_name",
      "first.run_id as first_id",
      "first.kwargs as asked",
      "first.caller as asker",
      "first.created_at as asked_at",
    ])
    .select(sql<number>`case when ${WAITS} then 1 else 0 end`.as("waits"))
    .orderBy("runs.created_at", "desc")
    .orderBy("runs.run_id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  const runs = rows.map(({ key_name, waits, ...both }): ShownRun => {
    const { first_id, asked, asker, asked_at, ...row } = both;
    const first = first_id !== null && {
      run_id: first_id,
      kwargs: asked ?? "",
      caller: asker ?? "",
      created_at: asked_at ?? 0,
    };
    const shown = shownRow(row, { ...row, ...first });
    return { ...shown, caller: key_name || shown.caller, waits: waits === 1 };
  });
  return { total, runs };
}

/** Orders that say something: in the request, the graph, or the settings. */
function saying(words: string) {
  const text = JSON.stringify(words.toLowerCase()).slice(1, -1);
  const form = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<boolean>`lower(coalesce(first.kwargs, runs.kwargs)) like ${form} escape ${"\\"}`;
}
