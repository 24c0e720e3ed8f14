import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { forget, keptOf } from "../../../server/access/forget.js";
import { ownerOfTokens } from "../../../server/access/owners.js";
import { openNamed } from "../../../home/libraries.js";
import type { Workspace } from "../../../home/workspace.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import { openStore } from "../../../storage/database.js";
import { contractOf } from "../../../tools/calls/engine/savedPlan.js";
import { BEHALF_KEY } from "../../../tools/remote.js";
import { inEachHome, newHome } from "../../fakes/homes.js";
import { ISSUER } from "../../fakes/issuer.js";
import { knowingMcp } from "../../fakes/knowingServers.js";
import { parseSettings } from "../../../state/settings.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import { EMBEDDINGS } from "../../tools/sources/mcp/support.js";
import { serveTeam } from "./sources.js";
import { type User, answer, calling, gone, waiting, waits } from "./users.js";

const ADA = ownerOfTokens(ISSUER, "ada");

/** Saves a plan `greet` in the library of the team, which calls the office's tools by their names. */
async function savePlan({ store }: Workspace, lines: readonly string[]): Promise<void> {
  const settings = parseSettings({ library: "team", embeddings: EMBEDDINGS });
  const library = await openNamed({ store, settings });
  const calls = library.list().flatMap((tool) => {
    const name = tool.id.replace("office.", "");
    const isCalled = lines.some((line) => line.includes(`${name}(`));
    return isCalled ? [{ name, tool: tool.id, contract: contractOf(tool) }] : [];
  });
  const test = { args: {}, today: "2026-03-01", calls: [], result: null };
  const tool: ToolDefinition = {
    id: "greet",
    name: "greet",
    description: "Greet me: tell who I am and write a note",
    parameters: { type: "object", properties: {} },
    effects: "write",
    source: { kind: "program", file: "saved plans", code: lines.join("\n"), calls, test },
  };
  await library.put({ tool, basedOn: null, note: { by: "person", why: "saved" } });
}

/** What the page shows a person of the library of the team. */
async function shownTo({ send }: User) {
  const shown = async (path: string) => {
    const response = await send("GET", `/console/${path}library=team`);
    return (await response.json()) as unknown;
  };
  const [tools, found] = [await shown("tools?"), await shown("search?phrase=Write a note&")];
  return {
    tools: (tools as { id: string }[]).map(({ id }) => id),
    hits: (found as { hits: { tool: string }[] }).hits.map(({ tool }) => tool),
    library: await shown("library?"),
    note: JSON.stringify(await shown("tools/office.note?")),
  };
}

const toolsFound = (values: unknown) => (values as { toolIds: string[] }).toolIds;

