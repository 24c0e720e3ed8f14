import type { Kysely, OperationNodeSource } from "kysely";
import type { Store, StoreMigrations } from "../storage/database.js";

/** The server's database, which all of its processes share. */
export type ServerStore = Store<ServerTables>;

/** The same within a transaction. */
export type ServerTransaction = Kysely<ServerTables>;

/** A query that is not yet executed. */
export type Query = OperationNodeSource & { execute: () => Promise<unknown> };

/**
 * The server's own tables (`server.db`, or the schema `tulipgraph_server`). Times are milliseconds since 1970, JSON is
 * kept in text columns, and `owner` says whose row it is (access/caller.ts).
 */
export interface ServerTables {
  assistants: {
    assistant_id: string;
    owner: string;
    graph_id: string;
    version: number;
    name: string;
    description: string | null;
    /** JSON: config, context, metadata. */
    config: string;
    context: string;
    metadata: string;
    created_at: number;
    updated_at: number;
  };
  /** Each version of an assistant, as it was. */
  assistant_versions: Omit<ServerTables["assistants"], "owner" | "updated_at">;
  /** What owners' runs remember beyond their threads. */
  store_items: {
    owner: string;
    /** JSON list of its parts. */
    namespace: string;
    key: string;
    /** JSON. */
    value: string;
    created_at: number;
    updated_at: number;
  };
  threads: {
    thread_id: string;
    owner: string;
    /** idle · busy · interrupted · error */
    status: string;
    metadata: string;
    config: string;
    error: string | null;
    /** Minutes after its last change when it is deleted; null: as the operator's file says. */
    ttl_minutes: number | null;
    created_at: number;
    updated_at: number;
  };
  runs: {
    run_id: string;
    thread_id: string;
    assistant_id: string;
    owner: string;
    /** Id of the key or the subject that started it; empty without authentication. */
    caller: string;
    /** pending · running · success · error · timeout · interrupted */
    status: string;
    /** JSON, as admitted: see `RunOrder` (runs/runRow.ts). */
    kwargs: string;
    metadata: string;
    multitask_strategy: string;
    /** 1: the thread is deleted when the run ends. */
    is_stateless: number;
    created_at: number;
    updated_at: number;
    /** Not before this time. */
    due_at: number;
    /** The process that works on it, or did so last; null until one has begun. */
    lease_owner: string | null;
    /** When that process loses it unless it renews the lease. */
    lease_until: number;
    /** How often a process has begun it, without those that gave it back. */
    attempts: number;
    /** How somebody wants it ended: interrupt · rollback */
    cancel: string | null;
    error: string | null;
    /** How its request has ended, in the graph's words; null if it has not. */
    outcome: string | null;
    /** JSON: what its request has used by then. */
    usage: string | null;
    /** The run that began its request: itself, unless it goes on after an answer. */
    request_id: string | null;
    /** What is set aside for it of its caller's day, until it has ended; null where nothing is bounded. */
    reserved_tokens: number | null;
    reserved_usd: number | null;
  };
  /** The events of a run's stream, kept for some time after its end. */
  run_events: {
    run_id: string;
    seq: number;
    event: string;
    data: string;
    at: number;
  };
  /** What models were told and replied in the visits of a run's stages. */
  exchanges: {
    run_id: string;
    /** Id of LangGraph's task. */
    visit: string;
    at: number;
    /** JSON: see `Exchange` (runs/exchanges.ts). */
    exchange: string;
  };
  keys: {
    key_id: string;
    /** SHA-256 of the secret, which itself is shown once and kept nowhere. */
    hash: string;
    name: string;
    owner: string;
    /** JSON list of scopes. */
    scopes: string;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
  };
  /** Runs that begin at times. */
  crons: {
    cron_id: string;
    owner: string;
    /** JSON: who asked for it, and with which scopes (see `Caller`). */
    caller: string;
    assistant_id: string;
    /** Of its runs; null: each has a thread of its own. */
    thread_id: string | null;
    schedule: string;
    timezone: string;
    /** JSON: the run as it was asked for. */
    payload: string;
    metadata: string;
    /** 1: it runs */
    is_enabled: number;
    /** No run begins after this time. */
    end_at: number | null;
    /** When the next run is due; null: never again. */
    next_at: number | null;
    created_at: number;
    updated_at: number;
  };
  /** What a caller has spent on a day (UTC) by graph and library, in runs that have ended. */
  spend_by_graph: {
    caller: string;
    day: string;
    graph: string;
    library: string;
    runs: number;
    model_calls: number;
    tokens: number;
    usd: number;
    /** Those of the tokens that providers have read from their caches. */
    cached_tokens: number;
  };
}

