import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { syncConnected } from "../../../nodes/workspace/connectedSources.js";
import { openWorkspace } from "../../../nodes/workspace/workspace.js";
import { parseSettings } from "../../../state/settings.js";
import type { DataPlace } from "../../../storage/database.js";
import { listOpenApi } from "../../../tools/sources/openapi/listOpenApi.js";
import { inEachHome } from "../../fakes/homes.js";
import { AUDIENCE, ISSUER } from "../../fakes/issuer.js";
import { knowingApi } from "../../fakes/knowingServers.js";
import { serve } from "../../tools/sources/mcp/httpSupport.js";
import { EMBEDDINGS } from "../../tools/sources/mcp/support.js";
import { answer, serveUsers, waiting, waits } from "./users.js";

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
    expect(team.got).toHaveLength(1);
  });
});

const ACCEPT = { id: "any", action: "accept" };
