import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { syncConnected } from "../../../home/connectedSources.js";
import { openWorkspace } from "../../../home/workspace.js";
import { parseSettings } from "../../../state/settings.js";
import type { DataPlace } from "../../../storage/database.js";
import { listOpenApi } from "../../../tools/sources/openapi/listOpenApi.js";
import { inEachHome, newHome } from "../../fakes/homes.js";
import { AUDIENCE, ISSUER } from "../../fakes/issuer.js";
import { type People, knowingApi } from "../../fakes/knowingServers.js";
import { serve } from "../../tools/sources/mcp/httpSupport.js";
import { EMBEDDINGS, importOffice } from "../../tools/sources/mcp/support.js";
import { type User, answer, calling, serveUsers, waiting, waits } from "./users.js";

/** A server for users, with an API that their tokens are passed on to. */
async function servePassing(place: DataPlace) {
  vi.stubEnv("TULIPGRAPH_KEY", Buffer.alloc(32, 7).toString("base64"));
  const got: string[] = [];
  const url = await serve((request, response) => {
    got.push(request.headers.authorization ?? "nothing");
    response.writeHead(200, { "content-type": "application/json" }).end(`"you are known"`);
  });
  const { document } = await knowingApi(new Map());
  const { components: _none, security: _open, ...plain } = document as Record<string, unknown>;
  const file = join(place.home, "shop.json");
  writeFileSync(file, JSON.stringify({ ...plain, servers: [{ url }] }));
  const taken = { credentials: "passthrough", issuer: ISSUER, audience: "shop", places: [url] };
  await syncConnected({
    store: openWorkspace({ home: place.home, database: place.url }).store,
    settings: parseSettings({ library: "team", embeddings: EMBEDDINGS }),
    source: { name: "shop", kind: "openapi", settings: { document: file, auth: {}, ...taken } },
    listing: await listOpenApi({ name: "shop", document: file }),
    embed: false,
  });
  return { got, ...(await serveUsers(place)) };
}

inEachHome("the token of a caller", (newPlace) => {
  it("goes to a source that it is meant for, each caller's own, and is stored nowhere open", async () => {
    const team = await servePassing(await newPlace());
    const aud = [AUDIENCE, "shop"];
    const { model } = await waiting(team, "nobody", "customer");
    for (const name of ["ada", "bob"]) {
      const user = await team.as(name, "run read", { aud });
      const { thread_id } = await user.client.threads.create();
      expect(answer(await user.ask(thread_id, model))).toContain("you are known");
      expect(team.got.at(-1)).toBe(`Bearer ${user.token}`);
      const state = JSON.stringify(await user.client.threads.getHistory(thread_id));
      expect(state).not.toContain(user.token);
    }
    expect(team.got).toHaveLength(2);
  });

  it("is asked for when it has expired, and goes to no source that it is not meant for", async () => {
    const team = await servePassing(await newPlace());
    const exp = Math.floor(Date.now() / 1000) + 4;
    const user = await team.as("ada", "run read approve", { aud: [AUDIENCE, "shop"], exp });
    const { model } = await waiting(team, "nobody", "customer");
    const { thread_id } = await user.client.threads.create();
    expect(waits(await user.ask(thread_id, model))).toMatchObject({
      connect: [{ source: "shop", way: "token" }],
    });
    const fresh = await team.as("ada", "run read approve", { aud: [AUDIENCE, "shop"] });
    const decisions = [{ type: "edit", editedAction: { name: "shop.customer", args: ACCEPT } }];
    expect(answer(await fresh.resume(thread_id, model, decisions))).toContain("you are known");
    const others = await waiting(team, "bob", "customer");
    expect(answer(others.first)).toMatch(/shop|id\.example\.com/);
    // Nor to another address than those of the import.
    const { store } = openWorkspace({ home: team.place.home, database: team.place.url });
    const [source] = await store.sources.list();
    if (!source) throw new Error("there is no source");
    const settings = { ...source.settings, places: ["https://shop.example"] };
    await store.sources.put({ ...source, settings });
    const elsewhere = await fresh.ask((await fresh.client.threads.create()).thread_id, model);
    expect(answer(elsewhere)).toMatch(/nobody's credentials go to http.*not imported from/);
    expect(team.got).toHaveLength(1);
  });
});

/** A server for users, with an MCP server that their tokens are passed on to. */
async function servePassingMcp(place: DataPlace) {
  vi.stubEnv("TULIPGRAPH_KEY", Buffer.alloc(32, 7).toString("base64"));
  const people: People = new Map();
  const workspace = openWorkspace({ home: place.home, database: place.url });
  const credentials = "passthrough";
  await importOffice(workspace, people, { credentials, issuer: ISSUER, audience: "office" });
  return { people, ...(await serveUsers(place)) };
}

/** What the page shows a caller. */
async function shownTo({ send }: User): Promise<string> {
  return await (await send("GET", "/console/tools?library=team")).text();
}

/** What a caller's run finds. */
async function found({ client, ask }: User): Promise<string[]> {
  const { thread_id } = await client.threads.create();
  return ((await ask(thread_id, calling("who"))) as { toolIds: string[] }).toolIds;
}

it("what a source does not offer with a caller's token is not shown to them from its first call on", async () => {
  const team = await servePassingMcp({ home: newHome() });
  const user = async (sub: string, jti = "1") => {
    const made = await team.as(sub, "run read", { aud: [AUDIENCE, "office"], jti });
    team.people.set(made.token, sub);
    return made;
  };
  const [guest, ada] = [await user("guest"), await user("ada")];
  expect(await shownTo(guest)).toContain("office.note");
  for (const [name, { client, ask }] of Object.entries({ guest, ada })) {
    const { thread_id } = await client.threads.create();
    expect(answer(await ask(thread_id, calling("who")))).toBe(name);
  }
  expect(await shownTo(guest)).not.toContain("office.note");
  expect(await shownTo(ada)).toContain("office.note");
  expect(await found(guest)).not.toContain("office.note");
  // Another token may be offered more.
  expect(await found(await user("guest", "2"))).toContain("office.note");
});

const ACCEPT = { id: "any", action: "accept" };
