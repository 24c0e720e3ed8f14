import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { persistently } from "../../../storage/postgres/unavailable.js";
import { type DataPlace, openStore } from "../../../storage/database.js";
import type { Offers } from "../../library/libraryOfPerson.js";
import { sha256 } from "../../library/records/hash.js";
import type { Behalf, ConnectedListing, SourceRegistry } from "../../remote.js";
import { type MasterKey, masterKeys, opened, sealed, sealedAnew } from "./masterKeys.js";
import { CONNECTION_MIGRATIONS, type ConnectionKind, type ConnectionTables } from "./tables.js";

/** What is known of a connection without opening it. Times are milliseconds since 1970. */
export interface ConnectionInfo {
  /** Changes when it is made again. */
  id: string;
  owner: string;
  source: string;
  kind: ConnectionKind;
  /** Where its secret may be sent. */
  places: string[];
  /** Who its owner is there, if that is known. */
  account?: string;
  madeAt: number;
  expiresAt?: number;
  /** The source has not accepted it any more. */
  isRefused: boolean;
}

/** A connection with its secret: an object of texts, or what a login has brought. */
export interface Connection extends ConnectionInfo {
  secret: Record<string, unknown>;
}

type Secret = Pick<Connection, "secret"> & Partial<Pick<ConnectionInfo, "account" | "expiresAt">>;

export type NewConnection = Pick<ConnectionInfo, "owner" | "source" | "kind" | "places"> & Secret;

/** A login that waits for a browser to come back. */
interface PendingLogin {
  owner: string;
  source: string;
  /** What is needed to finish it. */
  begun: Record<string, unknown>;
}

/** The open connections of a home. */
export type ConnectionStore = ReturnType<typeof openConnections>;

/** What a home gives to whatever lists a source or calls its tools. */
export interface SourceStores {
  sources: SourceRegistry;
  /** Told what a source offers now, whenever a call has listed it again. */
  onListed?: (listed: ConnectedListing) => Promise<void>;
  /** People's own credentials; if absent, nobody has any. */
  connections?: ConnectionStore;
  /** Told after each call whether its source could be reached. */
  onReached?: (source: string, isReached: boolean) => void;
}

/** The name under which the token of a caller is stored, which no source can have. */
export function tokenName(caller: string): string {
  return `token of ${caller}`;
}

/** Milliseconds for which a source's offer holds: what it offers more by then is found again. */
const OFFER_MS = 3_600_000;

/** Milliseconds that a person has for a login. */
const LOGIN_MS = 600_000;

/**
 * Opens the connections of a home: what lets runs act as their owners at sources. Secrets are sealed before they are stored;
 * the first use reads the master keys.
 */
