import { Hono } from "hono";
import { z } from "zod";
import { type Caller, requireScope, SCOPES, seesAll } from "../../access/caller.js";
import { openKeys, type ServerKey } from "../../access/keys.js";
import type { Policy } from "../../access/policy.js";
import { DAY_MS, NOTHING, type Spending, dayOf, total, usedOn } from "../../access/spending.js";
import { body, query } from "../../api/taking.js";
import { sql } from "../../../storage/kysely.js";
import type { Environment } from "../../server.js";
import type { Access } from "../../access/access.js";
import type { ServerStore } from "../../schema.js";

export interface ShownKey extends ServerKey {
  today: Spending;
}

/** What was used by one day, key, graph or library. */
export interface Spent extends Spending {
  /** Those of the tokens that providers have read from their caches. */
  cachedTokens: number;
  /** A day in UTC ("2026-03-01"), the name of a key or else the caller's id, a graph, or a library. */
  of: string;
}

export interface ShownCosts {
  /** What a caller may use in a day; null for as much as it likes. */
  budget: Pick<NonNullable<Policy["budgets"]>, "runs" | "tokens" | "usd"> | null;
  /** What this caller has used today, with what is set aside for its runs. */
  today: Spending;
  rows: Spent[];
}

/** Days of which spending is shown. */
const MOST_DAYS = 30;

const wantedKey = z.object({
  name: z.string().trim().max(100).default(""),
  owner: z.string().trim().min(1).max(200).optional(),
  scopes: z.array(z.enum(SCOPES)).min(1, "a key needs at least one scope"),
  days: z.number().min(1).max(3650).optional(),
});

const grouped = z.object({ by: z.enum(["day", "caller", "graph", "library"]).default("day") });

/** Keys, for callers with the scope `admin`, and what the caller itself has used. */
export function keyRoutes({ data, access }: { data: ServerStore; access: Access }) {
  const app = new Hono<Environment>();
  const keys = openKeys(data);
  const spentToday = async () => await usedOn(data.db, await data.now());
  app.get("/costs", query(grouped), async (context) => {
    const caller = context.get("caller");
    const rows = await spentBy(data, caller, context.req.valid("query").by);
    const today = (await spentToday()).get(caller.id) ?? NOTHING;
    const { runs, tokens, usd } = access.policy.budgets ?? {};
    const budget = access.policy.budgets ? { runs, tokens, usd } : null;
    return context.json({ budget, today, rows } satisfies ShownCosts);
  });
  app.use("/keys/*", async (context, next) => {
    requireScope(context.get("caller"), "admin");
    await next();
  });
  app.get("/keys", async (context) => {
    const spent = await spentToday();
    const all = await keys.list();
    return context.json(
      all.map((key): ShownKey => ({ ...key, today: spent.get(key.id) ?? NOTHING })),
    );
  });
  app.post("/keys", body(wantedKey), async (context) => {
    const { days, ...wanted } = context.req.valid("json");
    const lifetimeMs = days === undefined ? undefined : days * DAY_MS;
    return context.json(await keys.create({ ...wanted, lifetimeMs }), 201);
  });
  app.delete("/keys/:key_id", async (context) =>
    context.json(await keys.revoke(context.req.param("key_id"))),
  );
  return app;
}

/** Rows of a table of costs. */
const MOST_ROWS = 500;

/** What was used on the last days: by all for an administrator, for others by themselves. */
async function spentBy(data: ServerStore, caller: Caller, by: z.output<typeof grouped>["by"]) {
  const since = dayOf((await data.now()) - MOST_DAYS * DAY_MS);
  const of =
    by === "caller"
      ? sql<string>`coalesce(nullif(keys.name, ''), spend_by_graph.caller)`
      : sql.ref<string>(`spend_by_graph.${by}`);
  return await data.db
    .selectFrom("spend_by_graph")
    .leftJoin("keys", "keys.key_id", "spend_by_graph.caller")
    .select([
      of.as("of"),
      total("runs").as("runs"),
      total("model_calls").as("modelCalls"),
      total("tokens").as("tokens"),
      total("cached_tokens").as("cachedTokens"),
      total("usd").as("usd"),
    ])
    .where("day", ">=", since)
    .$if(!seesAll(caller), (query) => query.where("spend_by_graph.caller", "=", caller.id))
    .groupBy(of)
    .orderBy(by === "day" ? of : total("tokens"), "desc")
    .limit(MOST_ROWS)
    .execute();
}
