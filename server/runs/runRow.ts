import type { Selectable } from "kysely";
import type { ServerTables } from "../schema.js";

export type RunRow = Selectable<ServerTables["runs"]>;

export type ThreadRow = Selectable<ServerTables["threads"]>;

/** What a run does when another one of its thread has not ended. */
export const MULTITASK_STRATEGIES = ["reject", "rollback", "interrupt", "enqueue"] as const;

export type MultitaskStrategy = (typeof MULTITASK_STRATEGIES)[number];

/** How a run is ended from outside. `rollback` also takes back what it has saved. */
export const CANCEL_ACTIONS = ["interrupt", "rollback"] as const;

export type CancelAction = (typeof CANCEL_ACTIONS)[number];

export const RUN_STATUSES = [
  "pending",
  "running",
  "success",
  "error",
  "timeout",
  "interrupted",
] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

/** The ways to stream a run that clients may ask for. */
export const STREAM_MODES = [
  "values",
  "updates",
  "messages",
  "messages-tuple",
  "custom",
  "events",
  "debug",
  "checkpoints",
  "tasks",
] as const;

export type StreamMode = (typeof STREAM_MODES)[number];

/** Goes on with a thread in another way than by an input. */
export interface RunCommand {
  resume?: unknown;
  update?: Record<string, unknown> | [string, unknown][];
  goto?: Destination | Destination[];
}

type Destination = string | { node: string; input?: unknown };

/** What a run does, as its row keeps it (`kwargs`). */
export interface RunOrder {
  graph_id: string;
  input?: unknown;
  command?: RunCommand;
  config: {
    tags?: string[];
    recursion_limit?: number;
    configurable: Record<string, unknown>;
  };
  context: Record<string, unknown>;
  checkpoint?: { checkpoint_id?: string; checkpoint_ns?: string; checkpoint_map?: unknown };
  /** W3C's header of the request that asked for it: its trace goes on in the run. */
  traceparent?: string;
  stream_mode: StreamMode[];
  subgraphs: boolean;
  /** All events of its streams are kept, not only its result. */
  is_streamed: boolean;
  interrupt_before?: string[] | "*";
  interrupt_after?: string[] | "*";
}

export function orderOf({ kwargs }: Pick<RunRow, "kwargs">): RunOrder {
  return JSON.parse(kwargs) as RunOrder;
}

export function isOpen({ status }: Pick<RunRow, "status">): boolean {
  return status === "pending" || status === "running";
}
