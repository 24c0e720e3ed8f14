import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "smol-toml";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openKeys } from "../../server/access/keys.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../server/schema.js";
import { openStore } from "../../storage/database.js";
import { serverOf, serversIn } from "../../tools/sources/mcp/configFile.js";
import { serveHere } from "../server/support.js";
import { errorLine, run, temporaryFolder } from "./support.js";

let folder = "";

beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
});

/** Clients with the ending of their files, and what each has for the address and the key. */
const REMOTE: [client: string, ending: string, entry: (url: string) => object][] = [
  ["claude", "json", (url) => ({ type: "http", url, headers: bearer("${TULIPGRAPH_API_KEY}") })],
  ["cursor", "json", (url) => ({ url, headers: bearer("${env:TULIPGRAPH_API_KEY}") })],
  [
    "vscode",
    "json",
    (url) => ({ type: "http", url, headers: bearer("${input:TULIPGRAPH_API_KEY}") }),
  ],
  ["codex", "toml", (url) => ({ url, bearer_token_env_var: "TULIPGRAPH_API_KEY" })],
  ["gemini", "json", (httpUrl) => ({ httpUrl, headers: bearer("$TULIPGRAPH_API_KEY") })],
  [
    "windsurf",
    "json",
    (serverUrl) => ({ serverUrl, headers: bearer("${env:TULIPGRAPH_API_KEY}") }),
  ],
];

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** A server that wants a key. */
async function closedServer() {
  const place = { home: join(folder, "home") };
  mkdirSync(place.home, { recursive: true });
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  await openKeys(data).create({ name: "one", owner: "ada", scopes: ["run"] });
  await data.close();
  return await serveHere(place);
}

describe.each(REMOTE)("connect %s", (client, ending, entry) => {
  it("adds a server's address, with the variable that holds the key, beside what the file has", async () => {
    const { url } = await closedServer();
    const file = join(folder, `config.${ending}`);
    const before =
      ending === "toml" ? '# mine\nmodel = "o3"\n' : '{\n    "mine": [1, { "a": 2 }]\n}\n';
    writeFileSync(file, before);
    const words = ["connect", client, "--url", url, "--library", "crm", "--file", file];
    const shown = await run(...words);
    expect(shown).toMatchObject({ code: 3, stderr: expect.stringContaining(file) });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect((await run(...words, "--yes")).code).toBe(0);
    expect(serversIn(file)).toEqual({ tulipgraph: entry(`${url}/mcp?library=crm`) });
    const after = readFileSync(file, "utf8");
    const read = (text: string) => (ending === "toml" ? parse(text) : JSON.parse(text)) as object;
    expect(read(after)).toMatchObject(read(before));
    expect(after).toContain(ending === "toml" ? "# mine" : '\n    "mine"');
    const again = await run(...words, "--yes");
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("has it already") });
    expect(readFileSync(file, "utf8")).toBe(after);
  });
});

it.each(["claude", "claude-desktop", "cursor", "vscode", "codex", "gemini", "windsurf"])(
  "connect %s has the client start a server on this machine's libraries, and replaces its own entry alone",
  async (client) => {
    const file = join(folder, client === "codex" ? "config.toml" : "config.json");
    const words = ["connect", client, "--file", file, "--yes", "--library"];
    await run(...words, "old");
    const { code, stderr } = await run(...words, "office");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("no library office yet"),
    });
    const { tulipgraph, ...others } = serversIn(file);
    expect(others).toEqual({});
    // Whatever folder the client starts it in, and whether or not a registry has the package.
    const program = resolve("bin/tulipgraph.mjs");
    expect(serverOf(tulipgraph)).toMatchObject({
      command: process.execPath,
      args: [program, "mcp", "--library", "office"],
      env: { TULIPGRAPH_HOME: join(folder, "home") },
    });
  },
);

it("connect leaves a file alone that it cannot read, and says what to add by hand", async () => {
  const file = join(folder, "mcp.json");
  const before = '{ // with a comment\n "servers": {} }';
  writeFileSync(file, before);
  const line = errorLine(await run("connect", "vscode", "--file", file, "--yes"));
  expect(line).toMatch(/mcp\.json.*add by hand: \{"servers":\{"tulipgraph"/);
  expect(readFileSync(file, "utf8")).toBe(before);
});

it("connect names the clients there are, and refuses an address where no server is", async () => {
  expect((await run("connect")).stdout).toMatch(/^claude .*\.mcp\.json/);
  expect(errorLine(await run("connect", "emacs"))).toMatch(/emacs.*claude, claude-desktop/);
  const away = ["connect", "cursor", "--url", "http://127.0.0.1:9"];
  expect(errorLine(await run(...away))).toMatch(/not the address of a tulipgraph server/);
  const { url } = await closedServer();
  const desktop = await run("connect", "claude-desktop", "--url", url);
  expect(errorLine(desktop)).toMatch(/takes no addresses.*connector/);
});
