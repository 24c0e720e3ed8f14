import { get, post } from "../parts/api.js";
import type { WaitingRun } from "../../console/runRoutes.js";

/** A thread that waits, as the API returns it. */
export interface WaitingThread {
  thread_id: string;
  updated_at: string;
  metadata: { graph_id?: string };
  values: { run?: { request?: unknown } } | null;
}

/** All that waits for a person. */
export interface Waiting {
  threads: WaitingThread[];
  runs: WaitingRun[];
}

const NOTHING: Waiting = { threads: [], runs: [] };

/** Names what is loaded, so that the count and the queue share their form. */
export function waitingKey(mayRead: boolean): string {
  return `waiting ${mayRead}`;
}

export async function whatWaits(mayRead: boolean): Promise<Waiting> {
  if (!mayRead) return NOTHING;
  const [threads, runs] = await Promise.all([
    post<WaitingThread[]>("/threads/search", {
      status: "interrupted",
      limit: 50,
      sort_by: "updated_at",
      sort_order: "asc",
    }),
    get<WaitingRun[]>("/console/waiting"),
  ]);
  return { threads, runs };
}
