import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { openCheckpoints } from "../../storage/checkpoints.js";
import { putTuple } from "../../storage/putTuple.js";
import { type Content, contentHash } from "./contentHash.js";
import { copyTables } from "./copyTables.js";
import { type CopyStore, type StoreForm, notEmpty } from "./stores.js";

/** Copies checkpoints through their savers, oldest first, because the savers' tables have nothing in common. */
export const copyCheckpoints: CopyStore<Extract<StoreForm, { kind: "checkpoints" }>> = async (
  options,
) => {
  const { form, from, to, replace } = options;
  const source = openCheckpoints({ place: from });
  const target = openCheckpoints({ place: to });
  try {
    const there = await all(target.saver);
    if (there.length > 0 && !replace) throw notEmpty(to, form.name);
    for (const thread of new Set(there.map(threadOf))) await target.saver.deleteThread(thread);
    const tuples = (await all(source.saver)).toReversed();
    for (const tuple of tuples) {
      await putTuple({ saver: target.saver, tuple, threadId: threadOf(tuple) });
    }
    const checkpoints = {
      table: "checkpoints",
      source: contentOf(tuples),
      target: contentOf(await all(target.saver)),
    };
    return [...(await copyTables(options)), checkpoints];
  } finally {
    await source.close();
    await target.close();
  }
};

async function all(saver: BaseCheckpointSaver): Promise<CheckpointTuple[]> {
  const tuples: CheckpointTuple[] = [];
  for await (const tuple of saver.list({ configurable: {} })) tuples.push(tuple);
  return tuples.toSorted((one, other) => (idOf(one) < idOf(other) ? 1 : -1));
}

function contentOf(tuples: readonly CheckpointTuple[]): Content {
  const ids = tuples.map((tuple) => {
    const { checkpoint, pendingWrites = [] } = tuple;
    const writes = pendingWrites.map(ordered).toSorted();
    const { id, channel_versions } = checkpoint;
    const rows = {
      id,
      thread: threadOf(tuple),
      values: written(checkpoint),
      channel_versions,
      writes,
    };
    // The order of keys depends on the database.
    return { hash: contentHash([JSON.parse(ordered(rows)) as Record<string, unknown>]).hash };
  });
  return contentHash(ids.toSorted((one, other) => (one.hash < other.hash ? -1 : 1)));
}

/** The values of the channels that were written to; the other channels have their first values from the graph. */
function written({ channel_values, channel_versions }: CheckpointTuple["checkpoint"]) {
  const values = Object.entries(channel_values);
  return Object.fromEntries(values.filter(([channel]) => Object.hasOwn(channel_versions, channel)));
}

function ordered(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(
          Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : each,
  );
}

function threadOf({ config }: CheckpointTuple): string {
  return String(config.configurable?.["thread_id"]);
}

function idOf({ checkpoint }: CheckpointTuple): string {
  return checkpoint.id;
}
