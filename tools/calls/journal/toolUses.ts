import type { Store } from "../../../storage/database.js";
import { sql } from "../../../storage/kysely.js";
import { persistently } from "../../../storage/postgres/unavailable.js";
import type { RunTables } from "./journalSchema.js";

/** Which tools are called how often, for prompts that cannot tell all. */
export type ToolUses = ReturnType<typeof openToolUses>;

const DAY_MS = 86_400_000;

/** Older calls do not count. */
const LATEST = 20_000;

export function openToolUses(store: Store<RunTables>) {
  let kept: { until: number; uses: Promise<ReadonlyMap<string, number>> } | undefined;
  const usesUntil = async (until: number) => {
    const latest = store.db
      .selectFrom("calls")
      .select("tool")
      .where("started_at", "<", until)
      .where("status", "=", "done")
      .orderBy("id", "desc")
      .limit(LATEST);
    const rows = await store.db
      .selectFrom(latest.as("latest"))
      .select(["tool", sql<number>`cast(count(*) as double precision)`.as("times")])
      .groupBy("tool")
      .orderBy("times", "desc")
      .orderBy("tool")
      .execute();
    return new Map(rows.map(({ tool, times }) => [tool, times]));
  };
  return {
    /**
     * The tools that were called with success, by their ids, with the numbers of these calls; the most called first. Calls
     * count from the next day (UTC) on, so that all processes tell all prompts of a day the same, which keeps their
     * beginning in the provider's cache.
     */
    async toolUses() {
      const until = Math.floor(Date.now() / DAY_MS) * DAY_MS;
      if (kept?.until !== until) {
        const uses = persistently(store, () => usesUntil(until));
        uses.catch(() => (kept = undefined));
        kept = { until, uses };
      }
      return await kept.uses;
    },
  };
}
