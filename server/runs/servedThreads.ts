import { existsSync } from "node:fs";
import { join } from "node:path";
import { type DataPlace, openStore } from "../../storage/database.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../schema.js";
import { orderOf } from "./runRow.js";

interface ServedRun {
  graph: string;
  settings: Record<string, unknown>;
}

/** The runs of each thread of a home's server, by id, oldest first; none if the home was never served. */
export async function servedThreads(place: DataPlace) {
  const threads = new Map<string, Map<string, ServedRun>>();
  // Opening it would make it.
  if (place.url === undefined && !existsSync(join(place.home, "server.db"))) return threads;
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  const rows = data.db.selectFrom("runs").select(["run_id", "thread_id", "kwargs"]);
  try {
    for (const { run_id, thread_id, kwargs } of await rows.orderBy("created_at").execute()) {
      const { graph_id: graph, context: settings } = orderOf({ kwargs });
      const runs = threads.get(thread_id) ?? new Map<string, ServedRun>();
      threads.set(thread_id, runs.set(run_id, { graph, settings }));
    }
  } finally {
    await data.close();
  }
  return threads;
}
