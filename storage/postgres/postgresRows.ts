import { storableText } from "./unavailable.js";
import { schemaOf } from "../database.js";
import { CompiledQuery, sql } from "../kysely.js";
import {
  type Query,
  type RowsParts,
  type Save,
  type SavedRow,
  type SavedRows,
  type Search,
  columnsOf,
  conditionOf,
  tupleOf,
} from "../checkpoints/savedRows.js";

const SCHEMA = schemaOf("checkpoints");
const CHECKPOINTS = sql.raw(`${SCHEMA}.checkpoints`);
const BLOBS = sql.raw(`${SCHEMA}.checkpoint_blobs`);
const WRITES = sql.raw(`${SCHEMA}.checkpoint_writes`);
const PIECES = sql.raw(`${SCHEMA}.pieces`);

/** Checkpoints in a Postgres database. What is saved together takes one statement, with the question whether it may. */
export function postgresRows<Tables>({ store, permit, json }: RowsParts<Tables>): SavedRows {
  const { db } = store;
  return {
    save: async (save) => {
      const { threadId, hold } = save;
      const lists = listsOf(save);
      const insert = async ({ sql: text, parameters }: Query) => {
        const values = [...parameters, threadId, ...lists];
        const insertion = CompiledQuery.raw(insertionIf(text, parameters.length), values);
        return (await db.executeQuery(insertion)).rows;
      };
      if (hold === undefined) await insert({ sql: "SELECT 1", parameters: [] });
      else await permit.require({ threadId, hold }, insert);
    },
    read: async (search) => {
      const { rows } = await selection(search).execute(db);
      return await Promise.all(rows.map((row) => tupleOf(row, json)));
    },
    pieces: async (threadId, ids) => {
      const wanted = sql<{
        id: string;
        value: string;
      }>`SELECT id, convert_from(value, 'UTF8') AS value
        FROM ${PIECES} WHERE thread_id = ${threadId} AND id = ANY(${ids})`;
      const { rows } = await wanted.execute(db);
      return new Map(rows.map(({ id, value }) => [id, value]));
    },
    remove: async (threadId) => {
      const others = [BLOBS, WRITES, PIECES].map(
        (other, at) =>
          sql`${sql.raw(`gone${at}`)} AS (DELETE FROM ${other} WHERE thread_id = ${threadId})`,
      );
      await sql`WITH ${sql.join(others)} DELETE FROM ${CHECKPOINTS} WHERE thread_id = ${threadId}`.execute(
        db,
      );
    },
  };
}

/** Postgres keeps the values of channels by their versions, and JSON without what it cannot store. */
function listsOf(save: Save): string[] {
  const bare = save.checkpoints.map(({ checkpoint, metadata, ...rest }) => {
    const { channel_values: _values, ...others } = checkpoint;
    return {
      ...rest,
      checkpoint: others as typeof checkpoint,
      metadata: JSON.parse(JSON.stringify(metadata), storable) as typeof metadata,
    };
  });
  const blobs = save.checkpoints.flatMap(({ ns, checkpoint: { channel_values }, changed }) =>
    Object.entries(changed).map(([channel, version]) => [
      ns,
      channel,
      String(version),
      channel in channel_values ? JSON.stringify(channel_values[channel]) : null,
    ]),
  );
  const { checkpoints, writes } = columnsOf({ ...save, checkpoints: bare });
  const lists = [[...save.pieces], blobs, writes, checkpoints];
  return lists.map((rows) => JSON.stringify(rows));
}

const storable = (_key: string, value: unknown) =>
  typeof value === "string" ? storableText(value) : value;

/** A value of a given row. */
const text = (at: number) => `(given.value ->> ${at})`;
const bytes = (at: number) => `convert_to(${text(at)}, 'UTF8')`;

/**
 * Inserts lists of rows if a query finds something.
 *
 * @param count of the query's parameters, which the thread's id and the lists follow
 */
function insertionIf(query: string, count: number): string {
  const thread = `$${count + 1}::text`;
  const list = (at: number) =>
    `found, json_array_elements($${count + 2 + at}::json) AS given(value)`;
  // Pieces in one order, so that two transactions with the same ones do not wait for each other.
  return `WITH found AS (${query}),
    new_pieces AS (
      INSERT INTO ${SCHEMA}.pieces SELECT ${thread}, ${text(0)}, ${bytes(1)} FROM ${list(0)}
      ORDER BY 2 ON CONFLICT DO NOTHING),
    new_blobs AS (
      INSERT INTO ${SCHEMA}.checkpoint_blobs
        (thread_id, checkpoint_ns, channel, version, type, blob)
      SELECT ${thread}, ${text(0)}, ${text(1)}, ${text(2)},
        CASE WHEN ${text(3)} IS NULL THEN 'empty' ELSE 'json' END, ${bytes(3)}
      FROM ${list(1)} ON CONFLICT DO NOTHING),
    new_writes AS (
      INSERT INTO ${SCHEMA}.checkpoint_writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob)
      SELECT ${thread}, ${text(0)}, ${text(1)}, ${text(2)}, ${text(3)}::integer, ${text(4)},
        'json', ${bytes(5)}
      FROM ${list(2)} ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
      DO UPDATE SET channel = excluded.channel, type = excluded.type, blob = excluded.blob
      WHERE excluded.idx < 0),
    new_checkpoints AS (
      INSERT INTO ${SCHEMA}.checkpoints
        (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
      SELECT ${thread}, ${text(0)}, ${text(1)}, ${text(2)}, ${text(3)}::jsonb, ${text(4)}::jsonb
      FROM ${list(3)} ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id)
      DO UPDATE SET checkpoint = excluded.checkpoint, metadata = excluded.metadata)
    SELECT 1 FROM found`;
}

function selection(search: Search) {
  const { before, filter = {}, limit } = search;
  const last = sql`SELECT max(seq) FROM ${CHECKPOINTS} AS other
    WHERE other.thread_id = saved.thread_id AND other.checkpoint_id = ${before}`;
  const condition = conditionOf(search, [
    ...(before === undefined ? [] : [sql<boolean>`seq < (${last})`]),
    ...(Object.keys(filter).length === 0
      ? []
      : [sql<boolean>`metadata @> ${JSON.stringify(filter)}::jsonb`]),
  ]);
  return sql<SavedRow>`SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id,
      checkpoint::text AS checkpoint, metadata::text AS metadata,
      (SELECT json_object_agg(blob.channel, convert_from(blob.blob, 'UTF8')::json)::text
       FROM jsonb_each_text(checkpoint -> 'channel_versions') AS version
       JOIN ${BLOBS} AS blob ON blob.thread_id = saved.thread_id
         AND blob.checkpoint_ns = saved.checkpoint_ns
         AND blob.channel = version.key AND blob.version = version.value
       WHERE blob.type <> 'empty') AS channel_values,
      (SELECT json_agg(json_build_array(task_id, channel, convert_from(blob, 'UTF8')::json)
         ORDER BY task_id, idx)::text
       FROM ${WRITES} AS written WHERE written.thread_id = saved.thread_id
         AND written.checkpoint_ns = saved.checkpoint_ns
         AND written.checkpoint_id = saved.checkpoint_id) AS writes
    FROM ${CHECKPOINTS} AS saved WHERE ${condition} ORDER BY seq DESC LIMIT ${limit ?? null}`;
}
