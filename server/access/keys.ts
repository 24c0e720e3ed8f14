import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Selectable } from "kysely";
import { UnknownName } from "../../common/errors.js";
import type { ServerStore, ServerTables } from "../schema.js";
import { type Scope, SCOPES } from "./caller.js";
import { ownerOfKeys } from "./owners.js";

/** Lets people and secret scanners recognise a key's secret. */
const SECRET_PREFIX = "tulipkey_";

/** Nobody guesses 256 bits, so a fast hash protects the secret as well as a slow one. */
const SECRET_BYTES = 32;

const ID_PREFIX = "key_";

/** Bytes of a key's id, which is not a secret. */
const ID_BYTES = 5;

/** How often the last use of a key is recorded (ms): not for each request. */
const USE_PERIOD_MS = 60_000;

/** A key without its secret; times are milliseconds since 1970. */
export type ServerKey = ReturnType<typeof keyOf>;

interface WantedKey {
  scopes: readonly Scope[];
  /** The name of its owner among keys. @default the key's own id, so that it shares nothing with other keys */
  owner?: string;
  name?: string;
  /** How long it is valid. @default for ever */
  lifetimeMs?: number;
}

/** The keys of a server. */
export type Keys = ReturnType<typeof openKeys>;

/**
 * The keys in a server's database.
 *
 * @example
 * const { secret } = await openKeys(data).create({ scopes: ["run", "read"], owner: "billing" });
 */
export function openKeys(data: ServerStore) {
  let wereMade = false;
  const first = data.db.selectFrom("keys").select("key_id").limit(1);
  return {
    /** Makes a key. Its secret is returned here and kept nowhere. */
    create: (wanted: WantedKey) => createKey(data, wanted),
    /** All keys, newest first, including expired and revoked ones. */
    list: async () => {
      const now = await data.now();
      const all = data.db.selectFrom("keys").selectAll().orderBy("created_at", "desc");
      return (await all.orderBy("key_id").execute()).map((row) => keyOf(row, now));
    },
    /** @throws UnknownName if there is no such key */
    revoke: (id: string) => revokeKey(data, id),
    /** The valid key with this secret. */
    find: (secret: string) => findKey(data, hashOf(secret)),
    /** Whether a key was ever made: revoking the last one does not open a server to everybody. */
    exist: async () => (wereMade ||= (await first.executeTakeFirst()) !== undefined),
  };
}

/** Whether a text looks like a secret; if not, there is no need to ask the database. */
export function isSecret(text: string): boolean {
  return text.startsWith(SECRET_PREFIX);
}

/** Whether the id of a caller is that of a key. */
export function isKeyId(caller: string): boolean {
  return caller.startsWith(ID_PREFIX);
}

async function createKey(data: ServerStore, wanted: WantedKey) {
  const id = `${ID_PREFIX}${randomBytes(ID_BYTES).toString("hex")}`;
  const { scopes, name = "", owner = id, lifetimeMs } = wanted;
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
  const now = await data.now();
  const row = {
    key_id: id,
    hash: hashOf(secret),
    name,
    owner: ownerOfKeys(owner),
    scopes: JSON.stringify(SCOPES.filter((scope) => scopes.includes(scope))),
    created_at: Math.round(now),
    expires_at: lifetimeMs === undefined ? null : Math.round(now + lifetimeMs),
    revoked_at: null,
    last_used_at: null,
  };
  await data.db.insertInto("keys").values(row).execute();
  return { secret, key: keyOf(row, now) };
}

async function revokeKey(data: ServerStore, id: string): Promise<ServerKey> {
  const now = Math.round(await data.now());
  const revoked = data.db.updateTable("keys").set({ revoked_at: now }).where("key_id", "=", id);
  await revoked.where("revoked_at", "is", null).execute();
  const found = data.db.selectFrom("keys").selectAll().where("key_id", "=", id);
  const row = await found.executeTakeFirst();
  if (row) return keyOf(row, now);
  const known = await data.db.selectFrom("keys").select("key_id").execute();
  throw new UnknownName({ kind: "key", wanted: id, available: known.map((key) => key.key_id) });
}

async function findKey(data: ServerStore, hash: string): Promise<ServerKey | undefined> {
  const found = data.db.selectFrom("keys").selectAll().where("hash", "=", hash);
  const row = await found.executeTakeFirst();
  if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) return undefined;
  const now = Math.round(await data.now());
  const key = keyOf(row, now);
  if (key.state !== "valid") return undefined;
  if (now - (row.last_used_at ?? 0) >= USE_PERIOD_MS) {
    const used = data.db.updateTable("keys").set({ last_used_at: now });
    await used.where("key_id", "=", key.id).execute();
  }
  return key;
}

function keyOf(row: Selectable<ServerTables["keys"]>, now: number) {
  const { expires_at: expiresAt, revoked_at: revokedAt } = row;
  const isExpired = expiresAt !== null && expiresAt <= now;
  const given: unknown = JSON.parse(row.scopes);
  return {
    id: row.key_id,
    name: row.name,
    /** Whose data it sees. */
    owner: row.owner,
    scopes: SCOPES.filter((scope) => Array.isArray(given) && given.includes(scope)),
    state: revokedAt !== null ? "revoked" : isExpired ? "expired" : "valid",
    createdAt: row.created_at,
    expiresAt,
    revokedAt,
    /** To the minute. */
    lastUsedAt: row.last_used_at,
  };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
