import type { DataPlace } from "../storage/database.js";

/** How a server runs. */
export interface ServerSettings {
  place: DataPlace;
  /** @default "127.0.0.1" */
  host: string;
  /** 0: any that is free. @default 8123 */
  port: number;
  /** Runs that this process works on at once. @default 8 */
  concurrency: number;
  /** How long a process that died keeps its runs, in seconds. @default 30 */
  leaseSeconds: number;
  /** The operator's file (access/policy.ts), if there is one. */
  policyFile?: string;
}
