import { randomInt } from "node:crypto";
import {
  BaseCheckpointSaver,
  type CheckpointTuple,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";
import { persistently } from "./away.js";
import { type Pieces, putTogether, takeApart } from "./pieces.js";

type Saver = BaseCheckpointSaver;
type Run = Readonly<Record<string, unknown>>;

/** Where the checkpoints of a home are, and the pieces that they have in common. */
export interface SaverHome {
  /**
   * A saver for one write.
   *
   * @param run who writes, and is refused once it has lost its thread
   * @param pieces what the write refers to, which is stored before it
   */
  writer: (run: Run, pieces: Pieces) => Promise<Saver>;
  /** A saver that reads, and removes threads. */
  reader: () => Saver;
  read: (threadId: string, ids: readonly string[]) => Promise<Pieces>;
  remove: (threadId: string) => Promise<void>;
  close: () => Promise<void>;
}

/** What is known to be stored of a thread, so that it need not be sent again. */
interface Stored {
  pieces: Set<string>;
  /** What was stored of each channel last, by its version. */
  channels: Map<string, { version: unknown; value: unknown }>;
}

/** Threads of which it is remembered. */
const THREADS = 200;

/**
 * Stores each part of a thread's states once, where LangGraph's savers store the whole state with each checkpoint. The
 * home is opened on first use, and what fails because a database is away is tried again: every operation may be done
 * twice.
 */
export class LeanSaver extends BaseCheckpointSaver {
  private opened: Promise<SaverHome> | undefined;

  private readonly stored = new Map<string, Stored>();

  constructor(
    readonly name: string,
    readonly open: () => Promise<SaverHome>,
  ) {
    super();
  }

  override getTuple(config: Parameters<Saver["getTuple"]>[0]) {
    return this.with(async (home) => {
      const tuple = await home.reader().getTuple(config);
      return tuple && (await this.together(home, tuple));
    });
  }

  override async *list(...search: Parameters<Saver["list"]>) {
    yield* await this.with(async (home) => {
      const tuples = [];
      const known = new Map<string, Map<string, unknown>>();
      for await (const tuple of home.reader().list(...search)) {
        const threadId = threadIn(tuple.config.configurable);
        const found = known.get(threadId) ?? new Map<string, unknown>();
        known.set(threadId, found);
        tuples.push(await this.together(home, tuple, found));
      }
      return tuples;
    });
  }

  override async put(...[config, checkpoint, ...rest]: Parameters<Saver["put"]>) {
    const { channel_values: given, channel_versions: versions } = checkpoint;
    const { channels } = this.storedOf(threadIn(config.configurable));
    const isStored = (name: string) =>
      versions[name] !== undefined && channels.get(name)?.version === versions[name];
    const changed = Object.keys(given).filter((name) => !isStored(name));
    const valuesOf = (values: readonly unknown[]) =>
      Object.fromEntries(
        Object.keys(given).map((name) => {
          const at = changed.indexOf(name);
          return [name, at < 0 ? channels.get(name)?.value : values[at]];
        }),
      );
    const changes = changed.map((name) => given[name]);
    return await this.write(config, changes, async (saver, values) => {
      const channel_values = valuesOf(values);
      const saved = await saver.put(config, { ...checkpoint, channel_values }, ...rest);
      for (const [at, name] of changed.entries())
        channels.set(name, { version: versions[name], value: values[at] });
      return saved;
    });
  }

  override putWrites(...[config, writes, task]: Parameters<Saver["putWrites"]>) {
    const given = writes.map(([, value]) => value);
    return this.write(config, given, (saver, values) =>
      saver.putWrites(
        config,
        writes.map(([channel], at): PendingWrite => [channel, values[at]]),
        task,
      ),
    );
  }

  override deleteThread(threadId: string) {
    this.stored.delete(threadId);
    return this.with(async (home) => {
      await home.reader().deleteThread(threadId);
      await home.remove(threadId);
    });
  }

  /**
   * Postgres stores each version of a channel once for all branches of a thread, so two branches must not use the
   * same version number.
   */
  override getNextVersion(current: number | undefined): number {
    return Math.floor(current ?? 0) + 1 + randomInt(BRANCHES) / BRANCHES;
  }

  async close(): Promise<void> {
    await (await this.opened?.catch(() => undefined))?.close();
  }

  private async write<Result>(
    { configurable = {} }: Parameters<Saver["put"]>[0],
    values: readonly unknown[],
    work: (saver: Saver, values: unknown[]) => Promise<Result>,
  ): Promise<Result> {
    const apart = await takeApart(values, this.serde);
    const stored = this.storedOf(threadIn(configurable)).pieces;
    const pieces = new Map([...apart.pieces].filter(([id]) => !stored.has(id)));
    const result = await this.with(async (home) =>
      work(await home.writer(configurable, pieces), apart.values),
    );
    for (const id of pieces.keys()) stored.add(id);
    return result;
  }

  private async together(
    home: SaverHome,
    tuple: CheckpointTuple,
    found = new Map<string, unknown>(),
  ): Promise<CheckpointTuple> {
    const threadId = threadIn(tuple.config.configurable);
    const { checkpoint, pendingWrites = [] } = tuple;
    const names = Object.keys(checkpoint.channel_values);
    const given = [
      ...Object.values(checkpoint.channel_values),
      ...pendingWrites.map(([, , value]) => value),
    ];
    const read = (ids: readonly string[]) => home.read(threadId, ids);
    const values = await putTogether(given, { serde: this.serde, found, read });
    // What another process has removed meanwhile has to be stored again.
    this.stored.set(threadId, { pieces: new Set(found.keys()), channels: new Map() });
    return {
      ...tuple,
      checkpoint: {
        ...checkpoint,
        channel_values: Object.fromEntries(names.map((name, at) => [name, values[at]])),
      },
      pendingWrites: pendingWrites.map(([task, channel], at) => [
        task,
        channel,
        values[names.length + at],
      ]),
    };
  }

  private storedOf(threadId: string): Stored {
    const stored = this.stored.get(threadId) ?? { pieces: new Set(), channels: new Map() };
    this.stored.delete(threadId);
    this.stored.set(threadId, stored);
    const [oldest] = this.stored.keys();
    if (this.stored.size > THREADS && oldest !== undefined) this.stored.delete(oldest);
    return stored;
  }

  private with<Result>(work: (home: SaverHome) => Promise<Result>): Promise<Result> {
    return persistently(this, async () => {
      this.opened ??= this.open().catch((error: unknown) => {
        this.opened = undefined;
        throw error;
      });
      return await work(await this.opened);
    });
  }
}

/** Number of different fractions that tell branches apart; count and fraction together still fit a double. */
const BRANCHES = 2 ** 30;

function threadIn(configurable: Run = {}): string {
  return String(configurable["thread_id"]);
}
