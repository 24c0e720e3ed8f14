import { EXPERIENCE_CACHES, EXPERIENCE_MIGRATIONS } from "../../memory/experienceMigrations.js";
import { InvalidSetting } from "../../common/errors.js";
import { CHECKPOINT_MIGRATIONS } from "../../storage/checkpoints.js";
import { databaseName } from "../../storage/away.js";
import type { DataPlace, StoreMigrations } from "../../storage/database.js";
import type { RowMigrations } from "../../storage/mirror/rowStore.js";
import { LIBRARY_MIGRATIONS } from "../../tools/library/schema.js";
import { RUN_MIGRATIONS } from "../../tools/runtime/journalSchema.js";
import type { Content } from "./contentHash.js";

/** A store of a place, with what is needed to migrate, compare and copy it. */
export type StoreForm =
  /** Rows read from a SQLite file, which mirrors Postgres if there is a database. */
  | { name: string; kind: "rows"; migrations: RowMigrations; caches?: readonly string[] }
  /** The same tables in SQLite and Postgres. */
  | { name: string; kind: "tables"; migrations: StoreMigrations }
  /** The list of threads, and checkpoints in tables that each saver creates for itself. */
  | { name: string; kind: "checkpoints"; migrations: StoreMigrations };

/** All stores, in the order in which they are copied. */
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

/** Copies one store. Deletes what the target has if it may; otherwise a target that is not empty is an error. */
export type CopyStore<Form extends StoreForm = StoreForm> = (options: {
  form: Form;
  from: DataPlace;
  to: DataPlace;
  replace: boolean;
}) => Promise<{ table: string; source: Content; target: Content }[]>;

export function notEmpty(to: DataPlace, store: string): InvalidSetting {
  return new InvalidSetting({
    setting: placeName(to),
    problem: `it has ${store} already`,
    hint: "Copy to an empty place, or delete what it has with --replace",
  });
}

/** The name of a place for messages; never with a password. */
export function placeName({ home, url }: DataPlace): string {
  return url === undefined ? home : databaseName(url);
}
