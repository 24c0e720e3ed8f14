import type { InsertObject } from "kysely";
import { sql } from "../../storage/kysely.js";
import type { ServerStore, ServerTables, ServerTransaction } from "../schema.js";

/*
 * The tables `spend_by_graph` and `reservations`: what callers have used of a day, and what is set aside for runs.
 */

/** What a caller has used of a day. */
export type Spending = Record<"runs" | "modelCalls" | "tokens" | "usd", number>;

export const NOTHING: Spending = { runs: 0, modelCalls: 0, tokens: 0, usd: 0 };

/** How long an admitted run may take to be queued (ms). */
const QUEUING_MS = 60_000;

/** The day (UTC) whose budget is used at a time. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Until the transaction ends, nobody else counts under this name. On SQLite a write transaction locks the whole file. */
export async function lockCounts(data: ServerStore, db: ServerTransaction, name: string) {
  if (data.kind === "postgres")
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/** What callers, or one of them, have used of a day, with what is set aside for their runs. */
export async function usedOn(db: ServerTransaction, day: string, caller?: string) {
  const used = db
    .selectFrom("spend_by_graph")
    .select(["caller", "day", "runs", "model_calls", "tokens", "usd"])
    .unionAll(
      db
        .selectFrom("reservations")
        .select(["caller", "day", sql<number>`1`.as("runs"), sql<number>`0`.as("model_calls")])
        .select(["tokens", "usd"]),
    );
  const rows = await db
    .selectFrom(used.as("used"))
    .select(["caller", total("runs").as("runs"), total("model_calls").as("modelCalls")])
    .select([total("tokens").as("tokens"), total("usd").as("usd")])
    .where("day", "=", day)
    .$if(caller !== undefined, (query) => query.where("caller", "=", String(caller)))
    .groupBy("caller")
    .execute();
  return new Map(rows.map(({ caller: of, ...spent }): [string, Spending] => [of, spent]));
}

/** The sum of a column, as a number on both databases. */
export function total(column: string) {
  return sql<number>`cast(sum(${sql.ref(column)}) as double precision)`;
}

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

/**
 * Settles what was set aside for runs that ended without being charged: one that never began has used nothing, and one
 * whose process died after its last step is assumed to have used all of it.
 */
export async function settleLost(db: ServerTransaction, now: number, caller: string) {
  const lost = await reservations(db)
    .where("reservations.caller", "=", caller)
    .where(isLost(now))
    .execute();
  for (const { run_id, lease_owner, day, tokens, usd } of lost) {
    const own = db.deleteFrom("reservations").where("run_id", "=", run_id).returning("run_id");
    const gone = await own.execute();
    if (gone.length === 0 || lease_owner === null) continue;
    const run = { caller, day, graph: "", library: "", runs: 1, model_calls: 0, cached_tokens: 0 };
    await addedToGraph(db, { ...run, tokens, usd }).execute();
  }
}

/** What is set aside for runs that are open. */
export function openReservations(db: ServerTransaction, now: number) {
  return reservations(db).where(sql<boolean>`not (${isLost(now)})`);
}

/** What is set aside, with the runs that it is for. */
function reservations(db: ServerTransaction) {
  return db
    .selectFrom("reservations")
    .leftJoin("runs", "runs.run_id", "reservations.run_id")
    .select(["reservations.run_id", "reservations.day", "reservations.caller"])
    .select(["reservations.tokens", "reservations.usd", "runs.lease_owner"]);
}

/** Whether a run was never queued, or has ended or vanished without being charged in time. */
function isLost(now: number) {
  const latest = now - QUEUING_MS;
  return sql<boolean>`case when runs.run_id is null then reservations.created_at < ${latest}
    else runs.status not in ('pending', 'running') and runs.updated_at < ${latest} end`;
}
