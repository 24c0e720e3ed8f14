import { EXPERIENCE_CACHES, EXPERIENCE_MIGRATIONS } from "../../memory/experienceMigrations.js";
import { CHECKPOINT_MIGRATIONS } from "../../storage/checkpoints.js";
import { databaseName } from "../../storage/away.js";
import type { DataPlace, StoreMigrations } from "../../storage/database.js";
import type { RowMigrations } from "../../storage/mirror/rowStore.js";
import { LIBRARY_MIGRATIONS } from "../../tools/library/schema.js";
import { RUN_MIGRATIONS } from "../../tools/runtime/journalSchema.js";

/** A store of a place, and what is to be known of it to migrate, compare and copy it. */
export type StoreForm =
  /** Rows with a mirror. */
  | { name: string; kind: "rows"; migrations: RowMigrations; caches?: readonly string[] }
  /** Tables that both databases have. */
  | { name: string; kind: "tables"; migrations: StoreMigrations }
  /** The list of threads, and checkpoints in tables that each saver makes for itself. */
  | { name: string; kind: "checkpoints"; migrations: StoreMigrations };

/** The stores of every place, in the order in which they are copied. */
export const STORES: readonly StoreForm[] = [
  { name: "libraries", kind: "rows", migrations: LIBRARY_MIGRATIONS },
  {
    name: "memory",
    kind: "rows",
    migrations: EXPERIENCE_MIGRATIONS,
    caches: EXPERIENCE_CACHES,
  },
  { name: "runs", kind: "tables", migrations: RUN_MIGRATIONS },
  { name: "checkpoints", kind: "checkpoints", migrations: CHECKPOINT_MIGRATIONS },
];

/** A database's place as it is shown; never with a password. */
export function placeName({ home, url }: DataPlace): string {
  return url === undefined ? home : databaseName(url);
}
