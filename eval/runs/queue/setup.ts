import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { InvalidSetting } from "../../../common/errors.js";
import { canonicalJson, sha256 } from "../../../tools/library/records/hash.js";
import { ownLibrary } from "../assembledLibraries.js";
import { openWorkspace } from "../../../nodes/workspace/workspace.js";
import { BENCHMARKS } from "../../benchmarks/index.js";
import { copyDatabase } from "../../../storage/copyDatabase.js";
import { inTemporaryFolder } from "../../files.js";
import type { PreparedExperiment } from "../prepare.js";
import type { RunQueue } from "./openQueue.js";
import { makeFolder } from "../../../storage/makeFolder.js";

/** What a worker has to know and have to make the runs of an experiment. */
export interface QueueSetup {
  /** For messages. */
  benchmark: string;
  /** The benchmark that a worker must open itself, because its world or tools are code or files. */
  opens?: { named: string; hash: string };
  /** The user's own library, which the worker must have; other libraries are carried. */
  own?: string;
  libraries: { name: string; embeddings: string; hash: string }[];
  /** The settings of each variant, for their models. */
  settings: Record<string, unknown>[];
  /** How long a silent worker keeps its runs. */
  leaseSeconds: number;
}

/** Describes an experiment for workers. Its libraries have to be in the current home. */
export async function setupOf(options: {
  prepared: PreparedExperiment;
  libraries: readonly { library: string; embeddings: string }[];
  leaseSeconds: number;
}): Promise<QueueSetup> {
  const { prepared, libraries, leaseSeconds } = options;
  const { benchmark, definition, named } = prepared;
  const ships = named !== undefined && Object.hasOwn(BENCHMARKS, named);
  const isOpened = ships || benchmark.ownWorlds !== undefined;
  if (isOpened && named === undefined) {
    throw new InvalidSetting({
      setting: "--queue",
      problem: `the benchmark ${benchmark.name} has no name by which a worker could open it`,
      hint: "leave --queue out",
    });
  }
  return {
    benchmark: benchmark.name,
    ...(isOpened && named !== undefined ? { opens: { named, hash: benchmark.hash } } : {}),
    ...(benchmark.library === undefined ? {} : { own: benchmark.library }),
    libraries: await Promise.all(
      libraries.map(async ({ library: name, embeddings }) => ({
        name,
        embeddings,
        hash: await libraryHash({ name, embeddings }),
      })),
    ),
    settings: definition.variants.map(({ settings }) => ({ ...definition.settings, ...settings })),
    leaseSeconds,
  };
}

/**
 * Hash of all tools that a library in the current home has now.
 *
 * @throws UnknownName
 */
export async function libraryHash(library: { name: string; embeddings: string }): Promise<string> {
  const { store } = openWorkspace();
  const { library: opened } = await ownLibrary({ store, ...library });
  return sha256(canonicalJson(opened.list().map(({ id, hash }) => [id, hash])));
}

/** The data that the runs of an experiment need: libraries with their vectors, and past calls. */
const CARRIED = ["libraries.db", "memory.db"];

/** Bytes per database row. */
const PART = 4 * 1024 * 1024;

/** Puts a snapshot of a home's data into the queue. */
export async function carryFiles(queue: RunQueue, session: string, home: string): Promise<void> {
  await inTemporaryFolder("carried", async (folder) => {
    for (const name of CARRIED) {
      const file = join(home, name);
      if (!existsSync(file)) continue;
      // Others may be writing to the original.
      const copy = join(folder, name);
      copyDatabase({ from: file, to: copy });
      await eachPart(copy, async (bytes, part) => {
        const row = { session, name, part, bytes };
        await queue.store.db.insertInto("files").values(row).execute();
      });
    }
  });
}

/** Writes the carried data into a home. */
export async function unpackFiles(queue: RunQueue, session: string, home: string): Promise<void> {
  const { db } = queue.store;
  makeFolder(home);
  const names = db.selectFrom("files").select("name").distinct().where("session", "=", session);
  for (const { name } of await names.execute()) {
    const parts = db
      .selectFrom("files")
      .select("bytes")
      .where("session", "=", session)
      .where("name", "=", name);
    const file = await open(join(home, name), "wx", 0o600);
    try {
      for (let part = 0; ; part += 1) {
        const row = await parts.where("part", "=", part).executeTakeFirst();
        if (row === undefined) break;
        await file.write(row.bytes);
      }
    } finally {
      await file.close();
    }
  }
}

async function eachPart(
  name: string,
  take: (bytes: Buffer, part: number) => Promise<void>,
): Promise<void> {
  const file = await open(name);
  try {
    const buffer = Buffer.alloc(PART);
    for (let part = 0; ; part += 1) {
      const { bytesRead } = await file.read(buffer, 0, PART, part * PART);
      if (bytesRead === 0) return;
      await take(buffer.subarray(0, bytesRead), part);
    }
  } finally {
    await file.close();
  }
}