/** The first tables. */
function tables({ integer, real }: { integer: string; real: string }): string[] {
  return [
    `CREATE TABLE assistants (
       assistant_id text PRIMARY KEY, owner text NOT NULL, graph_id text NOT NULL,
       version ${integer} NOT NULL, name text NOT NULL, description text, config text NOT NULL,
       context text NOT NULL, metadata text NOT NULL, created_at ${integer} NOT NULL,
       updated_at ${integer} NOT NULL
     )`,
    `CREATE TABLE assistant_versions (
       assistant_id text NOT NULL REFERENCES assistants ON DELETE CASCADE,
       version ${integer} NOT NULL, graph_id text NOT NULL, name text NOT NULL, description text,
       config text NOT NULL, context text NOT NULL, metadata text NOT NULL,
       created_at ${integer} NOT NULL, PRIMARY KEY (assistant_id, version)
     )`,
    `CREATE TABLE threads (
       thread_id text PRIMARY KEY, owner text NOT NULL, status text NOT NULL,
       metadata text NOT NULL, config text NOT NULL, error text, created_at ${integer} NOT NULL,
       updated_at ${integer} NOT NULL
     )`,
    `CREATE INDEX threads_of_owner ON threads (owner, updated_at)`,
    `CREATE TABLE runs (
       run_id text PRIMARY KEY, thread_id text NOT NULL, assistant_id text NOT NULL,
       owner text NOT NULL, caller text NOT NULL, status text NOT NULL, kwargs text NOT NULL,
       metadata text NOT NULL, multitask_strategy text NOT NULL, is_stateless ${integer} NOT NULL,
       created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL, due_at ${integer} NOT NULL,
       lease_owner text, lease_until ${integer} NOT NULL, attempts ${integer} NOT NULL, cancel text,
       error text
     )`,
    `CREATE INDEX runs_of_thread ON runs (thread_id, created_at)`,
    `CREATE INDEX open_runs ON runs (status, created_at) WHERE status IN ('pending', 'running')`,
    `CREATE TABLE run_events (
       run_id text NOT NULL REFERENCES runs ON DELETE CASCADE, seq ${integer} NOT NULL,
       event text NOT NULL, data text NOT NULL, at ${integer} NOT NULL, PRIMARY KEY (run_id, seq)
     )`,
    `CREATE TABLE store_items (
       owner text NOT NULL, namespace text NOT NULL, key text NOT NULL, value text NOT NULL,
       created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL,
       PRIMARY KEY (owner, namespace, key)
     )`,
    `CREATE TABLE keys (
       key_id text PRIMARY KEY, hash text NOT NULL UNIQUE, name text NOT NULL, owner text NOT NULL,
       scopes text NOT NULL, created_at ${integer} NOT NULL, expires_at ${integer},
       revoked_at ${integer}, last_used_at ${integer}
     )`,
    `CREATE TABLE spend (
       caller text NOT NULL, day text NOT NULL, runs ${integer} NOT NULL,
       model_calls ${integer} NOT NULL, tokens ${integer} NOT NULL, usd ${real} NOT NULL,
       PRIMARY KEY (caller, day)
     )`,
    `CREATE TABLE reservations (
       run_id text PRIMARY KEY, caller text NOT NULL, day text NOT NULL, tokens ${integer} NOT NULL,
       usd ${real} NOT NULL, created_at ${integer} NOT NULL
     )`,
    `CREATE INDEX reservations_of_caller ON reservations (caller)`,
  ];
}

const SEEN = [
  `ALTER TABLE runs ADD COLUMN outcome text`,
  `ALTER TABLE runs ADD COLUMN usage text`,
  `CREATE TABLE exchanges (
     run_id text NOT NULL REFERENCES runs ON DELETE CASCADE, visit text NOT NULL,
     at bigint NOT NULL, exchange text NOT NULL
   )`,
  `CREATE INDEX exchanges_of_visit ON exchanges (run_id, visit)`,
  `CREATE TABLE spend_by_graph (
     caller text NOT NULL, day text NOT NULL, graph text NOT NULL, library text NOT NULL,
     runs bigint NOT NULL, model_calls bigint NOT NULL, tokens bigint NOT NULL,
     usd double precision NOT NULL, PRIMARY KEY (caller, day, graph, library)
   )`,
  `INSERT INTO spend_by_graph
   SELECT caller, day, '', '', runs, model_calls, tokens, usd FROM spend WHERE day <> ''`,
];

