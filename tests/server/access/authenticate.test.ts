import { describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../../server/access/caller.js";
import { inEachHome } from "../../fakes/homes.js";
import { accessOf, listenWith } from "./support.js";

const ON = { authentication: "on" };

async function statusOf(url: string, headers: Record<string, string> = {}, method = "GET") {
  const { status } = await fetch(url, { method, headers });
  return status;
}

inEachHome("a server that asks who its callers are", (newPlace) => {
  it("recognises the owner of a key, however it is sent", async () => {
    const opened = accessOf({ policy: ON, place: await newPlace() });
    const { secret, key } = await opened.keys.create({ scopes: ["read"], owner: "ada" });
    const url = `${await listenWith(opened)}/threads/1`;
    const ways = { "x-api-key": secret, authorization: `Bearer ${secret}` };
    for (const header of Object.entries(ways)) {
      const headers = Object.fromEntries([header]);
      const answer = await fetch(url, { headers });
      expect(await answer.json()).toMatchObject({ owner: "key:ada", id: key.id, scopes: ["read"] });
    }
  });

  it("refuses anything but a valid key", async () => {
    const opened = accessOf({ policy: ON, place: await newPlace() });
    const { secret, key } = await opened.keys.create({ scopes: ["read"] });
    const expired = await opened.keys.create({ scopes: ["read"], lifetimeMs: -1 });
    await opened.keys.revoke(key.id);
    const url = `${await listenWith(opened)}/threads/1`;
    const wrong = [secret, expired.secret, "lsv2_pt_0123456789", "tulipkey_x", "a.b.c", "' OR 1=1"];
    for (const given of wrong) {
      const answer = await fetch(url, { headers: { "x-api-key": given } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(await answer.text()).not.toContain(given);
    }
    expect(await statusOf(url)).toBe(401);
    expect(await statusOf(url, { authorization: "Basic YTpi" })).toBe(401);
  });
});

describe("who is asked", () => {
  it("is nobody on a developer's own machine, until there is a key", async () => {
    const opened = accessOf();
    const url = `${await listenWith(opened)}/threads/1`;
    const answer = await fetch(url);
    expect(await answer.json()).toMatchObject({ owner: "", id: "", scopes: SCOPES });
    await opened.keys.create({ scopes: ["run"] });
    await expect.poll(() => statusOf(url), { timeout: 10_000 }).toBe(401);
  });

  it("is everybody if other machines can reach the server", async () => {
    for (const options of [
      { host: "0.0.0.0" },
      { policy: { hosts: ["agents.example.com"] } },
      { policy: ON },
    ]) {
      expect(await statusOf(`${await listenWith(accessOf(options))}/threads/1`)).toBe(401);
    }
  });

  it("is never somebody who could lift the operator's limits", async () => {
    const opened = accessOf({ policy: { limits: { maxModelCalls: 5 } } });
    const answer = await fetch(`${await listenWith(opened)}/threads/1`);
    expect(await answer.json()).toMatchObject({ scopes: ["run", "read", "approve"] });
  });
});

describe("a scope", () => {
  const routes: [string, string, Scope[]][] = [
    ["POST", "/threads", ["run"]],
    ["POST", "/threads/t/runs/wait", ["run", "approve"]],
    ["POST", "/runs/stream", ["run"]],
    ["GET", "/threads/t/state", ["read"]],
    ["POST", "/threads/search", ["read"]],
    ["POST", "/threads/t/history", ["read"]],
    ["GET", "/threads/t/runs/r/join", ["run", "read", "approve"]],
    ["DELETE", "/threads/t", ["run"]],
    ["POST", "/threads/t/state", []],
    ["POST", "/what/is/not/known", []],
    ["GET", "/metrics", ["read"]],
  ];

  it.each(SCOPES)("%s allows what it is for, and nothing else", async (scope) => {
    const opened = accessOf({ policy: ON });
    const { secret } = await opened.keys.create({ scopes: [scope] });
    const url = await listenWith(opened);
    for (const [method, path, takes] of routes) {
      const may = scope === "admin" || takes.includes(scope);
      const status = await statusOf(url + path, { "x-api-key": secret }, method);
      expect({ method, path, status }).toEqual({ method, path, status: may ? 200 : 403 });
    }
    expect(await statusOf(`${url}/info`, { "x-api-key": secret })).toBe(200);
  });
});

describe("requests in a minute", () => {
  it("are counted for each caller, who is told when to try again", async () => {
    const opened = accessOf({ policy: { ...ON, requestsPerMinute: 2 } });
    const [one, another] = [
      await opened.keys.create({ scopes: ["read"] }),
      await opened.keys.create({ scopes: ["read"] }),
    ];
    const url = `${await listenWith(opened)}/threads/1`;
    const ask = (secret: string) => fetch(url, { headers: { "x-api-key": secret } });
    const answers = [await ask(one.secret), await ask(one.secret), await ask(one.secret)];
    // A minute may end between them; then the fourth is one too many.
    if (answers[2]?.status === 200) answers.push(await ask(one.secret));
    expect(answers.at(-1)?.status).toBe(429);
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask(another.secret)).status).toBe(200);
  });

  it("that fail to authenticate are bounded for each address, those of known callers are not", async () => {
    const opened = accessOf({ policy: { ...ON, failuresPerMinute: 3 } });
    const { secret } = await opened.keys.create({ scopes: ["read"] });
    const url = `${await listenWith(opened)}/threads/1`;
    const wrong = () => statusOf(url, { "x-api-key": "tulipkey_wrong" });
    const statuses = [];
    for (let tries = 0; tries < 7; tries += 1) statuses.push(await wrong());
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
    expect(statuses).toContain(429);
    expect(await statusOf(url, { "x-api-key": secret })).toBe(200);
  });
});
