import { v4 } from "@langchain/core/utils/uuid";
import { Cron } from "croner";
import { Hono } from "hono";
import type { Selectable } from "kysely";
import { z } from "zod";
import { messageOf } from "../../common/errors.js";
import { type Caller, ownedBy } from "../access/caller.js";
import { isShown } from "../access/projectAuth.js";
import { notFound } from "../problem.js";
import type { ServerStore, ServerTables } from "../schema.js";
import type { Environment } from "../server.js";
import { wantedOf } from "./createRun.js";
import { findAssistant } from "./assistantRows.js";
import { runForm } from "./runForm.js";
import { type Request, contains, parsed, refused, select, tellPage, time } from "./requests.js";
import { jsonObject, page, pathId, body, uuid } from "./taking.js";
import { findThread } from "./threadRows.js";
import type { Access } from "../access/access.js";

type Served = { data: ServerStore; access: Access };

export type CronRow = Selectable<ServerTables["crons"]>;

/** One without an offset is in UTC. */
const moment = z.iso
  .datetime({ offset: true, local: true })
  .transform((text) => Date.parse(/(?:Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`));

const ofCron = {
  schedule: z.string().max(200),
  timezone: z.string().max(100).optional(),
  end_time: moment.optional(),
  enabled: z.boolean().optional(),
};

/** What a cron's runs may not be asked for, as nobody is there when they begin. */
const OF_REQUESTS = {
  command: true,
  after_seconds: true,
  on_disconnect: true,
  if_not_exists: true,
} as const;

const payload = runForm.omit(OF_REQUESTS).extend({
  on_run_completed: z.enum(["delete", "keep"]).optional(),
});
const create = payload.extend(ofCron);
const change = payload.partial().extend(ofCron).partial();

const search = z.object({
  assistant_id: z.string().optional(),
  thread_id: uuid.optional(),
  enabled: z.boolean().optional(),
  metadata: jsonObject.optional(),
  sort_by: z
    .enum([
      "cron_id",
      "assistant_id",
      "thread_id",
      "created_at",
      "updated_at",
      "next_run_date",
      "end_time",
    ])
    .default("created_at"),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  select: z.array(z.string()).optional(),
  ...page,
});

/** Runs that begin at times: a cron is a row, and whichever process finds it due queues its run. */
export function cronRoutes(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  const { data } = server;
  for (const path of ["/runs/crons", "/threads/:thread_id/runs/crons"])
    app.post(path, body(create), async (context) => {
      const wanted = context.req.valid("json");
      const isOfThread = path !== "/runs/crons";
      const thread = isOfThread ? await findThread(data, context) : undefined;
      const row = await newRow({ server, context, wanted, threadId: thread?.thread_id });
      await data.db.insertInto("crons").values(row).execute();
      return context.json(cronAnswer(row));
    });
  app.post("/runs/crons/search", body(search), async (context) => {
    const wanted = context.req.valid("json");
    const found = await searchCrons(data, context, wanted);
    const { offset, limit } = wanted;
    tellPage(context, { offset, limit, total: found.length });
    const shown = found.slice(offset, offset + limit);
    return context.json(shown.map((cron) => select(cron, wanted.select)));
  });
  app.post("/runs/crons/count", body(search), async (context) => {
    const found = await searchCrons(data, context, context.req.valid("json"));
    return context.json(found.length);
  });
  app.get("/runs/crons/:cron_id", async (context) =>
    context.json(cronAnswer(await findCron(data, context))),
  );
  app.patch("/runs/crons/:cron_id", body(change), async (context) => {
    const wanted = context.req.valid("json");
    const row = await findCron(data, context);
    const { schedule, timezone, end_time, enabled, metadata, ...rest } = wanted;
    const whole = { ...parsed(row.payload), ...rest };
    const caller = context.get("caller");
    const changes = [rest.assistant_id, rest.input, rest.context, rest.config, rest.webhook];
    // Also one with a mistake can be switched off.
    if (changes.some((part) => part !== undefined))
      await requireRun(server, whole as z.output<typeof payload>, caller);
    const changed = scheduled({
      ...row,
      schedule: schedule ?? row.schedule,
      timezone: timezone ?? row.timezone,
      end_at: end_time ?? row.end_at,
      is_enabled: Number(enabled ?? row.is_enabled === 1),
      metadata: JSON.stringify({ ...parsed(row.metadata), ...metadata }),
      payload: JSON.stringify(whole),
      // An administrator who changes somebody's cron does not lend it an administrator's rights.
      caller: caller.owner === row.owner ? JSON.stringify(caller) : row.caller,
      updated_at: Math.floor(await data.now()),
    });
    await data.db.updateTable("crons").set(changed).where("cron_id", "=", row.cron_id).execute();
    return context.json(cronAnswer(changed));
  });
  app.delete("/runs/crons/:cron_id", async (context) => {
    const { cron_id } = await findCron(data, context);
    await data.db.deleteFrom("crons").where("cron_id", "=", cron_id).execute();
    return context.body(null, 204);
  });
  return app;
}

async function newRow(options: {
  server: Served;
  context: Request;
  wanted: z.output<typeof create>;
  threadId?: string;
}): Promise<CronRow> {
  const { server, context, wanted, threadId } = options;
  const { schedule, timezone = "UTC", end_time, enabled = true, metadata = {}, ...run } = wanted;
  const caller = context.get("caller");
  const { assistant_id } = await requireRun(server, run, caller);
  const now = Math.floor(await server.data.now());
  return scheduled({
    cron_id: v4(),
    owner: caller.owner,
    caller: JSON.stringify(caller),
    assistant_id,
    thread_id: threadId ?? null,
    schedule,
    timezone,
    payload: JSON.stringify({ ...run, assistant_id }),
    metadata: JSON.stringify(metadata),
    is_enabled: Number(enabled),
    end_at: end_time ?? null,
    next_at: null,
    created_at: now,
    updated_at: now,
  });
}

/** Nobody is told later what is wrong with its runs. @throws HttpProblem as for a run that is asked for now */
async function requireRun(server: Served, run: z.output<typeof payload>, caller: Caller) {
  const assistant = await findAssistant(server.data, run.assistant_id, caller);
  if (run.webhook !== undefined) server.access.requireWebhook(run.webhook);
  server.access.permitRun(caller, wantedOf(run, assistant));
  return assistant;
}

/** A cron with the time of its next run. @throws HttpProblem 422 for a schedule that cannot be read, or never comes */
export function scheduled(row: CronRow): CronRow {
  let next: number | undefined;
  try {
    next = nextTime(row.schedule, row.timezone, row.updated_at);
  } catch (error) {
    throw refused(
      `schedule: ${messageOf(error)}`,
      'Write "0 9 * * mon-fri" and a timezone such as Europe/Berlin',
    );
  }
  if (next === undefined) throw refused(`schedule: "${row.schedule}" never comes`);
  const isOver = row.is_enabled === 0 || (row.end_at !== null && next > row.end_at);
  return { ...row, next_at: isOver ? null : next };
}

/**
 * The first time after another at which a schedule of five fields runs, in milliseconds since 1970.
 *
 * @returns undefined if there is none, such as the 31st of February
 * @throws Error that says what is wrong with the schedule or the time zone
 */
export function nextTime(schedule: string, timezone: string, after: number): number | undefined {
  return new Cron(schedule, { mode: "5-part", timezone }).nextRun(new Date(after))?.getTime();
}

async function findCron(data: ServerStore, context: Request): Promise<CronRow> {
  const id = pathId(context, "cron_id");
  const found = data.db.selectFrom("crons").selectAll().where("cron_id", "=", id);
  const row = await found.where(ownedBy(context.get("caller"))).executeTakeFirst();
  if (!row || !isShown(context.get("caller"), "crons", row.metadata))
    throw notFound(`cron ${id} not found`);
  return row;
}

async function searchCrons(data: ServerStore, context: Request, wanted: z.output<typeof search>) {
  const own = data.db
    .selectFrom("crons")
    .selectAll()
    .where(ownedBy(context.get("caller")));
  const rows = await own.execute();
  const { assistant_id, thread_id, enabled, metadata = {}, sort_by: key, sort_order } = wanted;
  const found = rows
    .filter((row) => isShown(context.get("caller"), "crons", row.metadata))
    .map(cronAnswer)
    .filter(
      (cron) =>
        (assistant_id === undefined || cron.assistant_id === assistant_id) &&
        (thread_id === undefined || cron.thread_id === thread_id) &&
        (enabled === undefined || cron.enabled === enabled) &&
        contains(cron.metadata, metadata),
    );
  const sorted = found.toSorted((a, b) => (a[key] ?? "").localeCompare(b[key] ?? ""));
  return sort_order === "asc" ? sorted : sorted.toReversed();
}

function cronAnswer(row: CronRow) {
  const { cron_id, assistant_id, thread_id, schedule, timezone, end_at, next_at } = row;
  const caller = JSON.parse(row.caller) as Caller;
  const run = parsed(row.payload);
  return {
    cron_id,
    assistant_id,
    thread_id,
    schedule,
    timezone,
    user_id: caller.project?.user.identity ?? (caller.owner || null),
    payload: run,
    metadata: parsed(row.metadata),
    enabled: row.is_enabled === 1,
    on_run_completed: run["on_run_completed"] ?? null,
    end_time: end_at === null ? null : time(end_at),
    next_run_date: next_at === null ? null : time(next_at),
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
  };
}
