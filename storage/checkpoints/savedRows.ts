import type {
  ChannelVersions,
  Checkpoint,
  CheckpointMetadata,
  CheckpointPendingWrite,
  CheckpointTuple,
} from "@langchain/langgraph-checkpoint";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Store } from "../database.js";
import { sql } from "../kysely.js";
import type { Json, Pieces } from "./chunks.js";

/** What is saved of a thread together: all of it, or nothing. The values of channels and writes name pieces. */
export interface Save {
  threadId: string;
  /** Of the run that saves; absent for changes by hand. */
  hold?: string;
  pieces: Map<string, string>;
  checkpoints: {
    ns: string;
    parent?: string;
    checkpoint: Checkpoint;
    metadata: CheckpointMetadata;
    /** Versions of the channels that have changed. */
    changed: ChannelVersions;
  }[];
  /** By what they are told apart: a saved one stays, but for those with an `idx` below 0. */
  writes: Map<
    string,
    { ns: string; id: string; task: string; idx: number; channel: string; value: unknown }
  >;
}

/** Which checkpoints are wanted; of what is left out, any. */
export interface Search {
  threadId?: string;
  ns?: string;
  id?: string;
  /** Those saved before this one. */
  before?: string;
  /** Entries of their metadata. */
  filter?: Record<string, unknown>;
  limit?: number;
}

/** The tables of checkpoints. */
export interface SavedRows {
  save: (save: Save) => Promise<void>;
  /** Newest first. */
  read: (search: Search) => Promise<SavedTuple[]>;
  pieces: (threadId: string, ids: readonly string[]) => Promise<Pieces>;
  remove: (threadId: string) => Promise<void>;
}

interface SavedTuple extends CheckpointTuple {
  threadId: string;
  pendingWrites: CheckpointPendingWrite[];
}

export type Query = Pick<CompiledQuery, "sql" | "parameters">;

/** Does something on the same database if a query finds a row, which stays locked until it is done. */
export type IfFound = (query: Query) => Promise<readonly unknown[]>;

/** Whether a run may still save. */
export interface Permit {
  /** Under which a run's config has its hold on its thread. Who has none changes the thread by hand. */
  key: string;
  /**
   * Throws if it may not.
   *
   * @param save with a Postgres database: saves if this query finds a row, and gives what it has found
   */
  require: (run: { threadId: string; hold: string }, save?: IfFound) => Promise<void>;
}

/** What rows are saved in and read from. */
export interface RowsParts<Tables> {
  store: Store<Tables>;
  permit: Permit;
  json: Json;
}

/** A row with what belongs to it, as JSON. */
export interface SavedRow {
  thread_id: string;
  checkpoint_ns: string;
  checkpoint_id: string;
  parent_checkpoint_id: string | null;
  checkpoint: string;
  /** Of its channels, where the checkpoint does not hold them. */
  channel_values?: string | null;
  metadata: string;
  writes: string | null;
}

export async function tupleOf(row: SavedRow, json: Json): Promise<SavedTuple> {
  const { thread_id, checkpoint_ns, parent_checkpoint_id } = row;
  const configOf = (checkpoint_id: string) => ({
    configurable: { thread_id, checkpoint_ns, checkpoint_id },
  });
  const checkpoint = (await json.read(row.checkpoint)) as Checkpoint;
  if (row.channel_values !== undefined)
    checkpoint.channel_values = (await json.read(row.channel_values ?? "{}")) as Values;
  return {
    threadId: thread_id,
    config: configOf(row.checkpoint_id),
    parentConfig: parent_checkpoint_id === null ? undefined : configOf(parent_checkpoint_id),
    checkpoint,
    metadata: (await json.read(row.metadata)) as CheckpointMetadata,
    pendingWrites: (await json.read(row.writes ?? "[]")) as CheckpointPendingWrite[],
  };
}

type Values = Checkpoint["channel_values"];

export function columnsOf({ checkpoints, writes }: Save) {
  return {
    checkpoints: checkpoints.map(({ ns, parent, checkpoint, metadata }) => [
      ns,
      checkpoint.id,
      parent,
      JSON.stringify(checkpoint),
      JSON.stringify(metadata),
    ]),
    writes: [...writes.values()].map(({ ns, id, task, idx, channel, value }) => [
      ns,
      id,
      task,
      idx,
      channel,
      JSON.stringify(value),
    ]),
  };
}

/** @param more further conditions */
export function conditionOf({ threadId, ns, id }: Search, more: readonly Condition[]): Condition {
  const conditions = [
    ...(threadId === undefined ? [] : [sql<boolean>`thread_id = ${threadId}`]),
    ...(ns === undefined ? [] : [sql<boolean>`checkpoint_ns = ${ns}`]),
    ...(id === undefined ? [] : [sql<boolean>`checkpoint_id = ${id}`]),
    ...more,
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);
}

export type Condition = RawBuilder<boolean>;
