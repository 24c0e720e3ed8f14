import type { ConnectedSource, SourceRegistry } from "../sources/connected.js";
import type { Database } from "../../storage/sqlite.js";

/** The connected sources in `libraries.db`. */
export function sourceRegistry(connect: () => Database): SourceRegistry {
  return {
    list: () => (connect().prepare(`${SELECT} ORDER BY name`).all() as SourceRow[]).map(sourceOf),
    get(name) {
      const row = connect().prepare(`${SELECT} WHERE name = ?`).get(name) as SourceRow | undefined;
      return row && sourceOf(row);
    },
    put({ name, kind, settings, listed }) {
      const kept = listed === undefined ? null : JSON.stringify(listed);
      connect()
        .prepare(
          `INSERT INTO sources (name, kind, settings, listed) VALUES (?, ?, ?, ?)
           ON CONFLICT (name) DO UPDATE
           SET kind = excluded.kind, settings = excluded.settings, listed = excluded.listed`,
        )
        .run(name, kind, JSON.stringify(settings), kept);
    },
    remove(name) {
      connect().prepare("DELETE FROM sources WHERE name = ?").run(name);
    },
  };
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
