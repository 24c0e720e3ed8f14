import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { libraryPrefix } from "../../../server/access/libraries.js";
import { nameOwners, ownerOfKeys, ownerOfTokens } from "../../../server/access/owners.js";
import { actorOf } from "../../../server/runs/runRow.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import { type DataPlace, openStore } from "../../../storage/database.js";
import { sql } from "../../../storage/kysely.js";
import { type NewConnection, openConnections } from "../../../tools/sources/credentials/store.js";
import { CONNECTION_MIGRATIONS } from "../../../tools/sources/credentials/tables.js";
import { AUDIENCE, ISSUER, newPair, sign, startIssuer } from "../../fakes/issuer.js";
import { inEachHome } from "../../fakes/homes.js";
import { accessOf, listenWith } from "./support.js";

beforeEach(() => {
  vi.stubEnv("TULIPGRAPH_KEY", randomBytes(32).toString("base64"));
});

const OTHER_ISSUER = "https://other.example.com/";

describe("the owner of a key and the one that a token of the same name names", () => {
  it("are different people", async () => {
    const pair = await newPair("one");
    const jwt = { jwks: (await startIssuer(pair)).jwks, issuer: ISSUER, audience: AUDIENCE };
    const access = accessOf({ policy: { jwt } });
    const url = await listenWith(access);
    const { secret } = await access.keys.create({ scopes: ["read"], owner: "ada" });
    const ownerWith = async (credential: string) => {
      const headers = { authorization: `Bearer ${credential}` };
      return ((await (await fetch(`${url}/threads/1`, { headers })).json()) as { owner: string })
        .owner;
    };
    expect(await ownerWith(secret)).toBe("key:ada");
    expect(await ownerWith(await sign(pair))).toBe(`jwt:${ISSUER}:ada`);
    const names = `jwt:${ISSUER}:ada`;
    const { secret: looksLikeIt } = await access.keys.create({ scopes: ["read"], owner: names });
    expect(await ownerWith(looksLikeIt)).toBe(`key:${names}`);
  });

  it("have no name in common, whatever colons they have, and no prefix of libraries", () => {
    const owners = [
      ownerOfKeys("ada"),
      ownerOfKeys(ownerOfTokens(ISSUER, "ada")),
      ownerOfTokens(ISSUER, "ada"),
      ownerOfTokens(OTHER_ISSUER, "ada"),
      ownerOfTokens("https://id", "x:ada"),
      ownerOfTokens("https://id:x", "ada"),
      ownerOfTokens("https://id", "x%3Aada"),
    ];
    expect(new Set(owners).size).toBe(owners.length);
    expect(new Set(owners.map(libraryPrefix)).size).toBe(owners.length);
  });
});

const THREAD = { status: "idle", metadata: "{}", config: "{}", created_at: 0, updated_at: 0 };

/** The tables as they were when keys and tokens had the same names, with rows of that time. */
async function earlier(place: DataPlace) {
  const before = {
    sqlite: SERVER_MIGRATIONS.sqlite.slice(0, 2),
    postgres: SERVER_MIGRATIONS.postgres.slice(0, 2),
  };
  const data = openStore<ServerTables>({ place, store: "server", migrations: before });
  const { db } = data;
  const run = async (thread_id: string, owner: string, caller: string) => {
    const order = { actor: owner };
    await db
      .insertInto("runs")
      .values({
        run_id: `run of ${thread_id}`,
        thread_id,
        owner,
        caller,
        assistant_id: "tulip",
        kwargs: JSON.stringify(order),
        ...RUN,
      })
      .execute();
  };
  const key = {
    key_id: "key_1",
    hash: "#",
    name: "",
    owner: "ada",
    scopes: '["run"]',
    created_at: 0,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
  };
  await db.insertInto("keys").values(key).execute();
  for (const [thread_id, owner, caller] of [
    ["by ada's key", "ada", "key_1"],
    ["by ada's token", "ada", "sub:ada"],
    ["without runs", "ada", undefined],
    ["by bob's token", "bob:1", "sub:bob:1"],
    ["by nobody", "", ""],
  ] as const) {
    await db
      .insertInto("threads")
      .values({ ...THREAD, thread_id, owner })
      .execute();
    if (caller !== undefined) await run(thread_id, owner, caller);
  }
  await data.close();
}

