import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openKeys } from "../../../server/access/keys.js";
import { errorLine, run, runJson } from "../../cli/support.js";
import { inEachHome } from "../../fakes/homes.js";
import { accessOf } from "./support.js";

/** Longer than a process remembers what it read about a key. */
const AFTER_TRUST = { timeout: 10_000, interval: 100 };

inEachHome("a key", (newPlace) => {
  it("is found by its secret, which is not stored", async () => {
    const { keys, data, place } = accessOf({ place: await newPlace() });
    const { secret, key } = await keys.create({ scopes: ["read", "run"], owner: "ada" });
    expect(key).toMatchObject({ owner: "key:ada", scopes: ["run", "read"], state: "valid" });
    expect(await keys.find(secret)).toMatchObject({ id: key.id, owner: "key:ada" });
    const rows = await data.db.selectFrom("keys").selectAll().execute();
    expect(JSON.stringify([rows, await keys.list()])).not.toContain(secret);
    const files = readdirSync(place.home).map((file) => readFileSync(join(place.home, file)));
    expect(files.some((bytes) => bytes.includes(secret))).toBe(false);
  });

  it("is soon invalid in all processes after it is revoked", async () => {
    const place = await newPlace();
    const [server, operator] = [accessOf({ place }), accessOf({ place })];
    const { secret, key } = await operator.keys.create({ scopes: ["run"] });
    expect(await server.keys.find(secret)).toBeDefined();
    await operator.keys.revoke(key.id);
    await expect.poll(() => server.keys.find(secret), AFTER_TRUST).toBeUndefined();
    expect((await server.keys.list())[0]).toMatchObject({ state: "revoked" });
    await expect(operator.keys.revoke("key_none")).rejects.toThrow(/unknown key "key_none"/);
  });

  it("expires by the database's clock", async () => {
    const { keys, data } = accessOf({ place: await newPlace() });
    const { secret } = await keys.create({ scopes: ["run"], lifetimeMs: 60_000 });
    expect(await keys.find(secret)).toBeDefined();
    // A machine whose clock is a day slow goes by the database's.
    const end = (await data.now()) + 60_000;
    vi.spyOn(Date, "now").mockReturnValue(Date.now() - 86_400_000);
    expect(await openKeys({ ...data, now: async () => end }).find(secret)).toBeUndefined();
    vi.restoreAllMocks();
  });

  it("counts even when it is no longer valid, so that a server does not open to everybody", async () => {
    const { keys } = accessOf({ place: await newPlace() });
    expect(await keys.exist()).toBe(false);
    const { key } = await keys.create({ scopes: ["run"] });
    await keys.revoke(key.id);
    expect(await keys.exist()).toBe(true);
  });
});

describe("tulipgraph keys", () => {
  it("makes a key, lists it without its secret, and revokes it", async () => {
    const scopes = ["--scope", "run", "--scope", "read"];
    const rest = ["--owner", "billing", "--name", "the nightly job", "--expires", "90d"];
    const made = await runJson("keys", "create", ...scopes, ...rest);
    const { id, secret, expiresAt, createdAt } = made.json as {
      id: string;
      secret: string;
      expiresAt: number;
      createdAt: number;
    };
    expect(made.json).toMatchObject({ owner: "key:billing", scopes: ["run", "read"] });
    expect(expiresAt - createdAt).toBe(90 * 86_400_000);
    const { stdout } = await run("keys");
    expect(stdout).toContain(id);
    expect(stdout).toContain("the nightly job");
    expect(stdout).not.toContain(secret);
    expect((await run("keys", "revoke", id)).stdout).toContain(id);
    expect((await runJson("keys", "list")).json).toMatchObject([{ id, state: "revoked" }]);
  });

  it.each([
    [["create"], /--scope <scope...>' not specified/],
    [["create", "--scope", "raed"], /'raed' is invalid. Allowed choices are .*read/],
    [["create", "--scope", "run", "--expires", "soon"], /--expires: "soon"/],
    [["create", "--scope", "run", "--expires", "0d"], /--expires/],
    [["create", "--scope", "run", "--owner", ""], /--owner/],
    [["create", "--scope", "run", "--owner", "key:ada"], /Write ada/],
    [["revoke", "key_none"], /unknown key/],
  ])("refuses %j in one line", async (argv, message) => {
    expect(errorLine(await run("keys", ...argv))).toMatch(message);
  });
});
