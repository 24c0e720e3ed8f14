import type { InsertObject, Selectable } from "kysely";
import { sql } from "../../storage/kysely.js";
import type { ServerStore, ServerTables, ServerTransaction } from "../schema.js";

/*
 * The tables `spend` and `reservations`: what callers have used of a day, and what is set aside for runs.
 */

/** A caller's day. */
export type Day = Selectable<ServerTables["spend"]>;

/** How long an admitted run may take to be queued (ms). */
const QUEUING_MS = 60_000;

/** The day (UTC) whose budget is used at a time. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The row of a caller's day. Until the transaction ends, nobody else can change it. */
export async function lockedDay(
  db: ServerTransaction,
  { caller, day }: Pick<Day, "caller" | "day">,
): Promise<Day> {
  return await addToDay(db, { caller, day });
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
      known.columns(["caller", "day", "graph", "library"]).doUpdateSet(sums("spend_by_graph")),
    );
}

/** Adds to the row of a caller's day, and locks it until the transaction ends. */
export async function addToDay(
  db: ServerTransaction,
  row: Pick<Day, "caller" | "day"> & Partial<Day>,
): Promise<Day> {
  return await addedToDay(db, row).returningAll().executeTakeFirstOrThrow();
}

export function addedToDay(
  db: ServerTransaction,
  row: Partial<InsertObject<ServerTables, "spend">> & Pick<Day, "caller">,
) {
  const none = { day: "", runs: 0, model_calls: 0, tokens: 0, usd: 0 };
  return db
    .insertInto("spend")
    .values({ ...none, ...row })
    .onConflict((known) => known.columns(["caller", "day"]).doUpdateSet(sums("spend")));
}

/** What a row has already, and what is added to it. */
function sums(table: "spend" | "spend_by_graph") {
  const sum = (column: string) =>
    sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  const [runs, model_calls] = [sum("runs"), sum("model_calls")];
  const cached = table === "spend" ? {} : { cached_tokens: sum("cached_tokens") };
  return { runs, model_calls, tokens: sum("tokens"), ...cached, usd: sum("usd") };
}

/**
 * Returns what is set aside for a run. The row of the day is locked first, as in everything that changes both but for the
 * charge at a run's end: until that is committed, the run is open, and nobody else settles what is set aside for it.
 */
export async function returnReserved(data: ServerStore, runId: string): Promise<void> {
  await data.transaction(async (db) => {
    const found = db.selectFrom("reservations").selectAll().where("run_id", "=", runId);
    const reserved = await found.executeTakeFirst();
    if (!reserved) return;
    await lockedDay(db, reserved);
    const still = await found.executeTakeFirst();
    if (still) await giveBack(db, still, false);
  });
}

/** Returns what is set aside for a run, unless it has begun: that counts as used. */
async function giveBack(
  db: ServerTransaction,
  reserved: Omit<Selectable<ServerTables["reservations"]>, "created_at">,
  hasBegun: boolean,
): Promise<void> {
  const { run_id, caller, day, tokens, usd } = reserved;
  const own = db.deleteFrom("reservations").where("run_id", "=", run_id).returning("run_id");
  const gone = await own.execute();
  if (gone.length === 0 || hasBegun) return;
  await addToDay(db, { caller, day, runs: -1, tokens: -tokens, usd: -usd });
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
  for (const reserved of lost) await giveBack(db, reserved, reserved.lease_owner !== null);
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
