import { randomBytes } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { mcpServers } from "../../../agents/mcp/mcpServer.js";
import { serveHttp } from "../../../agents/mcp/serveHttp.js";
import { openToolbox } from "../../../agents/toolbox.js";
import { openWorkspace } from "../../../nodes/workspace/workspace.js";
import { withLogin } from "../../../tools/connections/own.js";
import { login } from "../../../tools/sources/mcp/login.js";
import { newHome } from "../../fakes/homes.js";
import { knowingMcp } from "../../fakes/knowingServers.js";
import { oauthServer } from "../../fakes/oauthServer.js";
import { EMBEDDINGS, importServer } from "../../tools/sources/mcp/support.js";

const KEYS = new Map([
  ["lister-key", "lister"],
  ["ada-secret-1", "ada"],
]);

beforeEach(() => {
  vi.stubEnv("TULIPGRAPH_KEY", randomBytes(32).toString("base64"));
  vi.stubEnv("OFFICE_KEY", "lister-key");
});

const ERAS = ["2025-11-25", "2026-07-28"] as const;

/** What a person does with the page that a client opens for them; undefined for a client that opens none. */
type Person = ((page: string) => Promise<unknown>) | undefined;

/** Types a key into the form of a page. */
const types = (key: string) => async (page: string) => {
  expect(await (await fetch(page)).text()).toContain('type="password" name="OFFICE_KEY"');
  await fetch(page, { method: "POST", body: new URLSearchParams({ OFFICE_KEY: key }) });
};

/** A client of a server with a library of sources that know people. */
async function connected(options: { era?: (typeof ERAS)[number]; person: Person }) {
  const { era = "2026-07-28", person } = options;
  const home = newHome();
  const workspace = openWorkspace({ home });
  onTestFinished(() => workspace.close());
  const [office, weather] = [await knowingMcp(KEYS), await oauthServer()];
  const credentials = "caller" as const;
  const headers = { Authorization: "Bearer $OFFICE_KEY" };
  const ofOffice = { url: office.url, headers, credentials };
  await importServer({ workspace, name: "office", settings: ofOffice, library: "team" });
  const source = { name: "weather", settings: { url: weather.url, headers: {}, credentials } };
  const store = await workspace.connections();
  const places = [new URL(weather.url).origin];
  const made = await login({ source, show: (address) => void fetch(address) });
  await store.keep({
    owner: "",
    source: "weather",
    kind: "login",
    places,
    ...withLogin(made ?? {}),
  });
  await importServer({ workspace, ...source, library: "team" });
  await store.remove("");
  const toolbox = await openToolbox({ library: "team", home, embeddings: EMBEDDINGS });
  const server = await serveHttp(mcpServers({ toolbox, allowWrites: true }), 0);
  const versionNegotiation = { mode: era === "2026-07-28" ? { pin: era } : ("legacy" as const) };
  const capabilities = person ? { elicitation: { url: {} } } : {};
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation });
  const shown: string[] = [];
  if (person)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const page = "url" in params ? params.url : "";
      shown.push(params.message);
      return { action: (await person(page)) === "no" ? "decline" : "accept" };
    });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: given });
    return content[0]?.type === "text" ? content[0].text : "";
  };
  return { call, shown, office };
}

describe.each(ERAS)("a client of revision %s that opens pages", (era) => {
  it("has a person type a key in a page of this machine, and the call goes on as them", async () => {
    const { call, shown } = await connected({ era, person: types("ada-secret-1") });
    expect(await call("call_tool", { tool: "office.who" })).toBe("ada");
    expect(shown).toEqual([expect.stringContaining("wants credentials of your own: OFFICE_KEY")]);
    expect(await call("call_tool", { tool: "office.who" })).toBe("ada");
    expect(shown).toHaveLength(1);
  });

  it("sends a person to the login of a server", async () => {
    const { call, shown } = await connected({ era, person: (page) => fetch(page) });
    const warmth = { tool: "weather.warmth", arguments: { place: "Rome" } };
    expect(await call("call_tool", warmth)).toContain("21");
    expect(shown).toEqual([expect.stringContaining("wants you to log in")]);
  });

  it("has them connect in the middle of a plan, whose writes are made once", async () => {
    const { call, shown, office } = await connected({ era, person: types("ada-secret-1") });
    const program = "const me = office.who({});\noffice.note({ text: me });\nreturn me;";
    expect(await call("run_plan", { program })).toBe("ada");
    expect(office.notes).toEqual(["ada: ada"]);
    expect(shown).toHaveLength(1);
  });

  it("makes no call where they decline, and a plan says what it had written", async () => {
    let page = "";
    const { call, office } = await connected({
      era,
      person: async (opened) => {
        if (!opened.includes("authorize")) return await types("ada-secret-1")(opened);
        page = opened;
        return "no";
      },
    });
    const program = 'office.note({ text: "tea" });\nreturn weather.warmth({ place: "Rome" });';
    expect(await call("run_plan", { program })).toMatch(
      /weather: .* has not connected: not called; what it has written until then stands: office.note 1 ×$/,
    );
    expect(page).not.toBe("");
    expect(office.notes).toEqual(["ada: tea"]);
  });
});

it("a client that opens no page is told the command", async () => {
  const { call } = await connected({ person: undefined });
  expect(await call("call_tool", { tool: "office.who" })).toContain(
    "tulipgraph tools login office",
  );
});
