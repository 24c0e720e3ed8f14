import { Hono } from "hono";
import { z } from "zod";
import { type Caller, requireScope, SCOPES, seesAll } from "../access/caller.js";
import { openKeys, type ServerKey } from "../access/keys.js";
import { dayOf } from "../access/spending.js";
import { readBody } from "../api/requests.js";
import type { Environment, Server } from "../server.js";

/** What a caller has used today (UTC). */
export interface ShownSpend {
  runs: number;
  modelCalls: number;
  tokens: number;
  usd: number;
}

export interface ShownKey extends ServerKey {
  today: ShownSpend;
}

export interface SpendOfDay extends ShownSpend {
  /** In UTC: "2026-03-01". */
  day: string;
  /** The name of the key, or else the caller's id; empty without authentication. */
  caller: string;
}

/** Days of which spending is shown. */
const MOST_DAYS = 30;

const NOTHING: ShownSpend = { runs: 0, modelCalls: 0, tokens: 0, usd: 0 };

const DAY_MS = 86_400_000;

const wantedKey = z.object({
  name: z.string().trim().max(100).default(""),
  owner: z.string().trim().min(1).max(200).optional(),
  scopes: z.array(z.enum(SCOPES)).min(1, "a key needs at least one scope"),
  days: z.number().min(1).max(3650).optional(),
});

/** Keys, for callers with the scope `admin`, and what the caller itself has used. */
export function keyRoutes({ data }: Pick<Server, "data">): Hono<Environment> {
  const app = new Hono<Environment>();
  const keys = openKeys(data);
  app.get("/costs", async (context) => context.json(await spentByDay(data, context.get("caller"))));
  app.use("/keys/*", async (context, next) => {
    requireScope(context.get("caller"), "admin");
    await next();
  });
  app.get("/keys", async (context) => {
    const spent = await spentToday(data);
    const all = await keys.list();
    return context.json(
      all.map((key): ShownKey => ({ ...key, today: spent.get(key.id) ?? NOTHING })),
    );
  });
  app.post("/keys", async (context) => {
    const { days, ...wanted } = await readBody(context, wantedKey);
    const lifetimeMs = days === undefined ? undefined : days * DAY_MS;
    return context.json(await keys.create({ ...wanted, lifetimeMs }), 201);
  });
  app.delete("/keys/:key_id", async (context) =>
    context.json(await keys.revoke(context.req.param("key_id"))),
  );
  return app;
}

/** What callers have used on the last days, the latest first: all for an administrator, for others their own. */
async function spentByDay(data: Server["data"], caller: Caller): Promise<SpendOfDay[]> {
  const since = dayOf((await data.now()) - MOST_DAYS * DAY_MS);
  const rows = await data.db
    .selectFrom("spend")
    .leftJoin("keys", "keys.key_id", "spend.caller")
    .selectAll("spend")
    .select("keys.name as key_name")
    .where("day", ">=", since)
    .$if(!seesAll(caller), (query) => query.where("spend.caller", "=", caller.id))
    .orderBy("day", "desc")
    .execute();
  return rows.map(({ day, caller: id, key_name, runs, model_calls, tokens, usd }) => ({
    day,
    caller: key_name || id,
    runs,
    modelCalls: model_calls,
    tokens,
    usd,
  }));
}

/** What each caller has used today. */
async function spentToday(data: Server["data"]): Promise<Map<string, ShownSpend>> {
  const day = dayOf(await data.now());
  const rows = await data.db.selectFrom("spend").selectAll().where("day", "=", day).execute();
  return new Map(
    rows.map(({ caller, runs, model_calls, tokens, usd }) => [
      caller,
      { runs, modelCalls: model_calls, tokens, usd },
    ]),
  );
}
