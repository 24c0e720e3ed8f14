import { join } from "node:path";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { type Database, openDatabase } from "./sqlite.js";
import { SqliteSaver } from "./sqliteSaver.js";

/** What listing or continuing a thread needs besides its checkpoints. */
export interface Thread {
  id: string;
  /** Id of the graph of the thread's last run. */
  graph: string;
  /** Settings of the thread's last run, as the user gave them. */
  settings: Record<string, unknown>;
  request: string;
  /** How the last run ended; `running` until then, even if its process has died. */
  status: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
}

/** The checkpoints of all threads of a home, and the list of these threads. */
export interface Checkpoints {
  saver: BaseCheckpointSaver;
  threads: {
    /** Newest first. */
    list: () => Thread[];
    get: (id: string) => Thread | undefined;
    put: (thread: Omit<Thread, "updatedAt">) => void;
    setStatus: (id: string, status: string) => void;
  };
  close: () => void;
}

const MIGRATIONS = [
  [
    `CREATE TABLE threads (
       id TEXT PRIMARY KEY,
       graph TEXT NOT NULL,
       settings TEXT NOT NULL,
       request TEXT NOT NULL,
       status TEXT NOT NULL,
       updated_at TEXT NOT NULL
     )`,
  ],
];

/**
 * Opens `checkpoints.db` in the home.
 *
 * @param options.permit called before a run saves something; throws if it no longer may
 */
export function openCheckpoints({
  home,
  permit = () => undefined,
}: {
  home: string;
  permit?: Permit;
}): Checkpoints {
  const database = openDatabase({ file: join(home, "checkpoints.db"), migrations: MIGRATIONS });
  return {
    saver: new PermittedSaver(database, permit),
    threads: threadTable(database),
    close: () => database.close(),
  };
}

type Permit = (configurable: Readonly<Record<string, unknown>>) => void;

/** A run that has lost its thread to another must not add checkpoints to it. */
class PermittedSaver extends SqliteSaver {
  constructor(
    database: Database,
    readonly permit: Permit,
  ) {
    super(database);
  }

  override async put(...saved: Parameters<SqliteSaver["put"]>) {
    this.permit(saved[0].configurable ?? {});
    return await super.put(...saved);
  }

  override async putWrites(...saved: Parameters<SqliteSaver["putWrites"]>) {
    this.permit(saved[0].configurable ?? {});
    await super.putWrites(...saved);
  }
}

function threadTable(database: Database): Checkpoints["threads"] {
  return {
    list: () =>
      database
        .prepare("SELECT * FROM threads ORDER BY updated_at DESC, rowid DESC")
        .all()
        .map(threadOf),
    get: (id) => {
      const row = database.prepare("SELECT * FROM threads WHERE id = ?").get(id);
      return row ? threadOf(row) : undefined;
    },
    put: ({ id, graph, settings, request, status }) => {
      database
        .prepare("INSERT OR REPLACE INTO threads VALUES (?, ?, ?, ?, ?, ?)")
        .run(id, graph, JSON.stringify(settings), request, status, now());
    },
    setStatus: (id, status) => {
      database
        .prepare("UPDATE threads SET status = ?, updated_at = ? WHERE id = ?")
        .run(status, now(), id);
    },
  };
}

function now(): string {
  return new Date().toISOString();
}

function threadOf(row: unknown): Thread {
  const { id, graph, settings, request, status, updated_at } = row as Record<string, string>;
  return {
    id: id ?? "",
    graph: graph ?? "",
    settings: JSON.parse(settings ?? "{}") as Record<string, unknown>,
    request: request ?? "",
    status: status ?? "",
    updatedAt: updated_at ?? "",
  };
}
