import type { ConnectedSource, SourceRegistry } from "../sources/connected.js";
import type { RowStore } from "../../storage/mirror/rowStore.js";
import type { Database } from "../../storage/sqlite.js";

/** The connected sources, as rows in `libraries.db`. */
export function sourceRegistry({
  read,
  write,
}: {
  read: () => Promise<Database>;
  write: RowStore["write"];
}): SourceRegistry {
  return {
    async list() {
      const rows = (await read()).prepare(`${SELECT} ORDER BY name`).all() as SourceRow[];
      return rows.map(sourceOf);
    },
    async get(name) {
      const found = (await read()).prepare(`${SELECT} WHERE name = ?`).get(name);
      return found === undefined ? undefined : sourceOf(found as SourceRow);
    },
    async put(source) {
      await write((database) => putSource(database, source));
    },
    async remove(name) {
      await write((database) => database.prepare("DELETE FROM sources WHERE name = ?").run(name));
    },
  };
}

function putSource(database: Database, { name, kind, settings, listed }: ConnectedSource): void {
  const kept = listed === undefined ? null : JSON.stringify(listed);
  database
    .prepare(
      `INSERT INTO sources (name, kind, settings, listed) VALUES (?, ?, ?, ?)
           ON CONFLICT (name) DO UPDATE
           SET kind = excluded.kind, settings = excluded.settings, listed = excluded.listed`,
    )
    .run(name, kind, JSON.stringify(settings), kept);
}

const SELECT = "SELECT name, kind, settings, listed FROM sources";

type SourceRow = Pick<ConnectedSource, "name" | "kind"> & {
  settings: string;
  listed: string | null;
};

function sourceOf({ name, kind, settings, listed }: SourceRow): ConnectedSource {
  return {
    name,
    kind,
    settings: JSON.parse(settings),
    ...(listed !== null && { listed: JSON.parse(listed) }),
  };
}
