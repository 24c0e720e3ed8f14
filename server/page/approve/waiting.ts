import { post } from "../parts/api.js";

/** A thread that waits, as the API returns it. */
export interface WaitingThread {
  thread_id: string;
  updated_at: string;
  metadata: { graph_id?: string };
  values: { run?: { request?: unknown } } | null;
}

/** Names what is loaded, so that the count and the queue share their form. */
export function waitingKey(mayRead: boolean): string {
  return `waiting ${mayRead}`;
}

/** The threads that wait for a person, the oldest first. */
export async function whatWaits(mayRead: boolean): Promise<WaitingThread[]> {
  if (!mayRead) return [];
  return await post("/threads/search", {
    status: "interrupted",
    limit: 50,
    sort_by: "updated_at",
    sort_order: "asc",
  });
}
