import { useEffect } from "react";
import type { ShownRun, WatchedRun } from "../routes/watchedRun.js";
import { isOpen } from "../parts/RunBadge.js";
import { get } from "../parts/api.js";
import { type Live, useLive } from "../parts/useLive.js";

/** How often a run at work is looked at, besides the events of its stream (ms). */
const WATCH_MS = 1000;

/** A request as it stands: its last run, with the visits of all its runs. */
export function useWatchedTurn(
  runs: readonly Pick<ShownRun, "runId" | "status">[],
): Live<WatchedRun> {
  const ids = runs.map(({ runId }) => runId);
  const live = useLive(
    `turn ${ids[0]}`,
    () => watchedTurn(ids),
    (run) => (isOpen(run) ? WATCH_MS : 0),
  );
  const { reload } = live;
  const changed = JSON.stringify(runs.map(({ runId, status }) => [runId, status]));
  useEffect(() => reload(), [changed, reload]);
  return live;
}

async function watchedTurn(ids: readonly string[]): Promise<WatchedRun> {
  const all = await Promise.all(
    ids.map((id) => get<WatchedRun>(`/console/runs/${encodeURIComponent(id)}`)),
  );
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) throw new Error("There is no such run.");
  return { ...last, request: first.request, visits: all.flatMap(({ visits }) => visits) };
}