export function openConnections(place: DataPlace) {
  const store = openStore<ConnectionTables>({
    place,
    store: "connections",
    migrations: CONNECTION_MIGRATIONS,
  });
  let keys: MasterKey[] | undefined;
  const theKeys = () => (keys ??= masterKeys(place));
  const { db } = store;
  const rowOf = async ({ owner, source, kind, places, ...secret }: NewConnection) => ({
    id: randomUUID(),
    owner,
    source,
    kind,
    places: JSON.stringify(places),
    made_at: Math.floor(await store.now()),
    refused_at: null,
    offer: null,
    offered_at: null,
    ...columnsOf({ owner, source }, secret, theKeys()),
  });
  const ofOwner = (owner: string, source: string) =>
    db
      .selectFrom("connections")
      .selectAll()
      .where("owner", "=", owner)
      .where("source", "=", source);
  return {
    find: (owner: string, source: string) =>
      persistently(store, async (): Promise<Connection | undefined> => {
        const row = await ofOwner(owner, source).executeTakeFirst();
        if (!row) return undefined;
        const text = opened(row.secret, placeOf({ owner, source }), theKeys());
        return { ...infoOf(row), secret: JSON.parse(text) as Connection["secret"] };
      }),
    list: async (owner: string) => {
      const rows = db.selectFrom("connections").selectAll().where("owner", "=", owner);
      return (await rows.orderBy("source").execute()).map(infoOf);
    },
    /** Makes a connection. @returns false if there is one that works, which then stays */
    make: async (connection: NewConnection) => {
      const row = await rowOf(connection);
      const { numInsertedOrUpdatedRows: inserted } = await db
        .insertInto("connections")
        .values(row)
        .onConflict((known) => known.columns(["owner", "source"]).doNothing())
        .executeTakeFirst();
      if (inserted) return true;
      const { numUpdatedRows: replaced } = await db
        .updateTable("connections")
        .set(row)
        .where("owner", "=", row.owner)
        .where("source", "=", row.source)
        .where("refused_at", "is not", null)
        .executeTakeFirst();
      return replaced > 0n;
    },
    /** Replaces whatever there is. */
    keep: async (connection: NewConnection) => {
      const row = await rowOf(connection);
      await db
        .insertInto("connections")
        .values(row)
        .onConflict((known) => known.columns(["owner", "source"]).doUpdateSet(row))
        .execute();
    },
    /** Gives a connection another secret, unless it is gone or was made again meanwhile. */
    renew: async ({ id, ...of }: ConnectionInfo, secret: Secret) => {
      const columns = columnsOf(of, secret, theKeys());
      await db.updateTable("connections").set(columns).where("id", "=", id).execute();
    },
    /** Records that the source has not accepted it. */
    refuse: async (id: string) => {
      const refused = { refused_at: Math.floor(await store.now()) };
      await db.updateTable("connections").set(refused).where("id", "=", id).execute();
    },
    /** Records what a source offers with a connection. */
    offer: async (id: string, source: string, forms: Readonly<Record<string, string>>) => {
      const before = await db
        .selectFrom("connections")
        .select("offer")
        .where("id", "=", id)
        .executeTakeFirst();
      // A token is passed on to several sources.
      const offer = JSON.stringify({ ...offersIn(before?.offer), [source]: forms });
      const offered = { offer, offered_at: Math.floor(await store.now()) };
      await db.updateTable("connections").set(offered).where("id", "=", id).execute();
    },
    /** What sources have offered an owner of late, and those that take tokens this caller. */
    offers: ({ owner, caller }: Pick<Behalf, "owner" | "caller">) =>
      persistently(store, async (): Promise<Offers> => {
        const rows = await db
          .selectFrom("connections")
          .select("offer")
          .where("owner", "=", owner)
          .where((row) =>
            row.or([row("kind", "!=", "token"), row("source", "=", tokenName(caller))]),
          )
          .where("offered_at", ">", Math.floor(await store.now()) - OFFER_MS)
          .execute();
        return new Map(rows.flatMap(({ offer }) => Object.entries(offersIn(offer))));
      }),
    /** The names of owners of connections that were made before owners of keys and of tokens were told apart. */
    unnamed: async () => {
      const rows = db.selectFrom("connections").select("sealed_for").distinct();
      const found = await rows.where("sealed_for", "is not", null).execute();
      return found.flatMap(({ sealed_for: name }) => name ?? []);
    },
    /** Gives the connections of such a name to an owner, or deletes them. */
    name: async (name: string, owner: string | undefined) => {
      const rows = db.selectFrom("connections").selectAll().where("sealed_for", "=", name);
      for (const row of await rows.execute()) {
        const isFree =
          owner !== undefined && !(await ofOwner(owner, row.source).executeTakeFirst());
        if (!isFree) {
          await db.deleteFrom("connections").where("id", "=", row.id).execute();
          continue;
        }
        const text = opened(row.secret, placeOf(row), theKeys());
        const secret = sealed(text, placeOf({ owner, source: row.source }), theKeys());
        const named = { owner, secret, sealed_for: null };
        await db.updateTable("connections").set(named).where("id", "=", row.id).execute();
      }
    },
    /** @returns the sources of the connections that were deleted */
    remove: async (owner: string, source?: string) => {
      const gone = (table: "connections" | "logins") =>
        db
          .deleteFrom(table)
          .where("owner", "=", owner)
          .$if(source !== undefined, (query) => query.where("source", "=", String(source)))
          .returning("source")
          .execute();
      // A login that is under way must not bring back what is deleted.
      await gone("logins");
      return (await gone("connections")).map((row) => row.source);
    },
    /** Stores a login under the state that its browser brings back. */
    begin: async (state: string, { begun, ...of }: PendingLogin) => {
      const made_at = Math.floor(await store.now());
      // Those that nobody came back to, and an earlier one of the same owner.
      await db
        .deleteFrom("logins")
        .where((old) =>
          old.or([
            old("made_at", "<", made_at - LOGIN_MS),
            old.and([old("owner", "=", of.owner), old("source", "=", of.source)]),
          ]),
        )
        .execute();
      const sealedLogin = sealed(JSON.stringify(begun), placeOf(of), theKeys());
      await db
        .insertInto("logins")
        .values({ state: sha256(state), ...of, begun: sealedLogin, made_at })
        .execute();
    },
    /** The login of a state and an owner, once, and for a few minutes. */
    take: async (state: string, owner: string): Promise<PendingLogin | undefined> => {
      const since = Math.floor(await store.now()) - LOGIN_MS;
      const row = await db
        .deleteFrom("logins")
        .where("state", "=", sha256(state))
        .where("owner", "=", owner)
        .where("made_at", ">=", since)
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const begun = JSON.parse(opened(row.begun, placeOf(row), theKeys())) as PendingLogin["begun"];
      return { owner, source: row.source, begun };
    },
    /** Seals everything with the first of the master keys. @returns how many connections it was */
    sealAnew: async () => {
      const rows = await db
        .selectFrom("connections")
        .select(["id", "owner", "source", "secret", "sealed_for"])
        .execute();
      let count = 0;
      for (const { secret, ...row } of rows) {
        const anew = sealedAnew(secret, placeOf(row), theKeys());
        if (anew === undefined) continue;
        // One that was renewed meanwhile is sealed with the new key already.
        await db
          .updateTable("connections")
          .set({ secret: anew })
          .where("id", "=", row.id)
          .where("secret", "=", secret)
          .execute();
        count += 1;
      }
      return count;
    },
    close: () => store.close(),
  };
}

