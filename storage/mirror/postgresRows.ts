import type { PoolClient } from "pg";
import { tellingProgress } from "../../common/longWork.js";
import type { Changes } from "./attempt.js";
import type { MirrorState, Staging } from "./fileRows.js";
import { columnNames, listed, type MirroredTable, quoted, type Row } from "./tables.js";

/** Rows sent or fetched at a time. */
const PAGE = 500;

/** A mirror that is more writes behind than this is filled from scratch. */
const WRITES_KEPT = 100_000;

/** The column with the number of a row's last write. */
const NUMBER = "mirror_number";

const TYPES = { INTEGER: "bigint", REAL: "double precision", TEXT: "text", BLOB: "bytea" };

/** A connection to a store's rows in Postgres. */
export interface PostgresRows {
  client: PoolClient;
  /** Schema of the store. */
  schema: string;
  tables: readonly MirroredTable[];
}

type StoreSchema = Pick<PostgresRows, "client" | "schema">;

/**
 * The statements that create the file's tables in Postgres, or add what they lack there. Postgres only checks primary
 * keys: each write was tried in the file first, on all rows.
 */
export function tableStatements(tables: readonly MirroredTable[]): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS mirror_state (
      origin text NOT NULL, number bigint NOT NULL, mark text NOT NULL, counters text NOT NULL
    )`,
    "CREATE TABLE IF NOT EXISTS mirror_writes (number bigint PRIMARY KEY, mark text NOT NULL)",
    `CREATE TABLE IF NOT EXISTS mirror_deletions (
      relation text NOT NULL, key text NOT NULL, number bigint NOT NULL, PRIMARY KEY (relation, key)
    )`,
    "CREATE INDEX IF NOT EXISTS mirror_deletions_number ON mirror_deletions (number)",
    `INSERT INTO mirror_state SELECT gen_random_uuid()::text, 0, '', '{}'
     WHERE NOT EXISTS (SELECT 1 FROM mirror_state)`,
    "INSERT INTO mirror_writes VALUES (0, '') ON CONFLICT DO NOTHING",
    ...tables.flatMap(statementsOf),
  ];
}

function statementsOf({ name, columns, key }: MirroredTable): string[] {
  const table = quoted(name);
  const define = (column: (typeof columns)[number]) =>
    [
      quoted(column.name),
      TYPES[column.type],
      column.isRequired || key.includes(column.name) ? "NOT NULL" : "",
      column.preset === null ? "" : `DEFAULT ${column.preset}`,
    ].join(" ");
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
      ${columns.map(define).join(", ")}, ${NUMBER} bigint NOT NULL, PRIMARY KEY (${listed(key)})
    )`,
    ...columns.map((column) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${define(column)}`),
    `CREATE INDEX IF NOT EXISTS ${quoted(`${name}_mirror`)} ON ${table} (${NUMBER})`,
  ];
}

/** The state of the database, and the version of its schema. */
export async function readRemoteState(
  { client, schema }: StoreSchema,
  store: string,
): Promise<MirrorState & { version: number }> {
  const { rows } = await client.query<MirrorState & { version: number }>(
    `SELECT origin, number, mark, counters,
      (SELECT version FROM tulipgraph.versions WHERE store = $1) AS version
     FROM ${schema}.mirror_state`,
    [store],
  );
  const [state] = rows;
  if (!state) throw new Error(`${schema}.mirror_state is empty`);
  return state;
}

/** Whether a mirror shows an earlier state of this database, so that the later writes are enough to update it. */
export async function isEarlier(
  { client, schema }: StoreSchema,
  { local, remote }: { local: MirrorState | undefined; remote: MirrorState },
): Promise<boolean> {
  if (!local || local.origin !== remote.origin || local.number > remote.number) return false;
  return await hasWrite({ client, schema }, local);
}

/** Whether a write of this number and mark has been made. */
export async function hasWrite(
  { client, schema }: StoreSchema,
  { number, mark }: Pick<MirrorState, "number" | "mark">,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM ${schema}.mirror_writes WHERE number = $1 AND mark = $2`,
    [number, mark],
  );
  return rowCount === 1;
}

/**
 * Reads the rows written after a number, and the keys of those deleted since, page by page. Must run in a transaction
 * that sees one state.
 *
 * @param options.after if absent, all rows are read
 */
