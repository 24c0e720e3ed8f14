import type { WaitingRun } from "../../console/runRoutes.js";
import { get, post } from "../parts/api.js";
import { useMay } from "../parts/caller.js";
import { type Live, useLive } from "../parts/useLive.js";

/** How often it is looked at (ms). */
const EVERY_MS = 4000;

/** A thread that waits, as the API returns it. */
export interface WaitingThread {
  thread_id: string;
  updated_at: string;
  metadata: { graph_id?: string };
  values: { run?: { request?: unknown } } | null;
}

/** All that waits for a person. */
interface Waiting {
  threads: WaitingThread[];
  runs: WaitingRun[];
}

/** What waits in threads, and for a budget; nothing for a key that may not read. */
export function useWaiting(): Live<Waiting> {
  const mayRead = useMay("read");
  return useLive(`waiting ${mayRead}`, () => whatWaits(mayRead), EVERY_MS);
}

async function whatWaits(mayRead: boolean): Promise<Waiting> {
  if (!mayRead) return { threads: [], runs: [] };
  const wanted = { status: "interrupted", limit: 50, sort_by: "updated_at", sort_order: "asc" };
  const [threads, runs] = await Promise.all([
    post<WaitingThread[]>("/threads/search", wanted),
    get<WaitingRun[]>("/console/waiting"),
  ]);
  return { threads, runs };
}
