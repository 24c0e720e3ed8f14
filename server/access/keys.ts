import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Selectable } from "kysely";
import { UnknownName } from "../../common/errors.js";
import type { Store } from "../../storage/database.js";
import type { ServerTables } from "../schema.js";
import { type Scope, SCOPES } from "./caller.js";

/** What a key's secret begins with, so that people and programs that look for secrets recognise one. */
export const SECRET_PREFIX = "tulipkey_";

/** Bytes of a secret: nobody guesses 256 bits, so that a plain hash keeps it as well as a slow one. */
const SECRET_BYTES = 32;

/** Bytes of a key's id, which is no secret. */
const ID_BYTES = 5;

/** How long a process goes by what it has read of a key (ms): a key that is revoked ends so much later. */
const TRUST_MS = 1000;

/** Keys that a process remembers at once. */
const MOST_REMEMBERED = 1000;

/** How exactly the last use of a key is noted (ms): a write for each request would be one too many. */
const USE_PERIOD_MS = 60_000;

/** A key as it may be shown; times are milliseconds since 1970. */
export interface ServerKey {
  id: string;
  name: string;
  /** Whose data it sees. */
  owner: string;
  scopes: Scope[];
  state: "valid" | "expired" | "revoked";
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** To the minute. */
  lastUsedAt: number | null;
}

/** The keys of a server. */
export interface Keys {
  /**
   * Makes a key. Its secret is returned here and kept nowhere.
   *
   * @param options.owner whose data it sees; its own id when absent, so that it shares nothing with other keys
   * @param options.lifetimeMs how long it is valid; for ever when absent
   */
  create: (options: {
    scopes: readonly Scope[];
    owner?: string;
    name?: string;
    lifetimeMs?: number;
  }) => Promise<{ secret: string; key: ServerKey }>;
  /** All keys, newest first, with those that are valid no more. */
  list: () => Promise<ServerKey[]>;
  /** @throws UnknownName when there is no such key */
  revoke: (id: string) => Promise<ServerKey>;
  /** The valid key with a secret. */
  find: (secret: string) => Promise<ServerKey | undefined>;
  /** Whether a key was ever made: a server whose last key is revoked does not open to everybody. */
  exist: () => Promise<boolean>;
}

/**
 * The keys in a server's database, which all of its processes share.
 *
 * @example
 * const { secret } = await openKeys(data).create({ scopes: ["run", "read"], owner: "billing" });
 */
export function openKeys(data: Store<ServerTables>): Keys {
  const found = remembered((hash: string) => findKey({ data, hash }));
  const any = remembered(async () => (await hasKeys(data)) || undefined);
  return {
    create: (options) => createKey({ ...options, data }),
    list: async () => {
      const now = await data.now();
      const rows = await data.db
        .selectFrom("keys")
        .selectAll()
        .orderBy("created_at", "desc")
        .orderBy("key_id")
        .execute();
      return rows.map((row) => keyOf(row, now));
    },
    revoke: (id) => revokeKey({ data, id }),
    find: (secret) => (isSecret(secret) ? found(hashOf(secret)) : Promise.resolve(undefined)),
    exist: async () => (await any("")) ?? false,
  };
}

/** Whether a text has the form of a secret, which spares a look into the database. */
export function isSecret(text: string): boolean {
  return text.startsWith(SECRET_PREFIX);
}

async function createKey(options: {
  data: Store<ServerTables>;
  scopes: readonly Scope[];
  owner?: string;
  name?: string;
  lifetimeMs?: number;
}): Promise<{ secret: string; key: ServerKey }> {
  const { data, scopes, name = "", lifetimeMs } = options;
  const id = `key_${randomBytes(ID_BYTES).toString("hex")}`;
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
  const now = await data.now();
  const row = {
    key_id: id,
    hash: hashOf(secret),
    name,
    owner: options.owner ?? id,
    scopes: JSON.stringify(SCOPES.filter((scope) => scopes.includes(scope))),
    created_at: Math.round(now),
    expires_at: lifetimeMs === undefined ? null : Math.round(now + lifetimeMs),
    revoked_at: null,
    last_used_at: null,
  };
  await data.db.insertInto("keys").values(row).execute();
  return { secret, key: keyOf(row, now) };
}

async function revokeKey({
  data,
  id,
}: {
  data: Store<ServerTables>;
  id: string;
}): Promise<ServerKey> {
  const now = Math.round(await data.now());
  await data.db
    .updateTable("keys")
    .set({ revoked_at: now })
    .where("key_id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
  const row = await data.db
    .selectFrom("keys")
    .selectAll()
    .where("key_id", "=", id)
    .executeTakeFirst();
  if (row) return keyOf(row, now);
  const known = await data.db.selectFrom("keys").select("key_id").execute();
  throw new UnknownName({ kind: "key", wanted: id, available: known.map((key) => key.key_id) });
}

async function findKey({
  data,
  hash,
}: {
  data: Store<ServerTables>;
  hash: string;
}): Promise<ServerKey | undefined> {
  const row = await data.db
    .selectFrom("keys")
    .selectAll()
    .where("hash", "=", hash)
    .executeTakeFirst();
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) return undefined;
  const now = Math.round(await data.now());
  const key = keyOf(row, now);
  if (key.state !== "valid") return undefined;
  if (now - (row.last_used_at ?? 0) >= USE_PERIOD_MS) {
    await data.db
      .updateTable("keys")
      .set({ last_used_at: now })
      .where("key_id", "=", key.id)
      .execute();
  }
  return key;
}

async function hasKeys({ db }: Store<ServerTables>): Promise<boolean> {
  return (await db.selectFrom("keys").select("key_id").limit(1).executeTakeFirst()) !== undefined;
}

function keyOf(row: Selectable<ServerTables["keys"]>, now: number): ServerKey {
  const { expires_at: expiresAt, revoked_at: revokedAt } = row;
  const isExpired = expiresAt !== null && expiresAt <= now;
  const given: unknown = JSON.parse(row.scopes);
  return {
    id: row.key_id,
    name: row.name,
    owner: row.owner,
    scopes: SCOPES.filter((scope) => Array.isArray(given) && given.includes(scope)),
    state: revokedAt !== null ? "revoked" : isExpired ? "expired" : "valid",
    createdAt: row.created_at,
    expiresAt,
    revokedAt,
    lastUsedAt: row.last_used_at,
  };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** What was found is gone by for a moment, and looked up once for all that ask meanwhile; nothing found is not kept. */
function remembered<Found>(
  look: (name: string) => Promise<Found | undefined>,
): (name: string) => Promise<Found | undefined> {
  const known = new Map<string, { since: number; found: Promise<Found | undefined> }>();
  return async (name) => {
    const before = known.get(name);
    if (before && performance.now() - before.since < TRUST_MS) return await before.found;
    const entry = { since: performance.now(), found: look(name) };
    known.delete(name);
    known.set(name, entry);
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    const forget = () => {
      if (known.get(name) === entry) known.delete(name);
    };
    try {
      const found = await entry.found;
      if (found === undefined) forget();
      return found;
    } catch (error) {
      forget();
      throw error;
    }
  };
}
