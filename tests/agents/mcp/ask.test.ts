import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { mcpServers } from "../../../agents/mcp/mcpServer.js";
import { serveHttp } from "../../../agents/mcp/serveHttp.js";
import { openToolbox } from "../../../agents/toolbox.js";
import { type Workspace, openWorkspace } from "../../../home/workspace.js";
import { newHome } from "../../fakes/homes.js";
import { programFile } from "../../fakes/programs.js";
import {
  EMBEDDINGS,
  fixture,
  folderOfTest,
  importOffice,
  importServer,
  importWeather,
} from "../../tools/sources/mcp/support.js";

beforeEach(() => {
  vi.stubEnv("TULIPGRAPH_KEY", randomBytes(32).toString("base64"));
});

/** How a client is connected. Each of both revisions and transports is in one. */
const WAYS = [
  { over: "stdio", era: "2025-11-25" },
  { over: "http", era: "2026-07-28" },
] as const;
type Way = (typeof WAYS)[number];

/** What a person does with the page that a client opens for them, or answers to a form (""); "no" declines. */
type Person = (page: string) => Promise<unknown>;

/** Types a key into the form of a page. */
const types = (key: string) => async (page: string) => {
  expect(await (await fetch(page)).text()).toContain('type="password" name="OFFICE_KEY"');
  await fetch(page, { method: "POST", body: new URLSearchParams({ OFFICE_KEY: key }) });
};

/** Imports sources that know people. */
async function importPeople(workspace: Workspace) {
  const office = await importOffice(workspace, new Map([["ada-secret-1", "ada"]]));
  await importWeather(workspace);
  await (await workspace.connections()).remove("");
  return office;
}

/** A client of a server with the library `team`, into which the sources are imported. */
async function connected<Sources>(options: {
  way?: Way;
  person?: Person;
  sources: (workspace: Workspace) => Promise<Sources>;
}) {
  const { way = WAYS[1], person, sources } = options;
  const home = newHome();
  const workspace = openWorkspace({ home });
  onTestFinished(() => workspace.close());
  const imported = await sources(workspace);
  const mode = way.over === "http" ? { pin: way.era } : ("legacy" as const);
  const capabilities = person ? { elicitation: { url: {}, form: {} } } : {};
  const about = { name: "test", version: "1" };
  const client = new Client(about, { capabilities, versionNegotiation: { mode } });
  const shown: string[] = [];
  if (person)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      shown.push(params.message);
      const said = await person("url" in params ? params.url : "");
      if (said === "no") return { action: "decline" };
      return {
        action: "accept",
        ...("url" in params ? {} : { content: said as Record<string, string> }),
      };
    });
  await client.connect(way.over === "http" ? await overHttp(home) : overStdio(home));
  onTestFinished(() => client.close());
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: given });
    return content[0]?.type === "text" ? content[0].text : "";
  };
  return { call, shown, imported };
}

async function overHttp(home: string) {
  const toolbox = await openToolbox({ library: "team", home, embeddings: EMBEDDINGS });
  const server = await serveHttp(mcpServers({ toolbox, allowWrites: true }), 0);
  onTestFinished(() => server.close());
  return new StreamableHTTPClientTransport(new URL(server.url));
}

/** The command, in a process of its own. */
function overStdio(home: string) {
  const command = ["mcp", "--library", "team", "--allow-writes"];
  const env = Object.entries({ ...process.env, TULIPGRAPH_HOME: home });
  return new StdioClientTransport({
    command: process.execPath,
    args: [programFile("tests/fakes/commandLine.ts"), ...command],
    env: Object.fromEntries(env.flatMap(([key, value]) => (value ? [[key, value]] : []))),
    stderr: "inherit",
  });
}

