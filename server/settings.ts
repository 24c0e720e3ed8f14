import type { DataPlace } from "../storage/database.js";

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
}
export const DEFAULT_SETTINGS = {
  host: "127.0.0.1",
  port: 8123,
  concurrency: 8,
  leaseSeconds: 30,
} satisfies Partial<ServerSettings>;
