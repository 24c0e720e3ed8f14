import type { ServerStore } from "../schema.js";
import { sql } from "../../storage/kysely.js";
import type { ConnectionStore } from "../../tools/sources/credentials/store.js";

/** The owner of keys that were made for a name. */
export function ownerOfKeys(name: string): string {
  return `key:${name}`;
}

/** The name for which an owner's keys were made; undefined for an owner that tokens name. */
export function nameOfKeys(owner: string): string | undefined {
  return owner.startsWith("key:") ? owner.slice("key:".length) : undefined;
}

/**
 * The owner that a token names. What follows the last colon is the name, whatever colons are in the issuer: no two pairs
 * of issuer and name make the same owner.
 */
export function ownerOfTokens(issuer: string, name: string): string {
  return `jwt:${issuer}:${escaped(name)}`;
}

/** Where colons and percent signs of a name would be mistaken. */
function escaped(name: string): string {
  return name.replaceAll("%", "%25").replaceAll(":", "%3A");
}

/** Whether an owner is the one that releases before these names called so. */
export function wasCalled(owner: string, name: string): boolean {
  if (/^(?:key|jwt):/.test(name)) return false;
  return (
    owner === ownerOfKeys(name) || (owner.startsWith("jwt:") && owner.endsWith(`:${escaped(name)}`))
  );
}

/**
 * Gives an issuer's name to owners that came with tokens before owners had it: a release that did not tell issuers apart
 * let the tokens of the server's issuer see what they had. Connections from that time go to whoever is the only one of
 * their owner's name, and else nowhere: they are deleted, and made anew.
 *
 * @param issuer the issuer of the tokens that the server accepts
 */
export async function nameOwners(data: ServerStore, connections: ConnectionStore, issuer?: string) {
  if (issuer !== undefined)
    await data.transaction(async (db) => {
      for (const table of ["threads", "runs", "assistants"] as const)
        await db
          .updateTable(table)
          .set({ owner: sql<string>`${`jwt:${issuer}:`} || substr(owner, ${UNNAMED.length + 1})` })
          .where("owner", ">=", UNNAMED)
          .where("owner", "<", AFTER_UNNAMED)
          .execute();
    });
  for (const name of await connections.unnamed()) {
    const owners = await ownersCalled(data, name);
    if (owners.includes("key") && owners.includes("token")) await connections.name(name, undefined);
    else if (owners.includes("key")) await connections.name(name, ownerOfKeys(name));
    else if (issuer !== undefined) await connections.name(name, ownerOfTokens(issuer, name));
  }
}

/** What owners of tokens begin with as long as their issuer is not known, and what follows all of them in order. */
const UNNAMED = "jwt::";
const AFTER_UNNAMED = "jwt:;";

/** Who had a name before owners told keys and tokens apart. */
async function ownersCalled({ db }: ServerStore, name: string): Promise<("key" | "token")[]> {
  const key = db.selectFrom("keys").select("key_id").where("owner", "=", ownerOfKeys(name));
  // The subject of a token need not be the owner that it names.
  const token = db
    .selectFrom("runs")
    .select("run_id")
    .where(
      sql<boolean>`(caller = ${`sub:${name}`}
      or (owner = ${ownerOfKeys(name)} and caller >= 'sub:' and caller < 'sub;'))`,
    );
  const hasKey = (await key.limit(1).execute()).length > 0;
  const hasToken = (await token.limit(1).execute()).length > 0;
  return [...(hasKey ? (["key"] as const) : []), ...(hasToken ? (["token"] as const) : [])];
}
