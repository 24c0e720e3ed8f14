import { randomBytes } from "node:crypto";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { type DataPlace, openStore } from "../../../../storage/database.js";
import {
  type NewConnection,
  openConnections,
  tokenName,
} from "../../../../tools/sources/credentials/store.js";
import {
  CONNECTION_MIGRATIONS as migrations,
  type ConnectionTables,
} from "../../../../tools/sources/credentials/tables.js";
import { inEachHome } from "../../../fakes/homes.js";

const newKey = () => randomBytes(32).toString("base64");
const [OLD, YOUNG] = [newKey(), newKey()];

beforeEach(() => {
  vi.stubEnv("TULIPGRAPH_KEY", OLD);
});

function opened(place: DataPlace) {
  const connections = openConnections(place);
  onTestFinished(() => connections.close());
  return connections;
}

const own = (owner: string, key = `${owner}'s`): NewConnection => ({
  owner,
  source: "office",
  kind: "key",
  places: ["https://office.example"],
  secret: { KEY: key },
});

inEachHome("connections", (newPlace) => {
  it("are found by their owner and source, and stay until they are refused or deleted", async () => {
    const connections = opened(await newPlace());
    expect(await connections.make(own("ada"))).toBe(true);
    expect(await connections.make(own("bob"))).toBe(true);
    expect(await connections.make(own("ada", "other"))).toBe(false);
    const found = await connections.find("ada", "office");
    expect(found).toMatchObject({ secret: { KEY: "ada's" }, isRefused: false });
    await connections.refuse(found?.id ?? "");
    const tries = ["one", "two"].map((key) => connections.make(own("ada", key)));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    expect(await connections.remove("ada")).toEqual(["office"]);
    expect(await connections.list("ada")).toEqual([]);
    expect(await connections.list("bob")).toHaveLength(1);
    // What is renewed after it was deleted stays deleted.
    if (found) await connections.renew(found, { secret: { KEY: "late" } });
    expect(await connections.find("ada", "office")).toBeUndefined();
  });

  it("know what sources have offered with them, and with the token of which caller", async () => {
    const { keep, find, offer, offers } = opened(await newPlace());
    const token = { owner: "ada", source: tokenName("one"), kind: "token", secret: {} } as const;
    for (const each of [own("ada"), { ...token, places: [] }]) await keep(each);
    const offered = async (name: string, source: string) =>
      await offer((await find("ada", name))?.id ?? "", source, { [`${source}.who`]: "form" });
    await offered("office", "office");
    await offered(tokenName("one"), "crm");
    await offered(tokenName("one"), "wiki");
    const seen = async (caller: string) => [...(await offers({ owner: "ada", caller })).keys()];
    expect((await seen("one")).toSorted()).toEqual(["crm", "office", "wiki"]);
    expect(await seen("two")).toEqual(["office"]);
    await keep({ ...token, places: [] });
    expect(await seen("one")).toEqual(["office"]);
  });

  it("of one owner do not open as another's, whoever changes the rows", async () => {
    const place = await newPlace();
    const connections = opened(place);
    await connections.make(own("ada"));
    const rows = openStore<ConnectionTables>({ place, store: "connections", migrations });
    onTestFinished(() => rows.close());
    await rows.db.updateTable("connections").set({ owner: "eve" }).execute();
    await expect(connections.find("eve", "office")).rejects.toThrow(/belongs elsewhere/);
  });

  it("are sealed with a new master key while the old one still opens them", async () => {
    const place = await newPlace();
    await opened(place).make(own("ada"));
    vi.stubEnv("TULIPGRAPH_KEY", `${OLD} ${YOUNG}`);
    const other = opened(place);
    expect((await other.find("ada", "office"))?.secret).toEqual({ KEY: "ada's" });
    vi.stubEnv("TULIPGRAPH_KEY", `${YOUNG} ${OLD}`);
    const both = opened(place);
    expect((await both.find("ada", "office"))?.secret).toEqual({ KEY: "ada's" });
    expect(await both.sealAnew()).toBe(1);
    expect(await both.sealAnew()).toBe(0);
    // A server that still seals with the old key opens what is sealed with the new one.
    expect((await other.find("ada", "office"))?.secret).toEqual({ KEY: "ada's" });
    vi.stubEnv("TULIPGRAPH_KEY", YOUNG);
    expect((await opened(place).find("ada", "office"))?.secret).toEqual({ KEY: "ada's" });
    vi.stubEnv("TULIPGRAPH_KEY", OLD);
    await expect(opened(place).find("ada", "office")).rejects.toThrow(/Add the old key/);
  });
});
