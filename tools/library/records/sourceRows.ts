import type { Store } from "../../../storage/database.js";
import type { ConnectedSource, SourceRegistry } from "../../sources/connected.js";

/** The table of connected sources, beside the libraries. */
export interface SourceTables {
  sources: Pick<ConnectedSource, "name" | "kind"> & { settings: string; listed: string | null };
}

/** The connected sources of a home. */
export function sourceRegistry({ db }: Store<SourceTables>): SourceRegistry {
  const select = db.selectFrom("sources").selectAll();
  return {
    list: async () => (await select.orderBy("name").execute()).map(sourceOf),
    async get(name) {
      const found = await select.where("name", "=", name).executeTakeFirst();
      return found && sourceOf(found);
    },
    async put({ name, kind, settings, listed }) {
      const row = {
        kind,
        settings: JSON.stringify(settings),
        listed: listed === undefined ? null : JSON.stringify(listed),
      };
      await db
        .insertInto("sources")
        .values({ name, ...row })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
        .execute();
    },
    async remove(name) {
      await db.deleteFrom("sources").where("name", "=", name).execute();
    },
  };
}

function sourceOf({ name, kind, settings, listed }: SourceTables["sources"]): ConnectedSource {
  return {
    name,
    kind,
    settings: JSON.parse(settings),
    ...(listed !== null && { listed: JSON.parse(listed) }),
  };
}
