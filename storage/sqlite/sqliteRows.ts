import { sql } from "../kysely.js";
import { asBuffer } from "./sqlite.js";
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

/** Checkpoints in a SQLite file. */
export function sqliteRows<Tables>({ store, permit, json }: RowsParts<Tables>): SavedRows {
  const { db } = store;
  return {
    save: async (save) => {
      const { threadId, hold } = save;
      // The hold is in another file, which no lock of this one reaches.
      if (hold !== undefined) await permit.require({ threadId, hold });
      const [first, ...others] = insertions(save);
      if (first) await store.together(first, ...others);
    },
    read: async (search) => {
      const { rows } = await selection(search).execute(db);
      return await Promise.all(rows.map((row) => tupleOf(row, json)));
    },
    pieces: async (threadId, ids) => {
      const wanted = sql<{ id: string; value: unknown }>`SELECT id, value FROM pieces
        WHERE thread_id = ${threadId} AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
      const { rows } = await wanted.execute(db);
      return new Map(rows.map(({ id, value }) => [id, String(asBuffer(value))]));
    },
    remove: async (threadId) => {
      const deletion = (table: string) =>
        sql`DELETE FROM ${sql.raw(table)} WHERE thread_id = ${threadId}`;
      await store.together(deletion("checkpoints"), deletion("writes"), deletion("pieces"));
    },
  };
}

/** Adds rows that are given as JSON. Without a condition, SQLite takes ON for one of a join. */
const adding = (table: string, columns: string, conflict: string) =>
  `INSERT INTO ${table} SELECT ?, ${columns} FROM json_each(?) AS given WHERE true ON CONFLICT ${conflict}`;

const ADD_PIECES = adding(
  "pieces",
  "given.value ->> 0, CAST(given.value ->> 1 AS blob)",
  "DO NOTHING",
);

const ADD_WRITES = adding(
  "writes",
  `given.value ->> 0, given.value ->> 1, given.value ->> 2, given.value ->> 3, given.value ->> 4, 'json',
   CAST(given.value ->> 5 AS blob)`,
  `(thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
   DO UPDATE SET channel = excluded.channel, type = excluded.type, value = excluded.value WHERE excluded.idx < 0`,
);

const ADD_CHECKPOINTS = adding(
  "checkpoints",
  `given.value ->> 0, given.value ->> 1, given.value ->> 2, 'json', CAST(given.value ->> 3 AS blob),
   CAST(given.value ->> 4 AS blob)`,
  `(thread_id, checkpoint_ns, checkpoint_id)
   DO UPDATE SET checkpoint = excluded.checkpoint, metadata = excluded.metadata`,
);

function insertions(save: Save): Query[] {
  const { writes, checkpoints } = columnsOf(save);
  const additions: [string, unknown[]][] = [
    [ADD_PIECES, [...save.pieces]],
    [ADD_WRITES, writes],
    [ADD_CHECKPOINTS, checkpoints],
  ];
  return additions
    .filter(([, rows]) => rows.length > 0)
    .map(([text, rows]) => ({ sql: text, parameters: [save.threadId, JSON.stringify(rows)] }));
}

function selection(search: Search) {
  const { before, filter = {}, limit = -1 } = search;
  const condition = conditionOf(search, [
    ...(before === undefined ? [] : [sql<boolean>`checkpoint_id < ${before}`]),
    ...Object.entries(filter).map(
      ([key, value]) =>
        sql<boolean>`CAST(metadata AS text) -> ${`$.${key}`} = ${JSON.stringify(value)}`,
    ),
  ]);
  return sql<SavedRow>`SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id,
      CAST(checkpoint AS text) AS checkpoint, CAST(metadata AS text) AS metadata,
      (SELECT json_group_array(json_array(task_id, channel, json(CAST(value AS text))))
       FROM (SELECT * FROM writes WHERE thread_id = saved.thread_id
         AND checkpoint_ns = saved.checkpoint_ns AND checkpoint_id = saved.checkpoint_id
         ORDER BY task_id, idx)) AS writes
    FROM checkpoints AS saved WHERE ${condition} ORDER BY checkpoint_id DESC LIMIT ${limit}`;
}
