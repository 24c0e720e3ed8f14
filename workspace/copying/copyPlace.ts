import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InvalidSetting } from "../../common/errors.js";
import type { DataPlace } from "../../storage/database.js";
import { StorageFailed } from "../../storage/sqlite.js";
import { copyCheckpoints } from "./copyCheckpoints.js";
import { copyRows } from "./copyRows.js";
import { copyTables } from "./copyTables.js";
import { placeStatus } from "./placeStatus.js";
import { type CopyStore, type StoreForm, placeName } from "./stores.js";

/** What was copied of a store; both places now hold the same rows. */
export interface CopiedStore {
  store: string;
  /** Rows by table. */
  tables: Record<string, number>;
  /** SHA-256 of all rows. */
  hash: string;
}

/**
 * Copies all stores of a place to another one, and compares both afterwards. Nothing else should use either place
 * meanwhile.
 *
 * @param options.replace deletes what the target has; without it, a target that is not empty is refused
 * @throws InvalidSetting when the target is not empty, or there is nothing to copy
 * @throws StorageFailed when the copy differs from the source
 */
export async function copyPlace(options: {
  stores: readonly StoreForm[];
  from: DataPlace;
  to: DataPlace;
  replace?: boolean;
}): Promise<CopiedStore[]> {
  const { stores, replace = false } = options;
  await requireData(options);
  return await withScratch(options, async ({ from, to }) => {
    const copied: CopiedStore[] = [];
    for (const form of stores) {
      const tables = await copyStore({ form, from, to, replace });
      for (const { table, source, target } of tables) {
        if (source.count === target.count && source.hash === target.hash) continue;
        throw new StorageFailed({
          file: placeName(to),
          problem: `${form.name}.${table} differs from its source (${target.count} rows instead of ${source.count})`,
          hint: "Copy again while nothing else works with either place",
        });
      }
      copied.push({
        store: form.name,
        tables: Object.fromEntries(tables.map(({ table, source }) => [table, source.count])),
        hash: tables.map(({ source }) => source.hash).join(" "),
      });
    }
    return copied;
  });
}

/** Without this check, a misspelt source would empty the target. */
async function requireData(options: {
  stores: readonly StoreForm[];
  from: DataPlace;
}): Promise<void> {
  const { stores, from } = options;
  const found = await placeStatus({ stores, place: from });
  if (found.some(({ version }) => version > 0)) return;
  throw new InvalidSetting({
    setting: placeName(from),
    problem: "there are no data to copy",
    hint: "Name a home folder, or a database that tulipgraph has used: postgres://HOST:PORT/NAME",
  });
}

const copyStore: CopyStore = ({ form, ...options }) => {
  if (form.kind === "rows") return copyRows({ form, ...options });
  if (form.kind === "tables") return copyTables({ form, ...options });
  return copyCheckpoints({ form, ...options });
};

/** Mirrors databases in a temporary folder, deleted afterwards. */
async function withScratch<Result>(
  { from, to }: { from: DataPlace; to: DataPlace },
  work: (places: { from: DataPlace; to: DataPlace }) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-copy-"));
  const scratch = (place: DataPlace, name: string): DataPlace =>
    place.url === undefined ? place : { home: join(folder, name), url: place.url };
  try {
    return await work({ from: scratch(from, "from"), to: scratch(to, "to") });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
