import type { ServerStore } from "../schema.js";
import { isKeyId } from "./keys.js";

/** How often it is looked whether a key has been revoked whose streams or runs are under way, in milliseconds. */
const LOOK_MS = 1_000;

/** Ends what is under way for a caller whose key is revoked, by whichever process. */
export type Revocations = ReturnType<typeof openRevocations>;

/**
 * Opens the revocations of a database. Keys that expire and tokens end nothing: what they had begun was allowed then, and
 * its end is limited by itself.
 */
export function openRevocations(data: ServerStore) {
  const watched = new Map<() => void, string>();
  let timer: NodeJS.Timeout | undefined;
  const revokedAmong = async (callers: readonly string[]): Promise<ReadonlySet<string>> => {
    const ofCallers = data.db.selectFrom("keys").select("key_id").where("key_id", "in", callers);
    const valid = await ofCallers.where("revoked_at", "is", null).execute();
    const known = new Set(valid.map(({ key_id }) => key_id));
    return new Set(callers.filter((caller) => !known.has(caller)));
  };
  const look = async () => {
    const revoked = await revokedAmong([...new Set(watched.values())]);
    for (const [onRevoked, caller] of watched) {
      if (!revoked.has(caller) || !watched.delete(onRevoked)) continue;
      onRevoked();
    }
  };
  const keepLooking = () => {
    if (timer !== undefined || watched.size === 0) return;
    const again = () => {
      timer = undefined;
      keepLooking();
    };
    // If the database is away, the next look catches up.
    timer = setTimeout(() => void look().then(again, again), LOOK_MS).unref();
  };
  return {
    /** Whether a caller's key is revoked, or deleted; never for other callers. */
    isRevoked: async (caller: string) =>
      isKeyId(caller) && (await revokedAmong([caller])).has(caller),
    /** Whether a caller may begin something new without being there: a key must be neither revoked nor expired. */
    mayBegin: async (caller: string) => {
      if (!isKeyId(caller)) return true;
      const now = await data.now();
      const valid = await data.db
        .selectFrom("keys")
        .select("key_id")
        .where("key_id", "=", caller)
        .where("revoked_at", "is", null)
        .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", now)]))
        .executeTakeFirst();
      return valid !== undefined;
    },
    /** Calls back once when the caller's key is revoked. @returns ends the watch */
    watch: (caller: string, onRevoked: () => void): (() => void) => {
      if (!isKeyId(caller)) return () => undefined;
      // Each watch is one of its own, even with the same function.
      const own = () => onRevoked();
      watched.set(own, caller);
      keepLooking();
      return () => void watched.delete(own);
    },
  };
}

/** What is said where a stream or a run ends with its key. */
export const KEY_REVOKED = {
  error: "KeyRevoked",
  message: "the key that started this has been revoked",
};
