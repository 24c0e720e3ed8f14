import type {
  BaseCheckpointSaver,
  CheckpointTuple,
  PendingWrite,
} from "@langchain/langgraph-checkpoint";

/** Stores a checkpoint that was read from a saver in a thread, with its pending writes. */
export async function putTuple(options: {
  saver: BaseCheckpointSaver;
  tuple: CheckpointTuple;
  threadId: string;
}): Promise<void> {
  const { saver, tuple, threadId } = options;
  const { checkpoint, config, parentConfig, metadata, pendingWrites = [] } = tuple;
  const checkpoint_ns = String(config.configurable?.["checkpoint_ns"] ?? "");
  const parent = parentConfig?.configurable?.["checkpoint_id"] as string | undefined;
  const place = { thread_id: threadId, checkpoint_ns, checkpoint_id: parent };
  const source = metadata ?? { source: "fork" as const, step: -1, parents: {} };
  const stored = await saver.put(
    { configurable: place },
    checkpoint,
    source,
    checkpoint.channel_versions,
  );
  for (const task of new Set(pendingWrites.map(([id]) => id))) {
    const own = pendingWrites.filter(([id]) => id === task);
    const writes = own.map(([, channel, value]): PendingWrite => [channel, value]);
    await saver.putWrites(stored, writes, task);
  }
}
