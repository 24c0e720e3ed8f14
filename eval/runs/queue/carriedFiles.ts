import { existsSync, mkdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { copyDatabase } from "../../../storage/copyDatabase.js";
import { inTemporaryFolder } from "../../files.js";
import type { RunQueue } from "./openQueue.js";

/** The data that the runs of an experiment need: libraries with their vectors, and past calls. */
const CARRIED = ["libraries.db", "memory.db"];

/** Bytes per database row. */
const PART = 4 * 1024 * 1024;

/** Puts a snapshot of a home's data into the queue. */
export async function carryFiles(options: {
  queue: RunQueue;
  session: string;
  home: string;
}): Promise<void> {
  const { queue, session, home } = options;
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
export async function unpackFiles(options: {
  queue: RunQueue;
  session: string;
  home: string;
}): Promise<void> {
  const { queue, session, home } = options;
  const { db } = queue.store;
  mkdirSync(home, { recursive: true });
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