type Row = Selectable<ConnectionTables["connections"]>;

function offersIn(offer: string | null = null): Record<string, Record<string, string>> {
  return JSON.parse(offer ?? "{}") as ReturnType<typeof offersIn>;
}

/**
 * What a sealed secret belongs to: moved to another owner or source, it does not open. As long as nobody has one, it
 * belongs to the name that it was sealed for.
 */
function placeOf(of: Pick<Row, "owner" | "source"> & { sealed_for?: string | null }): string {
  return JSON.stringify([of.sealed_for ?? of.owner, of.source]);
}

function columnsOf(
  of: Pick<Row, "owner" | "source">,
  {
    secret,
    account = null,
    expiresAt = null,
  }: { secret: object; account?: string | null; expiresAt?: number | null },
  keys: readonly MasterKey[],
) {
  const text = sealed(JSON.stringify(secret), placeOf(of), keys);
  return { secret: text, account, expires_at: expiresAt };
}

function infoOf(row: Row): ConnectionInfo {
  const { id, owner, source, kind, places, account, made_at, expires_at, refused_at } = row;
  return {
    id,
    owner,
    source,
    kind,
    places: JSON.parse(places) as string[],
    ...(account === null ? {} : { account }),
    madeAt: made_at,
    ...(expires_at === null ? {} : { expiresAt: expires_at }),
    isRefused: refused_at !== null,
  };
}
