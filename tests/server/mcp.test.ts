import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newHome } from "../fakes/homes.js";
import { serveTeam } from "./access/sources.js";
import type { User } from "./access/users.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { importInto, serveHere } from "./support.js";

/** What a client of either revision of the protocol can do here. */
interface McpClient {
  call: (name: string, given: object) => Promise<string>;
}

type Elicit = (asked: { message: string; url?: string }) => Promise<object>;

/** A client of the newest SDK, in either revision. */
function newest(mode: "legacy" | { pin: "2026-07-28" }) {
  return async (url: string, headers: Record<string, string>, elicit?: Elicit) => {
    const capabilities = elicit ? { elicitation: { url: {}, form: {} } } : {};
    const client = new Client(
      { name: "test", version: "1" },
      { capabilities, versionNegotiation: { mode } },
    );
    if (elicit)
      client.setRequestHandler(
        "elicitation/create",
        async ({ params }) => (await elicit(params)) as { action: "accept" },
      );
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
    onTestFinished(() => client.close());
    return {
      call: async (name: string, given: object) =>
        textIn(await client.callTool({ name, arguments: { ...given } })),
    };
  };
}

/** A client of the SDK that knows the older revision alone. */
async function older(url: string, headers: Record<string, string>): Promise<McpClient> {
  const client = new OldClient({ name: "test", version: "1" });
  const transport = new OldTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    call: async (name, given) => textIn(await client.callTool({ name, arguments: { ...given } })),
  };
}

function textIn(result: object): string {
  const { content = [] } = result as { content?: unknown };
  const [first] = content as { type: string; text?: string }[];
  return first?.text ?? "";
}

const CLIENTS = [
  ["@modelcontextprotocol/client in revision 2026-07-28", newest({ pin: "2026-07-28" })],
  ["@modelcontextprotocol/client in revision 2025-11-25", newest("legacy")],
  ["@modelcontextprotocol/sdk", older],
] as const;

/** A server with the tests' library, to which everybody on this machine has access. */
async function served() {
  const place = { home: newHome() };
  await importInto(place);
  const policyFile = join(place.home, "policy.json");
  writeFileSync(policyFile, JSON.stringify({ force: { approval: "writes" } }));
  const { url, client } = await serveHere(place, { policyFile });
  return { url: `${url}/mcp?library=${TEST_LIBRARY.library}`, client, home: place.home };
}

/** Milliseconds until something waits. */
const PATIENCE = 20_000;

const bearer = ({ token }: User) => ({ authorization: `Bearer ${token}` });

describe.each(CLIENTS)("%s", (_name, connect) => {
  it("finds tools and calls them, alone and in a plan", async () => {
    const { url } = await served();
    const { call } = await connect(url, {});
    expect(await call("find_tools", { queries: ["double a number"] })).toContain("double_number");
    expect(await call("call_tool", { tool: "double_number", arguments: { value: 21 } })).toBe("42");
    const program = "const a = double_number({ value: 2 });\nreturn halve_number({ value: a });";
    expect(await call("run_plan", { program })).toBe("2");
  });

  it.each(["run_plan", "call_tool"])(
    "waits with %s for a write to be approved on the page if it cannot ask, and makes it once",
    async (name) => {
      const { url, client, home } = await served();
      const { call } = await connect(url, {});
      const args = { file: join(home, "log"), line: "tea" };
      const { file } = args;
      const program = `return write_line(${JSON.stringify(args)});`;
      const given = name === "run_plan" ? { program } : { tool: "write_line", arguments: args };
      const made = call(name, given);
      const thread = await vi.waitFor(async () => {
        const [found] = await client.threads.search({ status: "interrupted" });
        if (!found) throw new Error("nothing waits yet");
        return found;
      }, PATIENCE);
      expect(existsSync(file)).toBe(false);
      const [waiting] = Object.values(thread.interrupts ?? {}).flat();
      expect(waiting?.value).toMatchObject({
        kind: "writes",
        actionRequests: [{ name: "write_line", args: { file, line: "tea" } }],
      });
      const resume = { decisions: [{ type: "approve" }] };
      await client.runs.wait(thread.thread_id, "on_page", { command: { resume } });
      expect(await made).toContain("written: tea");
      expect(readFileSync(file, "utf8")).toBe("tea\n");
    },
  );

  it("is refused without a key or a token, and sees no library but the caller's", async () => {
    const team = await serveTeam({ home: newHome() });
    const at = `${team.url}/mcp?library=`;
    await expect(connect(`${at}team`, {})).rejects.toThrow(Error);
    const headers = bearer(await team.as("ada"));
    await expect(connect(`${at}ada.notes`, headers)).rejects.toThrow(Error);
    const { call } = await connect(`${at}team`, headers);
    expect(await call("find_tools", { queries: ["write a note"] })).toContain("office.note");
    const reader = await connect(`${at}team`, bearer(await team.as("ada", "read")));
    expect(await reader.call("find_tools", { queries: ["write a note"] })).toContain("office.note");
    expect(await reader.call("call_tool", { tool: "office.who" })).toContain("needs the scope run");
  });

  it("has its caller connect on the page, and calls as that person", async () => {
    const team = await serveTeam({ home: newHome() });
    const ada = await team.as("ada");
    const { call } = await connect(`${team.url}/mcp?library=team`, bearer(ada));
    const who = call("call_tool", { tool: "office.who" });
    await vi.waitFor(async () => {
      const [found] = await ada.client.threads.search({ status: "interrupted" });
      const [waiting] = Object.values(found?.interrupts ?? {}).flat();
      expect(waiting?.value).toMatchObject({ kind: "connect", connect: [{ source: "office" }] });
    }, PATIENCE);
    await ada.connect("office", { OFFICE_KEY: "ada-secret-1" });
    expect(await who).toBe("ada");
    const calls = await team.journal.calls(
      (await ada.client.threads.search({ metadata: { by: "mcp" } }))[0]?.thread_id ?? "",
    );
    expect(calls.at(-1)).toMatchObject({ onBehalfOf: expect.stringContaining("ada") });
  });
});

describe.each(CLIENTS.slice(0, 2))("%s that can ask its person", (_name, connect) => {
  it("has them approve a write there, and opens the page where they connect", async () => {
    const team = await serveTeam({ home: newHome() });
    const ada = await team.as("ada");
    const asked: string[] = [];
    const elicit: Elicit = async ({ message, url }) => {
      asked.push(url === undefined ? message : new URL(url).hash);
      if (url === undefined) return { action: "accept", content: { approve: true } };
      await ada.connect("office", { OFFICE_KEY: "ada-secret-1" });
      return { action: "accept" };
    };
    const { call } = await connect(`${team.url}/mcp?library=team`, bearer(ada), elicit);
    const program = 'office.note({ text: "tea" });\nreturn office.who({});';
    expect(await call("run_plan", { program })).toContain("ada");
    expect(team.office.notes).toEqual(["ada: tea"]);
    expect(asked).toEqual([expect.stringContaining("office.note"), "#approvals"]);
  });
});

it("a session of the older revision is unknown to other callers", async () => {
  const team = await serveTeam({ home: newHome() });
  const url = `${team.url}/mcp?library=team`;
  const send = (user: User, session: object, body: object) =>
    fetch(url, {
      method: "POST",
      headers: {
        ...bearer(user),
        ...session,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
    });
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const [ada, bob] = [await team.as("ada"), await team.as("bob")];
  const begun = await send(ada, {}, { method: "initialize", params });
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  expect((await send(ada, session, { method: "tools/list" })).status).toBe(200);
  expect((await send(bob, session, { method: "tools/list" })).status).toBe(404);
});
