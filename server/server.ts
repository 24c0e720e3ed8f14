import type { Store } from "../storage/database.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Availability } from "./api/availability.js";
import type { Runs } from "./runs/runs.js";
import type { Access } from "./access/access.js";
import type { Caller } from "./access/caller.js";
import type { ServerSettings } from "./settings.js";
import type { ServerTables } from "./schema.js";
import type { Telemetry } from "./telemetry/telemetry.js";

/** What the parts of a server work with. */
export interface Server {
  settings: ServerSettings;
  workspace: Workspace;
  data: Store<ServerTables>;
  access: Access;
  telemetry: Telemetry;
  /** Whether the database is there. */
  database: Availability;
  runs: Runs;
}

/** What a request carries on its way through the server's handlers. */
export interface Environment {
  Variables: { caller: Caller };
}
