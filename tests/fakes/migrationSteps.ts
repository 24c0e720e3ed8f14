import { createHash } from "node:crypto";
import { EXPERIENCE_STORE } from "../../memory/experience.js";
import { SERVER_MIGRATIONS } from "../../server/schema.js";
import { CHECKPOINT_MIGRATIONS } from "../../storage/checkpoints/checkpoints.js";
import type { StoreMigrations } from "../../storage/database.js";
import type { Migration } from "../../storage/migrate.js";
import { CONNECTION_MIGRATIONS } from "../../tools/sources/credentials/tables.js";
import { LIBRARY_STORE } from "../../tools/library/records/schema.js";
import { RUN_MIGRATIONS } from "../../tools/calls/journal/journalSchema.js";

/** The schemas of all stores of a home. */
export const STORES: Record<string, StoreMigrations> = {
  checkpoints: CHECKPOINT_MIGRATIONS,
  connections: CONNECTION_MIGRATIONS,
  libraries: LIBRARY_STORE,
  memory: EXPERIENCE_STORE,
  runs: RUN_MIGRATIONS,
  server: SERVER_MIGRATIONS,
};

/** Something that tells each step of each schema from any other, by store and kind of home. */
export function migrationSteps(): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(STORES).flatMap(([store, { sqlite, postgres }]) => [
      [`${store} in files`, sqlite.map(markOf)],
      [`${store} in Postgres`, postgres.map(markOf)],
    ]),
  );
}

/** Of a function only its name: what it does is seen in the kept homes. */
function markOf(step: Migration): string {
  if (typeof step === "function") return `function ${step.name}`;
  const statements = step.map((text) => text.replaceAll(/\s+/g, " ").trim());
  return createHash("sha256").update(statements.join(";")).digest("hex").slice(0, 16);
}
