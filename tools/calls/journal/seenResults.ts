import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { mergedShape, shapeChanges, shapeOf } from "../../../common/schemas/seenShape.js";
import type { Store } from "../../../storage/database.js";
import { StorageFailed } from "../../../storage/sqlite/sqlite.js";
import { persistently } from "../../../storage/postgres/unavailable.js";
import type { ToolRecord } from "../../tool.js";
import type { RunTables } from "./journalSchema.js";

/** What a version of a tool has returned so far: only shapes, no values (`common/schemas/seenShape.ts`). */
export interface SeenResult {
  type: JsonSchema;
  /** In at least how many calls. */
  times: number;
  /** Since a moment (ISO), results lack what all before them had, or have another kind of value there. */
  drift?: { since: string; changes: string[]; before: JsonSchema };
}

/** The types of results as seen, for tools that declare none. All processes of a home share them. */
export type SeenResults = ReturnType<typeof openSeenResults>;

/** Results that are longer are not looked at, in characters. */
const LONGEST = 1_000_000;

/** After so many results, the next tells of a drift. */
const STEADY = 3;

export function openSeenResults(store: Store<RunTables>) {
  // What this process knows to be stored, and how often it has seen the same since.
  const known = new Map<string, { stored: SeenResult; since: number }>();
  return {
    /** Learns from the result of a call. It must not cost a call: a store that is away is learned from later. */
    async learn(call: Pick<ToolRecord, "id" | "hash"> & { args: unknown; json: string }) {
      const { id, hash, args, json } = call;
      if (json.length > LONGEST) return;
      const shape = shapeOf(JSON.parse(json), args);
      const last = known.get(hash);
      const times = (last?.since ?? 0) + 1;
      if (last && isPlainlyKnown(last.stored, shape) && times < last.stored.times) {
        last.since = times;
        return;
      }
      try {
        const stored = await store.transaction(async (db) => {
          const row = await db
            .selectFrom("results")
            .select("seen")
            .where("tool", "=", id)
            .where("hash", "=", hash)
            .$if(store.kind === "postgres", (locked) => locked.forUpdate())
            .executeTakeFirst();
          const seen = seenAfter(row && (JSON.parse(row.seen) as SeenResult), shape, times);
          const text = JSON.stringify(seen);
          await db
            .insertInto("results")
            .values({ tool: id, hash, seen: text })
            .onConflict((same) => same.columns(["tool", "hash"]).doUpdateSet({ seen: text }))
            .execute();
          return seen;
        });
        known.set(hash, { stored, since: 0 });
      } catch (error) {
        if (!(error instanceof StorageFailed)) throw error;
      }
    },
    /** By the hashes of the tools' definitions: a changed tool begins anew. */
    seenResults: (hashes: readonly string[]) =>
      persistently(store, async (): Promise<ReadonlyMap<string, SeenResult>> => {
        const seen = new Map<string, SeenResult>();
        for (let at = 0; at < hashes.length; at += AT_ONCE) {
          const rows = await store.db
            .selectFrom("results")
            .select(["hash", "seen"])
            .where("hash", "in", hashes.slice(at, at + AT_ONCE))
            .execute();
          for (const row of rows) seen.set(row.hash, JSON.parse(row.seen) as SeenResult);
        }
        return seen;
      }),
  };
}

/** Hashes in one query. */
const AT_ONCE = 500;

/** Nothing new is to be stored but the number. */
function isPlainlyKnown({ type, drift }: SeenResult, shape: JsonSchema): boolean {
  return !drift && JSON.stringify(mergedShape(type, shape)) === JSON.stringify(type);
}

function seenAfter(before: SeenResult | undefined, shape: JsonSchema, times: number): SeenResult {
  if (!before) return { type: shape, times };
  const steady = before.drift?.before ?? (before.times >= STEADY ? before.type : undefined);
  const changes = steady ? shapeChanges(steady, shape) : [];
  // A result that is as before shows that a part is only missing at times.
  const drift = steady && changes.length > 0;
  return {
    type: mergedShape(before.type, shape),
    times: before.times + times,
    ...(drift && {
      drift: {
        since: before.drift?.since ?? new Date().toISOString(),
        changes: changes.slice(0, MOST_CHANGES),
        before: steady,
      },
    }),
  };
}

const MOST_CHANGES = 5;
