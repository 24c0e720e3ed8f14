import type { Selectable } from "kysely";
import type { OpenQuestion } from "../../graphs/openQuestions.js";
import type { Grantee } from "../access/grants.js";
import { wasCalled } from "../access/owners.js";
import type { ServerStore, ServerTables, ServerTransaction } from "../schema.js";

export type RunRow = Selectable<ServerTables["runs"]>;

export type ThreadRow = Selectable<ServerTables["threads"]>;

/** The row of a run; undefined if there is none. */
export async function runRow({ db }: ServerStore, runId: string): Promise<RunRow | undefined> {
  return await db.selectFrom("runs").selectAll().where("run_id", "=", runId).executeTakeFirst();
}

/** The row of a thread; undefined if there is none. */
export async function threadRow({ db }: ServerStore, id: string): Promise<ThreadRow | undefined> {
  return await db.selectFrom("threads").selectAll().where("thread_id", "=", id).executeTakeFirst();
}

/** What happens if a run is started while another one of its thread is open. */
export const MULTITASK_STRATEGIES = ["reject", "rollback", "interrupt", "enqueue"] as const;

export type MultitaskStrategy = (typeof MULTITASK_STRATEGIES)[number];

/** How a run is ended from outside. `rollback` also undoes what it has saved. */
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

/** Goes on with a thread otherwise than with an input. */
export interface RunCommand {
  resume?: unknown;
  update?: Record<string, unknown> | [string, unknown][];
  goto?: Destination | Destination[];
}

type Destination = string | { node: string; input?: unknown };

/** What a run is to do, as its row keeps it (`kwargs`). */
export interface RunOrder {
  /** The owner who asked for it. The run itself belongs to the owner of its thread, as all that is on a thread. */
  actor: string;
  /** Who was granted what it finds and calls: whoever began it, also if somebody else has approved something since. */
  grantee?: Grantee;
  graph_id: string;
  input?: unknown;
  command?: RunCommand;
  config: {
    tags?: string[];
    recursion_limit?: number;
    max_concurrency?: number;
    run_name?: string;
    configurable: Record<string, unknown>;
  };
  context: Record<string, unknown>;
  checkpoint?: { checkpoint_id: string };
  /** The questions that were open when a decision was sent: it answers no others. */
  asked?: OpenQuestion[];
  /** Tokens that were set aside for it. */
  tokens?: number;
  /** The W3C header of the request that started it, whose trace the run continues. */
  traceparent?: string;
  stream_mode: StreamMode[];
  subgraphs: boolean;
  /** All events of its stream are kept, not only its result. */
  is_streamed: boolean;
  /** Its events are those of LangGraph's streaming protocol (protocolParts.ts). */
  is_protocol?: boolean;
  /** Where its end is told: an address, or a path of the project's own app. */
  webhook?: string;
  interrupt_before?: string[] | "*";
  interrupt_after?: string[] | "*";
}

/** The owner who asked for a run. One from before owners told keys and tokens apart has the mere name. */
export function actorOf(run: Pick<RunRow, "kwargs" | "owner">): string {
  const { actor } = orderOf(run);
  return wasCalled(run.owner, actor) ? run.owner : actor;
}

export function orderOf({ kwargs }: Pick<RunRow, "kwargs">): RunOrder {
  return JSON.parse(kwargs) as RunOrder;
}

/** Runs that are queued or under way. */
export function openRuns(db: ServerTransaction) {
  return db.selectFrom("runs").where("status", "in", ["pending", "running"]);
}

export function isOpen({ status }: Pick<RunRow, "status">): boolean {
  return status === "pending" || status === "running";
}
