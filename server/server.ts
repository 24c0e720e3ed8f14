import type { Workspace } from "../nodes/workspace/workspace.js";
import type { Availability } from "./api/availability.js";
import type { Runs } from "./runs/runs.js";
import type { Access } from "./access/access.js";
import type { Caller } from "./access/caller.js";
import type { ServerSettings } from "./settings.js";
import type { ServerStore } from "./schema.js";
import type { Telemetry } from "./telemetry/telemetry.js";

/** The parts of a server. */
export interface Server {
  settings: ServerSettings;
  workspace: Workspace;
  data: ServerStore;
  access: Access;
  telemetry: Telemetry;
  /** Whether the database can be reached. */
  database: Availability;
  runs: Runs;
}

/** What Hono's context carries with a request. */
export interface Environment {
  Variables: { caller: Caller };
}
