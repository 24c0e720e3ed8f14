import { randomInt } from "node:crypto";
import {
  BaseCheckpointSaver,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  ERROR,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { withoutSecretsIn } from "../../common/secrets.js";
import { persistently } from "../postgres/unavailable.js";
import { type Json, jsonBy, putTogether, takeApart } from "./chunks.js";
import type { Save, SavedRows, Search } from "./savedRows.js";
import { Latest } from "../../common/bounds.js";

type Config = Parameters<BaseCheckpointSaver["put"]>[0];

/** What is known to be stored of a thread, so that it need not be sent again. */
interface Stored {
  pieces: Set<string>;
  /** What was stored of each channel last, by its version. */
  channels: Map<string, { version: unknown; value: unknown }>;
  /** What was stored of each value that was written since the last checkpoint: the next one has most of them as they are. */
  written: Map<unknown, unknown>;
}

/** What is saved together, with a checkpoint or at the end of the event loop's turn. */
interface Waiting {
  save: Save;
  saved: Promise<void>;
  saveNow: () => void;
}

/** Threads of which it is remembered. */
const THREADS = 200;

/**
 * Stores each part of a thread's states once, where LangGraph's own savers store whole states, and what a step leaves at
 * once: its writes, and the checkpoint that follows them in the same turn of the event loop.
 */
export class Saver extends BaseCheckpointSaver {
  private readonly json: Json = jsonBy(this.serde);

  private readonly rows: Promise<SavedRows>;

  private readonly stored = new Latest<string, Stored>(THREADS);

  /** What waits to be saved, by thread and hold: a run that has lost its thread saves for itself. */
  private readonly waiting = new Map<string, Waiting>();

  /** Inputs that are about to be saved, by thread. */
  private readonly inputs = new Map<string, Promise<void>>();

  /**
   * @param options.name of the database, for messages
   * @param options.holdKey under which a run's config has its hold on its thread
   * @param options.rows are tried again while the database is away: everything may be done twice
   */
  constructor(
    private readonly options: {
      name: string;
      holdKey: string;
      rows: (json: Json) => Promise<SavedRows>;
    },
  ) {
    super();
    this.rows = options.rows(this.json);
  }

  override async getTuple({ configurable = {} }: Config) {
    const { checkpoint_ns = "" } = configurable;
    const place = { configurable: { ...configurable, checkpoint_ns } };
    if (searchIn(place).threadId === undefined) return undefined;
    const [tuple] = await this.read({ ...searchIn(place), limit: 1 });
    return tuple;
  }

  override async *list(...[config, options = {}]: Parameters<BaseCheckpointSaver["list"]>) {
    const { before, ...rest } = options;
    const limits = { ...rest, before: searchIn(before).id };
    yield* await this.read({ ...searchIn(config), ...limits });
  }

  override async put(
    ...[config, checkpoint, metadata, changed]: Parameters<BaseCheckpointSaver["put"]>
  ) {
    const { threadId, ns = "", id: parent } = placeIn(config);
    const { channel_values: given, channel_versions: versions } = checkpoint;
    const stored = this.storedOf(threadId);
    const { channels, written } = stored;
    stored.written = new Map();
    // A channel without a version holds its default, which its graph knows.
    const names = Object.keys(given).filter((name) => versions[name] !== undefined);
    const fresh = names.filter((name) => channels.get(name)?.version !== versions[name]);
    const unwritten = fresh.map((name) => given[name]).filter((value) => !written.has(value));
    const { values, pieces } = await takeApart(unwritten, this.json);
    for (const [at, value] of unwritten.entries()) written.set(value, values[at]);
    const apart = new Map(fresh.map((name) => [name, written.get(given[name])]));
    const channel_values = Object.fromEntries(
      names.map((name) => [name, apart.has(name) ? apart.get(name) : channels.get(name)?.value]),
    );
    const row = { ns, parent, checkpoint: { ...checkpoint, channel_values }, metadata, changed };
    const saved = this.save(config, pieces, (save) => {
      save.checkpoints.push(row);
      return metadata.source !== "input";
    });
    // No stage has begun. What follows at once is saved with it, and fails with it.
    if (metadata.source === "input") this.saveLater(threadId, saved);
    else await saved;
    for (const [name, value] of apart) channels.set(name, { version: versions[name], value });
    return {
      configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: checkpoint.id },
    };
  }

  override async putWrites(
    ...[config, writes, task]: Parameters<BaseCheckpointSaver["putWrites"]>
  ) {
    const { threadId, ns = "", id } = placeIn(config);
    if (id === undefined) throw new Error("no checkpoint is named: set configurable.checkpoint_id");
    const { values, pieces } = await takeApart(
      // Of a stage that has failed, its error.
      writes.map(([channel, value]) => (channel === ERROR ? withoutSecretsIn(value) : value)),
      this.json,
    );
    const { written } = this.storedOf(threadId);
    // Not texts, which another run may have, too: these may turn out not to be saved.
    for (const [at, [, value]] of writes.entries())
      if (typeof value === "object") written.set(value, values[at]);
    await this.save(config, pieces, (save) => {
      for (const [at, [channel]] of writes.entries()) {
        const idx = WRITES_IDX_MAP[channel] ?? at;
        const key = JSON.stringify([ns, id, task, idx]);
        // The first write of a kind stays, but for errors, interrupts and answers.
        if (idx < 0 || !save.writes.has(key))
          save.writes.set(key, { ns, id, task, idx, channel, value: values[at] });
      }
      return false;
    });
  }

  override async deleteThread(threadId: string) {
    await this.inputs.get(threadId);
    this.stored.delete(threadId);
    await this.with((rows) => rows.remove(threadId));
  }

  /**
   * Postgres stores each version of a channel once for all branches of a thread, so two branches must not use the
   * same version number.
   */
  override getNextVersion(current: number | undefined): number {
    return Math.floor(current ?? 0) + 1 + randomInt(BRANCHES) / BRANCHES;
  }

  /** @param add returns whether it is to be saved now, rather than at the end of the event loop's turn */
  private async save(
    config: Config,
    pieces: ReadonlyMap<string, string>,
    add: (save: Save) => boolean,
  ): Promise<void> {
    const { threadId } = placeIn(config);
    const { [this.options.holdKey]: hold } = config.configurable as Record<string, string>;
    const key = JSON.stringify([threadId, hold]);
    const known = this.storedOf(threadId).pieces;
    const { save, saved, saveNow } = this.waiting.get(key) ?? this.begin(key, { threadId, hold });
    for (const [id, value] of pieces) if (!known.has(id)) save.pieces.set(id, value);
    if (add(save)) saveNow();
    await saved;
    for (const id of pieces.keys()) known.add(id);
  }

  /** Nobody waits for an input to be saved but whoever reads its thread. */
  private saveLater(threadId: string, saved: Promise<void>): void {
    const input = saved
      .catch(() => void this.stored.delete(threadId))
      .finally(() => this.inputs.get(threadId) === input && this.inputs.delete(threadId));
    this.inputs.set(threadId, input);
  }

  private begin(key: string, of: Pick<Save, "threadId" | "hold">): Waiting {
    const save: Save = { ...of, pieces: new Map(), checkpoints: [], writes: new Map() };
    let saveNow = nothing;
    const turn = new Promise<void>((go) => {
      saveNow = go;
      setImmediate(go);
    });
    const saved = turn.then(async () => {
      this.waiting.delete(key);
      await this.with((rows) => rows.save(save));
    });
    const begun = { save, saved, saveNow };
    this.waiting.set(key, begun);
    return begun;
  }

  /** Saved checkpoints, with their values put together again. */
  private async read(search: Search): Promise<CheckpointTuple[]> {
    const { threadId: wanted } = search;
    await (wanted === undefined ? Promise.all(this.inputs.values()) : this.inputs.get(wanted));
    const known = new Map<string, Map<string, unknown>>();
    const tuples = [];
    const saved = await this.with((rows) => rows.read(search));
    for (const { threadId, pendingWrites, checkpoint, ...rest } of saved) {
      const found = known.get(threadId) ?? new Map<string, unknown>();
      known.set(threadId, found);
      const names = Object.keys(checkpoint.channel_values);
      const given = [
        ...Object.values(checkpoint.channel_values),
        ...pendingWrites.map(([, , value]) => value),
      ];
      const read = (ids: readonly string[]) => this.with((rows) => rows.pieces(threadId, ids));
      const values = await putTogether(given, { json: this.json, found, read });
      const channel_values = Object.fromEntries(names.map((name, at) => [name, values[at]]));
      tuples.push({
        ...rest,
        checkpoint: { ...checkpoint, channel_values },
        pendingWrites: pendingWrites.map(([task, channel], at): CheckpointPendingWrite => [
          task,
          channel,
          values[names.length + at],
        ]),
      });
    }
    // What another process has removed meanwhile has to be stored again.
    if (search.threadId !== undefined) this.stored.delete(search.threadId);
    for (const [threadId, found] of known)
      this.stored.set(threadId, { ...nothingStored(), pieces: new Set(found.keys()) });
    return tuples;
  }

  private with<Result>(work: (rows: SavedRows) => Promise<Result>): Promise<Result> {
    return persistently(this.options, async () => await work(await this.rows));
  }

  private storedOf(threadId: string): Stored {
    const stored = this.stored.get(threadId) ?? nothingStored();
    this.stored.set(threadId, stored);
    return stored;
  }
}

const nothing = (): void => undefined;

function nothingStored(): Stored {
  return { pieces: new Set(), channels: new Map(), written: new Map() };
}

/** Number of different fractions that tell branches apart; count and fraction together still fit a double. */
const BRANCHES = 2 ** 30;

function searchIn({ configurable = {} }: Config = {}): Search {
  const { thread_id, checkpoint_ns, checkpoint_id } = configurable as Record<string, string | null>;
  // Clients send null for what they leave open.
  return {
    threadId: thread_id ?? undefined,
    ns: checkpoint_ns ?? undefined,
    id: checkpoint_id || undefined,
  };
}

/** @throws Error if there is no thread to save in */
function placeIn(config: Config): Search & { threadId: string } {
  const { threadId, ...rest } = searchIn(config);
  if (threadId === undefined) throw new Error("no thread is named: set configurable.thread_id");
  return { threadId, ...rest };
}