const RUN = {
  status: "success",
  metadata: "{}",
  multitask_strategy: "enqueue",
  is_stateless: 0,
  created_at: 0,
  updated_at: 0,
  due_at: 0,
  lease_until: 0,
  attempts: 1,
};

async function now(place: DataPlace, issuer: string | undefined) {
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  const connections = openConnections(place);
  onTestFinished(async () => {
    await data.close();
    await connections.close();
  });
  await nameOwners(data, connections, issuer);
  const ownersIn = async (table: "threads" | "runs") => {
    const rows = await data.db.selectFrom(table).select(["thread_id", "owner"]).execute();
    return Object.fromEntries(rows.map(({ thread_id, owner }) => [thread_id, owner]));
  };
  return { data, connections, ownersIn };
}

inEachHome("a home in which keys and tokens had the same names", (newPlace) => {
  it("leaves each owner's threads to that owner", async () => {
    const place = await newPlace();
    await earlier(place);
    const { data, ownersIn } = await now(place, ISSUER);
    const owners = {
      "by ada's key": "key:ada",
      "by ada's token": `jwt:${ISSUER}:ada`,
      "without runs": "key:ada",
      "by bob's token": ownerOfTokens(ISSUER, "bob:1"),
      "by nobody": "",
    };
    expect(await ownersIn("threads")).toEqual(owners);
    const { "without runs": _none, ...ran } = owners;
    expect(await ownersIn("runs")).toEqual(ran);
    const runs = await data.db.selectFrom("runs").selectAll().execute();
    expect(runs.map(actorOf)).toEqual(runs.map(({ owner }) => owner));
    const keys = await data.db.selectFrom("keys").select("owner").execute();
    expect(keys).toEqual([{ owner: "key:ada" }]);
  });

  it("shows nobody what tokens had before the issuer is known, and another issuer nothing afterwards", async () => {
    const place = await newPlace();
    await earlier(place);
    const callers = [ISSUER, OTHER_ISSUER].map((issuer) => ownerOfTokens(issuer, "ada"));
    const before = await now(place, undefined);
    for (const owner of callers)
      expect(Object.values(await before.ownersIn("threads"))).not.toContain(owner);
    await now(place, ISSUER);
    const { ownersIn } = await now(place, OTHER_ISSUER);
    expect((await ownersIn("threads"))["by ada's token"]).toBe(callers[0]);
  });

  it("keeps connections of whoever alone had a name, and has the others made anew", async () => {
    const place = await newPlace();
    await earlier(place);
    await earlierConnections(place, ["ada", "bob:1", ""]);
    const { connections } = await now(place, ISSUER);
    expect((await connections.find(ownerOfTokens(ISSUER, "bob:1"), "office"))?.secret).toEqual({
      KEY: "bob:1",
    });
    expect((await connections.find("", "office"))?.secret).toEqual({ KEY: "" });
    for (const owner of ["ada", "key:ada", ownerOfTokens(ISSUER, "ada")])
      expect(await connections.find(owner, "office")).toBeUndefined();
  });
});

/** Connections of owners, in the tables of that time. */
async function earlierConnections(place: DataPlace, owners: readonly string[]): Promise<void> {
  const connections = openConnections(place);
  for (const owner of owners) await connections.keep(connection(owner));
  await connections.close();
  const store = openStore<Record<string, never>>({
    place,
    store: "connections",
    migrations: CONNECTION_MIGRATIONS,
  });
  // The step is taken once more, as in a home that has had only those before it.
  const [, rename, forgetLogins] = CONNECTION_MIGRATIONS.postgres[2] ?? [];
  const table = store.kind === "sqlite" ? "connections" : "tulipgraph_connections.connections";
  const logins = table.replace(/connections$/, "logins");
  await sql.raw(String(rename).replace("UPDATE connections", `UPDATE ${table}`)).execute(store.db);
  await sql.raw(String(forgetLogins).replace("FROM logins", `FROM ${logins}`)).execute(store.db);
  await store.close();
}

const connection = (owner: string): NewConnection => ({
  owner,
  source: "office",
  kind: "key",
  places: ["https://office.example"],
  secret: { KEY: owner },
});
