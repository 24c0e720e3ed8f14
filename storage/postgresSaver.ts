import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import type { Pool, PoolClient } from "pg";
import type { Permit } from "./checkpoints.js";
import { MIGRATION_LOCK } from "./postgresMigrations.js";
import { type SharedPool, borrowPool } from "./postgresPool.js";
import { storableText } from "./storableText.js";

/** The savers of checkpoints in a database; the pool that they share is returned with `close`. */
export interface PostgresSavers {
  /** A saver for what a run does, which is refused once the run has lost its thread. */
  for: (run?: Readonly<Record<string, unknown>>) => PostgresSaver;
  close: () => Promise<void>;
}

/** Opens the checkpoints of a database, whose tables are made or brought up to date. */
export async function openPostgresSavers(options: {
  url: string;
  schema: string;
  permit: Permit;
}): Promise<PostgresSavers> {
  const { url, schema, permit } = options;
  const pool = borrowPool(url);
  const savers: PostgresSavers = {
    for: (run) => new OrderedSaver(poolFor({ pool, permit, run }), schema),
    close: pool.end,
  };
  try {
    await setUp({ pool, schema, saver: savers.for() });
    return savers;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** One process at a time: the package's own set-up fails where two do it together. */
async function setUp(options: {
  pool: SharedPool;
  schema: string;
  saver: PostgresSaver;
}): Promise<void> {
  const { pool, schema, saver } = options;
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await saver.setup();
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
 * The package orders checkpoints by their ids, which begin with the time of the machine that made them: on a thread
 * that goes on on a machine whose clock is behind, the old checkpoints would stay the newest. Here they are in the
 * order in which they were stored.
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

  /** Metadata are stored as JSON of the database, which knows no character NUL and no half of a pair. */
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

/** What the package needs of a pool: connections whose transactions begin with the question whether the run may. */
function poolFor(options: {
  pool: SharedPool;
  permit: Permit;
  run?: Readonly<Record<string, unknown>>;
}): Pool {
  const { pool, permit, run } = options;
  const query = async (client: PoolClient, text: string, values?: unknown[]) => {
    const answer = await client.query(text.replace(BY_TIME, AS_STORED), values);
    if (text !== "BEGIN" || run === undefined) return answer;
    await permit(run, async ({ sql, parameters }) => {
      const { rows } = await client.query<Record<string, unknown>>(sql, [...parameters]);
      return rows;
    });
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
