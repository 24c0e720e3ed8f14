import type { StoreMigrations } from "../../../storage/database.js";

/**
 * How somebody is known at a source. `key`: values for the variables that the source names · `login`: OAuth · `token`: the
 * token with which they came to a server, to be passed on.
 */
export type ConnectionKind = "key" | "login" | "token";

/** The tables of the store `connections`. Times are milliseconds since 1970 by the store's clock. */
export interface ConnectionTables {
  connections: {
    id: string;
    owner: string;
    source: string;
    kind: ConnectionKind;
    places: string;
    /** Sealed: see masterKeys.ts. */
    secret: string;
    account: string | null;
    made_at: number;
    expires_at: number | null;
    refused_at: number | null;
    /** What sources last offered with it: by source, the form of each tool by its id, as JSON. */
    offer: string | null;
    offered_at: number | null;
    /** The name of its owner, as long as nobody knows whether it was that of keys or of tokens. */
    sealed_for: string | null;
  };
  logins: {
    /** SHA-256 of the state. */
    state: string;
    owner: string;
    source: string;
    begun: string;
    made_at: number;
  };
}

const TABLES = [
  `CREATE TABLE connections (
     id text NOT NULL, owner text NOT NULL, source text NOT NULL, kind text NOT NULL,
     places text NOT NULL, secret text NOT NULL, account text, made_at bigint NOT NULL,
     expires_at bigint, refused_at bigint, PRIMARY KEY (owner, source)
   )`,
  `CREATE TABLE logins (
     state text PRIMARY KEY, owner text NOT NULL, source text NOT NULL, begun text NOT NULL,
     made_at bigint NOT NULL
   )`,
];

const OFFERS = [
  "ALTER TABLE connections ADD COLUMN offer text",
  "ALTER TABLE connections ADD COLUMN offered_at bigint",
];

/**
 * Owners of keys and of tokens had the same names. Until somebody finds out which of them an owner is, a connection is
 * nobody's.
 */
const OWNERS = [
  "ALTER TABLE connections ADD COLUMN sealed_for text",
  "UPDATE connections SET sealed_for = owner, owner = 'unnamed:' || owner WHERE owner <> ''",
  "DELETE FROM logins WHERE owner <> ''",
];

const STEPS = [TABLES, OFFERS, OWNERS];

export const CONNECTION_MIGRATIONS: StoreMigrations = { sqlite: STEPS, postgres: STEPS };