inEachHome("two users of a server", (newPlace) => {
  it("act as themselves, each at the same source, in sessions of their own", async () => {
    const team = await serveTeam(await newPlace());
    const ada = await waiting(team, "ada", "who");
    expect(waits(ada.first)).toMatchObject({
      kind: "connect",
      connect: [
        {
          source: "office",
          way: "key",
          fields: ["OFFICE_KEY"],
          path: "/connections/office",
          message: expect.stringContaining(new URL(team.office.url).origin),
        },
      ],
    });
    const connected = await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" });
    expect(connected).toMatchObject({ status: 200, connected: true });
    expect(await gone(ada.user, connected)).toEqual(["ada"]);

    const bob = await waiting(team, "bob", "who");
    expect(waits(bob.first)?.kind).toBe("connect");
    const second = await bob.user.connect("office", { OFFICE_KEY: "bob-secret-1" });
    const both = [bob, ada, bob, ada].map(async ({ user, model }) =>
      answer(await user.ask((await user.client.threads.create()).thread_id, model)),
    );
    expect(await Promise.all(both)).toEqual(["bob", "ada", "bob", "ada"]);
    expect(await gone(bob.user, second)).toEqual(["bob"]);
    expect(team.office.seen.slice(team.office.seen.indexOf("ada"))).not.toContain("lister");

    const calls = await team.journal.calls(ada.thread_id);
    expect(calls.map(({ onBehalfOf }) => onBehalfOf)).toEqual([ADA]);
  });

  it("are asked again when the source takes a key back, and a write is made once", async () => {
    const team = await serveTeam(await newPlace());
    const ada = await waiting(team, "ada", "note", { text: "tea" });
    await gone(ada.user, await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" }));
    expect(team.office.notes).toEqual(["ada: tea"]);
    team.people.delete("ada-secret-1");
    team.people.set("ada-secret-2", "ada");
    const later = await waiting(team, "ada", "note", { text: "cake" });
    expect(waits(later.first)?.kind).toBe("connect");
    expect(await (await ada.user.send("GET", "/connections")).json()).toMatchObject([
      { source: "office", state: "refused" },
      { source: "shop", state: "not connected" },
    ]);
    await gone(ada.user, await ada.user.connect("office", { OFFICE_KEY: "ada-secret-2" }));
    expect(team.office.notes).toEqual(["ada: tea", "ada: cake"]);
    expect(await (await ada.user.send("GET", "/connections")).json()).toMatchObject([
      { source: "office", state: "connected", madeAt: expect.any(Number) },
      {},
    ]);
  });

  it("wait in the middle of a saved plan, whose calls are made once, as themselves", async () => {
    const team = await serveTeam(await newPlace());
    await savePlan(team.workspace, ["const me = await who({});", "await note({ text: me });"]);
    const ada = await waiting(team, "ada", "greet");
    expect(waits(ada.first)).toMatchObject({ kind: "connect", connect: [{ source: "office" }] });
    await gone(ada.user, await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" }));
    expect(team.office.notes).toEqual(["ada: ada"]);
    const calls = await team.journal.calls(ada.thread_id);
    expect(calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      "greet done",
      "greet done",
      "office.who done",
      "office.note done",
    ]);
  });

  it("connect once: of two attempts at a time one wins, and both are told", async () => {
    const team = await serveTeam(await newPlace());
    const { user, thread_id, model } = await waiting(team, "ada", "customer");
    const tries = ["ada-secret-1", "guest-secret-1"].map((SHOP_KEY) =>
      user.connect("shop", { SHOP_KEY }),
    );
    const told = (await Promise.all(tries)).toSorted((one, other) => one.status - other.status);
    expect(told).toMatchObject([
      { status: 200, connected: true },
      { status: 409, message: expect.stringMatching(/there is a connection that works/) },
    ]);
    const [won] = told;
    const shown = await gone(user, won ?? {});
    expect(["ada", "guest"].map((name) => JSON.stringify({ customer: name }))).toContain(shown[0]);
    expect(answer(await user.ask(thread_id, model))).toBe(shown[0]);
  });

  it("act as themselves at another server, too, and in a run that begins later", async () => {
    const team = await serveTeam(await newPlace());
    const ada = await waiting(team, "ada", "who");
    await team.close();
    const other = await team.again();
    const user = await other.as("ada");
    const connected = await user.connect("office", { OFFICE_KEY: "ada-secret-1" });
    expect(await gone(user, connected)).toEqual(["ada"]);
    await (await other.as("bob")).connect("office", { OFFICE_KEY: "bob-secret-1" });
    const { run_id } = await user.client.runs.create(ada.thread_id, "minimal_tulip", {
      input: { request: "Tell who I am" },
      context: user.settings(ada.model),
      afterSeconds: 1,
    });
    expect(answer(await user.client.runs.join(ada.thread_id, run_id))).toBe("ada");
  });

  it("keep their connections while the master key is changed, restart by restart", async () => {
    const team = await serveTeam(await newPlace());
    const ada = await waiting(team, "ada", "who");
    await gone(ada.user, await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" }));
    const old = process.env["TULIPGRAPH_KEY"];
    const young = randomBytes(32).toString("base64");
    let { close } = team;
    for (const keys of [`${old} ${young}`, `${young} ${old}`, young]) {
      await close();
      vi.stubEnv("TULIPGRAPH_KEY", keys);
      const server = await team.again();
      expect(answer(await (await server.as("ada")).ask(ada.thread_id, ada.model))).toBe("ada");
      ({ close } = server);
    }
  });

  it("are forgotten with their connections and all else that is theirs", async () => {
    const team = await serveTeam(await newPlace());
    const { place, workspace } = team;
    const ada = await waiting(team, "ada", "who");
    await gone(ada.user, await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" }));
    const bob = await team.as("bob");
    await bob.connect("office", { OFFICE_KEY: "bob-secret-1" });
    const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
    onTestFinished(() => data.close());
    const context = ada.user.settings(ada.model);
    const input = { request: "Tell who I am" };
    await ada.user.client.runs.wait(null, "minimal_tulip", { input, context });
    const { thread_id: unlisted } = await data.db
      .selectFrom("runs")
      .select("thread_id")
      .where("is_stateless", "=", 1)
      .executeTakeFirstOrThrow();
    expect(await team.journal.calls(unlisted)).toHaveLength(1);
    const kept = await forget({ data, workspace, owner: ADA });
    expect(kept).toMatchObject({ connections: ["office"], threads: [ada.thread_id], runs: 3 });
    expect(await keptOf({ data, workspace, owner: ADA })).toEqual({
      connections: [],
      keys: [],
      threads: [],
      assistants: 0,
      runs: 0,
      libraries: [],
    });
    expect(await team.journal.calls(ada.thread_id)).toEqual([]);
    expect(await team.journal.calls(unlisted)).toEqual([]);
    expect(
      (await keptOf({ data, workspace, owner: ownerOfTokens(ISSUER, "bob") })).connections,
    ).toEqual(["office"]);
  });
});

describe("nobody else", () => {
  it("can stand in: an administrator's run on a thread waits for the thread's owner", async () => {
    const team = await serveTeam({ home: newHome() });
    const ada = await waiting(team, "ada", "who");
    await gone(ada.user, await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" }));
    const root = await team.as("root", "admin");
    await root.connect("office", { OFFICE_KEY: "bob-secret-1" });
    const asked = waits(await root.ask(ada.thread_id, calling("note", { text: "as ada" })));
    expect(asked).toMatchObject({
      kind: "connect",
      connect: [{ way: "owner", message: expect.stringContaining("as ada") }],
    });
    // Neither their approval nor a connection of the owner lets it go on.
    const decisions = [{ type: "approve" }];
    const model = calling("note", { text: "as ada" });
    expect(waits(await root.resume(ada.thread_id, model, decisions))?.kind).toBe("connect");
    await ada.user.send("DELETE", "/connections/office");
    const again = await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" });
    expect(again).toMatchObject({ status: 200, runs: [] });
    expect(team.office.notes).toEqual([]);
  });

  it("gets an owner's credentials with a copy or a fork of a thread", async () => {
    const team = await serveTeam({ home: newHome() });
    const ada = await waiting(team, "ada", "who");
    await gone(ada.user, await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" }));
    const root = await team.as("root", "admin");
    const copy = await root.client.threads.copy(ada.thread_id);
    const { thread_id } = copy as unknown as { thread_id: string };
    expect(waits(await root.ask(thread_id, ada.model))).toMatchObject({
      connect: [{ source: "office", way: "key" }],
    });
    const [, earlier] = await ada.user.client.threads.getHistory(ada.thread_id);
    const forkBy = async ({ client, settings }: User): Promise<unknown> =>
      await client.runs.wait(ada.thread_id, "minimal_tulip", {
        input: { request: "Tell who I am" },
        context: settings(ada.model),
        checkpointId: String(earlier?.checkpoint.checkpoint_id),
      });
    expect(waits(await forkBy(root))).toMatchObject({ connect: [{ way: "owner" }] });
    expect(answer(await forkBy(ada.user))).toBe("ada");
    expect(team.office.called).toEqual(["ada", "ada"]);
  });

  it("gets them by claiming to be that owner, or by making a thread with the id of theirs", async () => {
    const team = await serveTeam({ home: newHome() });
    const ada = await waiting(team, "ada", "who");
    await gone(ada.user, await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" }));
    const eve = await team.as("eve");
    const forged = { owner: ADA, threadOwner: ADA, caller: "sub:ada" };
    const run = {
      input: { request: "Tell who I am" },
      context: eve.settings(ada.model),
      config: { configurable: { [BEHALF_KEY]: forged, langgraph_auth_user_id: "ada" } },
    };
    const { thread_id } = await eve.client.threads.create();
    expect(waits(await eve.client.runs.wait(thread_id, "minimal_tulip", run))?.kind).toBe(
      "connect",
    );
    await ada.user.client.threads.delete(ada.thread_id);
    await eve.client.threads.create({ threadId: ada.thread_id });
    expect(waits(await eve.ask(ada.thread_id, ada.model))?.kind).toBe("connect");
    expect(new Set(team.office.seen)).toEqual(new Set(["lister", "ada"]));
  });

  it("may connect for a source that they do not see, or without the scope to run", async () => {
    const team = await serveTeam({ home: newHome() });
    const reader = await team.as("eve", "read");
    expect(await reader.connect("office", { OFFICE_KEY: "x" })).toMatchObject({ status: 403 });
    const eve = await team.as("eve");
    expect(await eve.connect("elsewhere", { KEY: "x" })).toMatchObject({ status: 404 });
    expect((await eve.send("DELETE", "/connections/office")).status).toBe(404);
    const line = { OFFICE_KEY: "x\r\nx-admin: yes" };
    expect(await eve.connect("office", line)).toMatchObject({ status: 422 });
  });
});

it("a tool that a source does not offer to one person is not called for them", async () => {
  const team = await serveTeam({ home: newHome() });
  const guest = await waiting(team, "guest", "note", { text: "tea" });
  const connected = await guest.user.connect("office", { OFFICE_KEY: "guest-secret-1" });
  expect(await gone(guest.user, connected)).toEqual([
    expect.stringMatching(/of the tools that it offers you, office.note is not among them/),
  ]);
  const ada = await waiting(team, "ada", "note", { text: "tea" });
  await gone(ada.user, await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" }));
  expect(team.office.notes).toEqual(["ada: tea"]);
});

inEachHome("what a source does not offer one person", (newPlace) => {
  it("is withheld from them on the page and in runs, and from nobody else", async () => {
    const team = await serveTeam(await newPlace());
    for (const [name, offered, note] of [
      [
        "guest",
        ["office.secret", "office.who"],
        /office.note.* is not among the tools that office/,
      ],
      ["ada", ["office.note", "office.secret", "office.who"], /"id":"office.note"/],
    ] as const) {
      const before = await waiting(team, name, "who");
      // Whoever has no connection yet is shown all that they can connect for.
      expect(toolsFound(before.first)).toContain("office.note");
      const { user } = before;
      await gone(user, await user.connect("office", { OFFICE_KEY: `${name}-secret-1` }));
      const { thread_id } = await user.client.threads.create();
      const later = await user.ask(thread_id, calling("note", { text: "tea" }));
      expect(toolsFound(later)).toEqual(expect.arrayContaining([...offered]));
      expect(toolsFound(later).includes("office.note")).toBe(name === "ada");
      const page = await shownTo(user);
      expect(page.tools.includes("office.note")).toBe(name === "ada");
      expect(page.hits.includes("office.note")).toBe(name === "ada");
      expect(page.library).toMatchObject({ size: page.tools.length, withheld: [] });
      expect(page.note).toMatch(note);
    }
    expect(team.office.notes).toEqual(["ada: tea"]);
  });
});

it("a connection is not used at another address than the one that it was made for", async () => {
  const team = await serveTeam({ home: newHome() });
  const ada = await waiting(team, "ada", "who");
  await gone(ada.user, await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" }));
  const other = await knowingMcp(team.people);
  const { sources } = team.workspace.store;
  const source = await sources.get("office");
  if (!source) throw new Error("there is no source");
  await sources.put({ ...source, settings: { ...source.settings, url: other.url } });
  expect(waits(await ada.user.ask(ada.thread_id, ada.model))?.kind).toBe("connect");
  expect(other.seen).toEqual([]);
});
