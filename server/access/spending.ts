import type { InsertObject } from "kysely";
import { sql } from "../../storage/kysely.js";
import { openRuns } from "../runs/runRow.js";
import type { ServerStore, ServerTables, ServerTransaction } from "../schema.js";

/** What a caller has used of a day. */
export type Spending = Record<"runs" | "modelCalls" | "tokens" | "usd", number>;

export const NOTHING: Spending = { runs: 0, modelCalls: 0, tokens: 0, usd: 0 };

export const DAY_MS = 86_400_000;

/** The day (UTC) whose budget is used at a time. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Until the transaction ends, nobody else counts under this name. On SQLite a write transaction locks the whole file. */
export async function lockCounts(data: ServerStore, db: ServerTransaction, name: string) {
  if (data.kind === "postgres")
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/** What callers, or one of them, have used of the day of a time, with what is set aside for their runs. */
export async function usedOn(db: ServerTransaction, time: number, caller?: string) {
  const day = dayOf(time);
  const since = Date.parse(day);
  const charged = db
    .selectFrom("spend_by_graph")
    .select(["caller", "runs", "model_calls", "tokens", "usd"])
    .where("day", "=", day);
  const aside = openRuns(db)
    .select(["caller", sql<number>`1`.as("runs"), sql<number>`0`.as("model_calls")])
    .select([sql<number>`coalesce(reserved_tokens, 0)`.as("tokens")])
    .select([sql<number>`coalesce(reserved_usd, 0)`.as("usd")])
    .where("created_at", ">=", since)
    .where("created_at", "<", since + DAY_MS);
  const rows = await db
    .selectFrom(charged.unionAll(aside).as("used"))
    .select(["caller", total("runs").as("runs"), total("model_calls").as("modelCalls")])
    .select([total("tokens").as("tokens"), total("usd").as("usd")])
    .$if(caller !== undefined, (query) => query.where("caller", "=", String(caller)))
    .groupBy("caller")
    .execute();
  return new Map(rows.map(({ caller: of, ...spent }): [string, Spending] => [of, spent]));
}

/** The sum of a column, as a number on both databases. */
export function total(column: string) {
  return sql<number>`cast(sum(${sql.ref(column)}) as double precision)`;
}

/** What a column has already, and what is added to it. */
function sum(column: string) {
  return sql<number>`${sql.ref(`spend_by_graph.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
}

/** Adds what a run has used to what its graph has used with its library. */
export function addedToGraph(
  db: ServerTransaction,
  row: InsertObject<ServerTables, "spend_by_graph">,
) {
  return db
    .insertInto("spend_by_graph")
    .values(row)
    .onConflict((known) =>
      known.columns(["caller", "day", "graph", "library"]).doUpdateSet({
        runs: sum("runs"),
        model_calls: sum("model_calls"),
        tokens: sum("tokens"),
        cached_tokens: sum("cached_tokens"),
        usd: sum("usd"),
      }),
    );
}
