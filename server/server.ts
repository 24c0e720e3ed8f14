import type { ProjectExport, ProjectUi } from "../graphs/projects.js";
import type { DataPlace } from "../storage/database.js";
import type { Caller } from "./access/caller.js";

/** What Hono's context carries with a request. */
export interface Environment {
  Variables: {
    caller: Caller;
    /** The token that the caller was let in with; absent for a key. */
    token?: string;
    /** The body that a project's app has read, and may have changed; undefined if it has read none. */
    readBody?: () => Promise<unknown> | undefined;
    /** What a project's handler has changed in the query. */
    changedQuery?: Record<string, string>;
    /** Why the caller was not let in, in the words of the check: for the log alone. */
    refused?: string;
  };
}

/** The settings of a server process. */
export interface ServerSettings {
  place: DataPlace;
  host: string;
  /** 0: any free port. */
  port: number;
  /** Runs that this process works on at once. */
  concurrency: number;
  /** How long a process that died keeps its runs, in seconds. */
  leaseSeconds: number;
  /** The operator's file (access/policy.ts), if there is one. */
  policyFile?: string;
  /** The app of a LangGraph.js project, whose routes are served besides. */
  app?: ProjectExport;
  /** The `Auth` of a LangGraph.js project, which identifies everybody who comes without a key. */
  auth?: ProjectExport;
  /** What a LangGraph.js project shows in chats. */
  ui?: ProjectUi;
}

export const DEFAULT_SETTINGS = {
  host: "127.0.0.1",
  port: 8123,
  concurrency: 8,
  leaseSeconds: 30,
} satisfies Partial<ServerSettings>;

/** Whether the database can be reached. */
export interface Availability {
  /** Asks now. */
  check: () => Promise<boolean>;
  /** When it was last asked. */
  isAway: () => boolean;
  /** The database for messages, without a password. */
  name: string;
}