describe.each(WAYS)("a client over $over in revision $era that asks its person", (way) => {
  it("has a person type a key in a page of this machine, and the call goes on as them", async () => {
    const { call, shown } = await connected({
      way,
      person: types("ada-secret-1"),
      sources: importPeople,
    });
    expect(await call("call_tool", { tool: "office.who" })).toBe("ada");
    expect(shown).toEqual([expect.stringContaining("wants credentials of your own: OFFICE_KEY")]);
    expect(await call("call_tool", { tool: "office.who" })).toBe("ada");
    expect(shown).toHaveLength(1);
  });

  it("sends a person to the login of a server", async () => {
    const { call, shown } = await connected({
      way,
      person: (page) => fetch(page),
      sources: importPeople,
    });
    const warmth = { tool: "weather.warmth", arguments: { place: "Rome" } };
    expect(await call("call_tool", warmth)).toContain("21");
    expect(shown).toEqual([expect.stringContaining("wants you to log in")]);
  });

  it("has them connect in the middle of a plan, whose writes are made once", async () => {
    const { call, shown, imported } = await connected({
      way,
      person: types("ada-secret-1"),
      sources: importPeople,
    });
    const program = "const me = office.who({});\noffice.note({ text: me });\nreturn me;";
    expect(await call("run_plan", { program })).toBe("ada");
    expect(imported.notes).toEqual(["ada: ada"]);
    expect(shown).toHaveLength(1);
  });

  it("makes no call where they decline, and a plan says what it had written", async () => {
    let page = "";
    const { call, imported } = await connected({
      way,
      sources: importPeople,
      person: async (opened) => {
        if (!opened.includes("authorize")) return await types("ada-secret-1")(opened);
        page = opened;
        return "no";
      },
    });
    const program = 'office.note({ text: "tea" });\nreturn weather.warmth({ place: "Rome" });';
    expect(await call("run_plan", { program })).toMatch(
      /line 2: .*weather: .* the person did not connect; what it has written until then stands: office.note 1 ×/,
    );
    expect(page).not.toBe("");
    expect(imported.notes).toEqual(["ada: tea"]);
  });

  it("asks what the server behind a call wants to know, with a form", async () => {
    const answers: unknown[] = [{ name: "Ada", seats: 3 }, { name: "Bob" }, "no"];
    const { call, shown } = await connected({
      way,
      person: async () => answers.shift(),
      sources: async (workspace) => {
        const settings = fixture("asking.mjs", join(folderOfTest(), "log"), way.era.slice(0, 4));
        await importServer({ workspace, name: "tables", settings, library: "team" });
      },
    });
    const book = { tool: "tables.book", arguments: { table: "4" } };
    expect(await call("call_tool", book)).toBe("booked: 4 for Ada with 3 seats");
    const program = 'return tables.book({ table: "5" });';
    expect(await call("run_plan", { program })).toBe("booked: 5 for Bob with 2 seats");
    expect(await call("call_tool", book)).toContain("nobody said for whom");
    expect(shown).toEqual(
      ["4", "5", "4"].map((table) => `tables asks: Who is table ${table} for?`),
    );
  });
});

it("a client that searches is told what is away, and why", async () => {
  const { call } = await connected({ sources: importPeople });
  expect(await call("find_tools", { queries: ["how warm is it in a place"] })).toMatch(
    /Exist, but are out of reach: .*weather: the user is not connected/,
  );
});

it("a client that opens no page is told the command", async () => {
  const { call } = await connected({ sources: importPeople });
  expect(await call("call_tool", { tool: "office.who" })).toContain(
    "tulipgraph tools login office",
  );
});

describe.each(WAYS)("a client over $over in revision $era that sends JSON texts", (way) => {
  it("has them read as arguments and queries, and one query may be a bare text", async () => {
    const { call } = await connected({
      way,
      person: types("ada-secret-1"),
      sources: importPeople,
    });
    const warmth = { tool: "office.note", arguments: '{ "text": "as a text" }' };
    expect(await call("call_tool", warmth)).not.toContain("expected record");
    expect(await call("call_tool", { tool: "office.who", arguments: "" })).toBe("ada");
    expect(await call("find_tools", { queries: '["take a note"]' })).toContain("office.note");
    expect(await call("find_tools", { queries: "take a note" })).toContain("office.note");
    expect(await call("call_tool", { tool: "office.who", arguments: "[1" })).toContain("record");
  });

  it("is told the type of a result that was seen and not declared", async () => {
    const { call } = await connected({ way, person: types("ada-secret-1"), sources: importPeople });
    const find = () => call("find_tools", { queries: ["office.who"] });
    expect(await find()).not.toContain("as seen");
    await call("call_tool", { tool: "office.who" });
    expect(await find()).toContain("office.who(): string (as seen 1 time)");
  });
});