export async function fetchRows(
  rows: PostgresRows,
  { after, into }: { after: number | undefined; into: Staging },
): Promise<void> {
  const { client, schema, tables } = rows;
  into.clear();
  const since = after === undefined ? "" : `WHERE ${NUMBER} > ${after}`;
  // Progress is only reported when a mirror is filled for the first time, because then somebody may be waiting.
  const total = after === undefined ? await countRows(rows) : 0;
  await tellingProgress({ label: "copying rows", unit: "steps", total }, async (tell) => {
    let done = 0;
    for (const table of tables) {
      const query = `SELECT ${listed(columnNames(table))} FROM ${schema}.${quoted(table.name)} ${since}`;
      for await (const page of pages(client, query)) {
        into.put(table, page);
        done += page.length;
        tell({ done });
      }
    }
  });
  if (after === undefined) return;
  const gone = `SELECT relation, key FROM ${schema}.mirror_deletions WHERE number > ${after}`;
  for await (const page of pages(client, gone)) {
    for (const [relation, keys] of byRelation(page as { relation: string; key: string }[])) {
      into.remove(relation, keys);
    }
  }
}

export async function countRows({ client, schema, tables }: PostgresRows): Promise<number> {
  let count = 0;
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*) AS count FROM ${schema}.${quoted(name)}`,
    );
    count += rows[0]?.count ?? 0;
  }
  return count;
}

async function* pages(client: PoolClient, query: string): AsyncGenerator<Row[]> {
  await client.query(`DECLARE mirrored NO SCROLL CURSOR FOR ${query}`);
  while (true) {
    const { rows } = await client.query<Row>(`FETCH ${PAGE} FROM mirrored`);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) break;
  }
  await client.query("CLOSE mirrored");
}

function byRelation(rows: readonly { relation: string; key: string }[]): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const { relation, key } of rows) keys.set(relation, [...(keys.get(relation) ?? []), key]);
  return keys;
}

/** Sends changes as one numbered write. Must run in a transaction that holds the store's lock. */
export async function pushChanges(
  rows: PostgresRows,
  { changes, state }: { changes: Changes; state: MirrorState },
): Promise<void> {
  const { client, schema, tables } = rows;
  const { number, mark, counters } = state;
  for (const table of tables) {
    await removeRows(rows, { table, keys: changes.gone.get(table.name) ?? [], number });
    await putRows(rows, { table, rows: changes.rows.get(table.name) ?? [], number });
  }
  await client.query(`INSERT INTO ${schema}.mirror_writes VALUES ($1, $2)`, [number, mark]);
  for (const table of ["mirror_writes", "mirror_deletions"]) {
    await client.query(`DELETE FROM ${schema}.${table} WHERE number < $1`, [number - WRITES_KEPT]);
  }
  await client.query(`UPDATE ${schema}.mirror_state SET number = $1, mark = $2, counters = $3`, [
    number,
    mark,
    counters,
  ]);
}

async function removeRows(
  { client, schema }: PostgresRows,
  options: { table: MirroredTable; keys: readonly string[]; number: number },
): Promise<void> {
  const { table, keys, number } = options;
  if (keys.length === 0) return;
  const isRow = table.key.map((column, at) => {
    const type = table.columns.find(({ name }) => name === column)?.type ?? "TEXT";
    return `row.${quoted(column)} = (noted.key::jsonb ->> ${at})::${TYPES[type]}`;
  });
  await client.query(
    `DELETE FROM ${schema}.${quoted(table.name)} AS row USING unnest($1::text[]) AS noted(key)
     WHERE ${isRow.join(" AND ")}`,
    [keys],
  );
  await client.query(
    `INSERT INTO ${schema}.mirror_deletions SELECT $1, key, $2 FROM unnest($3::text[]) AS noted(key)
     ON CONFLICT (relation, key) DO UPDATE SET number = excluded.number`,
    [table.name, number, keys],
  );
}

/** Inserts rows, or replaces those with the same keys. */
async function putRows(
  { client, schema }: PostgresRows,
  options: { table: MirroredTable; rows: readonly Row[]; number: number },
): Promise<void> {
  const { table, rows, number } = options;
  const names = columnNames(table);
  const arrays = table.columns.map(({ type }, at) => `$${at + 1}::${TYPES[type]}[]`);
  const others = [...names, NUMBER].map((name) => `${quoted(name)} = excluded.${quoted(name)}`);
  const statement = `INSERT INTO ${schema}.${quoted(table.name)} (${listed([...names, NUMBER])})
    SELECT given.*, $${names.length + 1}::bigint FROM unnest(${arrays.join(", ")}) AS given
    ON CONFLICT (${listed(table.key)}) DO UPDATE SET ${others.join(", ")}`;
  for (let from = 0; from < rows.length; from += PAGE) {
    const page = rows.slice(from, from + PAGE);
    await client.query(statement, [...names.map((name) => page.map((row) => row[name])), number]);
  }
}
