import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import type { Pool, PoolClient } from "pg";
import type { Permit } from "./checkpoints.js";
import type { SaverHome } from "./leanSaver.js";
import { MIGRATION_LOCK, type SharedPool, borrowPool } from "./postgresPool.js";
import { storableText } from "./away.js";

/** Opens the checkpoints of a database, and creates its tables or brings them up to date. */
export async function openPostgresSavers(options: {
  url: string;
  schema: string;
  permit: Permit;
}): Promise<SaverHome> {
  const { url, schema, permit } = options;
  const pool = borrowPool(url);
  const reader = new OrderedSaver(poolFor(pool), schema);
  const query = async (text: string, values: unknown[]) => {
    const client = await pool.connect();
    try {
      return (await client.query<{ id: string; value: Buffer }>(text, values)).rows;
    } finally {
      client.release();
    }
  };
  try {
    await setUp(pool, schema, reader);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    reader: () => reader,
    writer: async (run, pieces) => {
      const begin = async (client: PoolClient) => {
        await permit(run, async ({ sql, parameters }) => {
          const { rows } = await client.query<Record<string, unknown>>(sql, [...parameters]);
          return rows;
        });
        if (pieces.size > 0)
          await client.query(addPieces(schema), [
            String(run["thread_id"]),
            [...pieces.keys()],
            [...pieces.values()].map((value) => Buffer.from(value)),
          ]);
      };
      return new OrderedSaver(poolFor(pool, begin), schema);
    },
    read: async (threadId, ids) => {
      const text = `SELECT id, value FROM ${schema}.pieces WHERE thread_id = $1 AND id = ANY($2)`;
      const rows = await query(text, [threadId, ids]);
      return new Map(rows.map(({ id, value }) => [id, value]));
    },
    remove: async (threadId) => {
      await query(`DELETE FROM ${schema}.pieces WHERE thread_id = $1`, [threadId]);
    },
    close: pool.end,
  };
}

/** In one order, so that two transactions with the same pieces do not wait for each other. */
function addPieces(schema: string): string {
  return `INSERT INTO ${schema}.pieces SELECT $1, id, value FROM unnest($2::text[], $3::bytea[]) AS piece(id, value)
    ORDER BY id ON CONFLICT DO NOTHING`;
}

/** Under a lock, because the package's own set-up fails if two processes do it at once. */
async function setUp(pool: SharedPool, schema: string, saver: PostgresSaver): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await saver.setup();
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${schema}.pieces (thread_id text, id text, value bytea NOT NULL, PRIMARY KEY (thread_id, id))`,
    );
    const { rows } = await client.query<{ index: string | null }>(
      "SELECT to_regclass($1) AS index",
      [`${schema}.checkpoints_in_order`],
    );
    if (rows[0]?.index) return;
    await client.query(`ALTER TABLE ${schema}.checkpoints ADD COLUMN IF NOT EXISTS seq bigserial`);
    await client.query(
      `CREATE INDEX checkpoints_in_order ON ${schema}.checkpoints (thread_id, checkpoint_ns, seq)`,
    );
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}

/**
 * Orders checkpoints as they were stored. The package orders them by id, which begins with the time of the machine
 * that made them: if a thread continues on a machine whose clock is behind, the old checkpoints would stay the newest.
 */
class OrderedSaver extends PostgresSaver {
  constructor(
    pool: Pool,
    readonly schema: string,
  ) {
    super(pool, undefined, { schema });
  }

  protected override _searchWhere(
    ...search: Parameters<PostgresSaver["_searchWhere"]>
  ): [string, unknown[]] {
    const [where, values] = super._searchWhere(...search);
    const before = /checkpoint_id < (\$\d+)/.exec(where)?.[1];
    if (before === undefined) return [where, values];
    const seq = `(SELECT max(b.seq) FROM ${this.schema}.checkpoints b WHERE b.thread_id = cp.thread_id AND b.checkpoint_id = ${before})`;
    return [where.replace(`checkpoint_id < ${before}`, `cp.seq < ${seq}`), values];
  }

  /** Metadata are stored as `jsonb`, which accepts neither the character NUL nor half a surrogate pair. */
  protected override async _dumpMetadata(
    metadata: Parameters<PostgresSaver["_dumpMetadata"]>[0],
  ): Promise<unknown> {
    const [, bytes] = await this.serde.dumpsTyped(metadata);
    return JSON.parse(new TextDecoder().decode(bytes), (_key, value: unknown) =>
      typeof value === "string" ? storableText(value) : value,
    );
  }
}

const BY_TIME = "ORDER BY checkpoint_id DESC";
const AS_STORED = "ORDER BY cp.seq DESC";

/**
 * The part of a pool that the package uses.
 *
 * @param begin comes first in each transaction
 */
function poolFor(pool: SharedPool, begin?: (client: PoolClient) => Promise<void>): Pool {
  const query = async (client: PoolClient, text: string, values?: unknown[]) => {
    const answer = await client.query(text.replace(BY_TIME, AS_STORED), values);
    if (text === "BEGIN") await begin?.(client);
    return answer;
  };
  const used = {
    connect: async () => {
      const client = await pool.connect();
      return {
        query: (text: string, values?: unknown[]) => query(client, text, values),
        release: () => client.release(),
      };
    },
    query: async (text: string, values?: unknown[]) => {
      const client = await pool.connect();
      try {
        return await query(client, text, values);
      } finally {
        client.release();
      }
    },
  };
  return used as unknown as Pool;
}