/** The owner of a row as it is called if it is of tokens. Their issuer is added by whoever knows it (access/owners.ts). */
const OF_TOKENS = `'jwt::' || replace(replace(owner, '%', '%25'), ':', '%3A')`;

const HAS_KEY = `owner IN (SELECT keys.owner FROM keys)`;

const runBy = (sign: string) =>
  `EXISTS (SELECT 1 FROM runs WHERE runs.thread_id = threads.thread_id AND runs.caller ${sign} 'sub:' || threads.owner)`;

/**
 * Owners of keys and of tokens had the same names. Where somebody had a key for a name, what is of that name is the key's,
 * except for threads on which only the token of that name has run. Nobody sees what nobody of that name saw before.
 */
const OWNERS = [
  `UPDATE threads SET owner = CASE
     WHEN ${HAS_KEY} AND NOT (${runBy("=")} AND NOT ${runBy("<>")}) THEN 'key:' || owner
     ELSE ${OF_TOKENS} END
   WHERE owner <> ''`,
  `UPDATE runs SET owner = coalesce(
     (SELECT threads.owner FROM threads WHERE threads.thread_id = runs.thread_id),
     CASE WHEN ${HAS_KEY} AND caller <> 'sub:' || owner THEN 'key:' || owner ELSE ${OF_TOKENS} END)
   WHERE owner <> ''`,
  `UPDATE assistants SET owner = CASE WHEN ${HAS_KEY} THEN 'key:' || owner ELSE ${OF_TOKENS} END
   WHERE owner <> ''`,
  `UPDATE keys SET owner = 'key:' || owner`,
];

const WHOLE_API = [
  `ALTER TABLE threads ADD COLUMN ttl_minutes double precision`,
  `CREATE TABLE crons (
     cron_id text PRIMARY KEY, owner text NOT NULL, caller text NOT NULL,
     assistant_id text NOT NULL, thread_id text, schedule text NOT NULL, timezone text NOT NULL,
     payload text NOT NULL, metadata text NOT NULL, is_enabled bigint NOT NULL, end_at bigint,
     next_at bigint, created_at bigint NOT NULL, updated_at bigint NOT NULL
   )`,
  `CREATE INDEX due_crons ON crons (next_at) WHERE next_at IS NOT NULL`,
];

const CACHED = [`ALTER TABLE spend_by_graph ADD COLUMN cached_tokens bigint NOT NULL DEFAULT 0`];

/** @param field a field of a run's order, in the database's own words */
const requests = (field: (name: string) => string) => [
  `ALTER TABLE runs ADD COLUMN request_id text`,
  `UPDATE runs SET request_id = coalesce(
     (SELECT run.run_id FROM runs run WHERE run.thread_id = runs.thread_id AND run.created_at <= runs.created_at
        AND ${field("command")} IS NULL AND ${field("input")} IS NOT NULL
      ORDER BY run.created_at DESC, run.run_id DESC LIMIT 1), run_id)`,
  `CREATE INDEX runs_of_request ON runs (request_id, created_at)`,
];

/** What was set aside for open runs is kept with them. `spend` and `reservations` are no longer read. */
const RESERVED = [
  `ALTER TABLE runs ADD COLUMN reserved_tokens bigint`,
  `ALTER TABLE runs ADD COLUMN reserved_usd double precision`,
  `UPDATE runs SET
     reserved_tokens = (SELECT tokens FROM reservations WHERE reservations.run_id = runs.run_id),
     reserved_usd = (SELECT usd FROM reservations WHERE reservations.run_id = runs.run_id)
   WHERE status IN ('pending', 'running')`,
];

const LATER = [SEEN, OWNERS, WHOLE_API, CACHED];

export const SERVER_MIGRATIONS: StoreMigrations = {
  sqlite: [
    tables({ integer: "INTEGER", real: "REAL" }),
    ...LATER,
    requests((name) => `json_extract(run.kwargs, '$.${name}')`),
    RESERVED,
  ],
  postgres: [
    tables({ integer: "bigint", real: "double precision" }),
    ...LATER,
    requests((name) => `(run.kwargs::json -> '${name}')`),
    RESERVED,
  ],
};
