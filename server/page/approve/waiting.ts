import { post } from "../parts/api.js";
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

/** The threads that wait for a person, the oldest first; none for a key that may not read. */
export function useWaiting(): Live<WaitingThread[]> {
  const mayRead = useMay("read");
  return useLive(`waiting ${mayRead}`, () => whatWaits(mayRead), EVERY_MS);
}

async function whatWaits(mayRead: boolean): Promise<WaitingThread[]> {
  if (!mayRead) return [];
  return await post("/threads/search", {
    status: "interrupted",
    limit: 50,
    sort_by: "updated_at",
    sort_order: "asc",
  });
}
