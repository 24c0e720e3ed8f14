import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readConfig, readEntry } from "../../../../tools/sources/mcp/settings.js";

function write(content: unknown, name = "config.json"): string {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const program = { command: "node", args: ["a.js"], env: { K: "${K}" }, cwd: undefined };
const local = { command: "node", args: ["a.js"], env: { K: "${K}" } };
const place = { url: "https://x.example/mcp", headers: { A: "b" } };
const { url, headers } = place;

it.each<[client: string, content: unknown, entry: object, name?: string]>([
  ["Claude and Cursor", { mcpServers: { s: local } }, program],
  ["Windsurf", { mcpServers: { s: { serverUrl: url, headers } } }, place],
  ["Gemini", { mcpServers: { s: { httpUrl: url, headers, trust: true } } }, place],
  ["VS Code", { servers: { s: { type: "http", url, headers } }, inputs: [] }, place],
  ["VS Code's settings", { "editor.fontSize": 12, mcp: { servers: { s: local } } }, program],
  ["VS Code's settings in one key", { "mcp.servers": { s: local } }, program],
  ["Zed", { context_servers: { s: { source: "custom", ...local } } }, program],
  [
    "Zed in its first form",
    { context_servers: { s: { command: { path: "node", args: ["a.js"], env: { K: "${K}" } } } } },
    program,
  ],
  [
    "opencode",
    { mcp: { s: { type: "local", command: ["node", "a.js"], environment: { K: "{env:K}" } } } },
    program,
  ],
  ["opencode, elsewhere", { mcp: { s: { type: "remote", url, headers, enabled: true } } }, place],
  [
    "Codex",
    '[mcp_servers.s]\ncommand = "node"\nargs = ["a.js"]\n[mcp_servers.s.env]\nK = "${K}"\n',
    program,
    "config.toml",
  ],
  [
    "Codex, elsewhere",
    `[mcp_servers.s]\nurl = "${url}"\nbearer_token_env_var = "T"\nhttp_headers = { A = "b" }\n`,
    { url, headers: { A: "b", Authorization: "Bearer ${T}" } },
    "config.toml",
  ],
  ["a client with nothing but servers in its file", { s: local }, program],
  ["a client with a list of servers", { mcpServers: [{ name: "s", ...local }] }, program],
  [
    "a client with the address in its transport",
    { mcpServers: { s: { transport: place } } },
    place,
  ],
  [
    "somebody who writes the command in one line",
    { mcpServers: { s: { command: "node a.js", env: { K: "${K}", NONE: null } } } },
    program,
  ],
  [
    "Goose",
    "extensions:\n  s: { cmd: node, args: [a.js], envs: { K: '${K}' } }\n",
    program,
    "c.yaml",
  ],
  [
    "Continue",
    `mcpServers:\n  - name: s\n    url: ${url}\n    requestOptions: { timeout: 5 }\n    headers: { A: b }\n`,
    place,
    "config.yml",
  ],
  [
    "Continue with its own requests",
    `mcpServers:\n  - name: s\n    url: ${url}\n    requestOptions: { timeout: 5, headers: { A: b } }\n`,
    place,
    "config.yml",
  ],
  ["AnythingLLM", { mcpServers: { s: { type: "streamable", url, headers } } }, place],
  ["somebody who writes addresses alone", { servers: { s: url } }, { url, headers: {} }],
  [
    "somebody who writes an address for a command",
    { mcpServers: { s: { command: url, headers } } },
    place,
  ],
  [
    "somebody who writes arguments in one line",
    { mcpServers: { s: { ...local, args: " a.js" } } },
    program,
  ],
  [
    "somebody who knows a shell",
    { mcpServers: { s: { command: "~/node", args: ["~/a.js", null], cwd: "~" } } },
    { command: "${userHome}/node", args: ["${userHome}/a.js"], env: {}, cwd: "${userHome}" },
  ],
  [
    "Continue in its first form",
    { experimental: { modelContextProtocolServers: [{ name: "s", transport: local }] } },
    program,
  ],
  ["tiny agents", { model: "m", servers: [{ name: "s", type: "stdio", config: local }] }, program],
  ["any program's settings", { "zencoder.mcpServers": { s: local } }, program],
  [
    "a development container",
    { customizations: { vscode: { mcp: { servers: { s: local } } } } },
    program,
  ],
  ["Warp", { s: { ...local, working_directory: "/w" } }, { ...program, cwd: "/w" }],
  [
    "Anthropic's requests",
    { mcp_servers: [{ type: "url", url, name: "s", authorization_token: "T" }] },
    { url, headers: { Authorization: "Bearer T" } },
  ],
  [
    "somebody who lists variables",
    "mcpServers:\n  s: { command: node, args: [a.js], env: [{ name: K, value: '${K}' }] }\n",
    program,
    "c.yaml",
  ],
  ["somebody who lists headers", { mcpServers: { s: { url, headers: ["A: b"] } } }, place],
  [
    "somebody who writes JavaScript",
    "{ mcpServers: { s: { command: 'node', args: ['a.js'], env: { K: '${K}' } } } }",
    program,
  ],
  [
    "OpenAI's requests",
    { tools: [{ type: "mcp", server_label: "s", server_url: url, headers }] },
    place,
  ],
  ["a client with nothing but a list", [{ name: "s", ...local }], program],
  ["a client with ids", { mcpServers: [{ id: "s", ...local }] }, program],
  ["a client with dashes", { "mcp-servers": { s: { ...local, type: "node" } } }, program],
  ["a client that fills in nothing", { mcpServers: { s: { url: "", ...local } } }, program],
  ["a client with headers in a text", { mcpServers: { s: { url, headers: "A: b" } } }, place],
  [
    "Continue with its secrets",
    "mcpServers:\n  - { name: s, command: node, args: [a.js], env: { K: '${{ secrets.K }}' } }\n",
    program,
    "config.yaml",
  ],
  [
    "Codex with variables that are passed on",
    '[mcp_servers.s]\ncommand = "node"\nargs = ["a.js"]\nenv_vars = ["K"]\n',
    program,
    "config.toml",
  ],
  [
    "Codex under another name",
    '[mcp_servers.s]\ncommand = "node a.js"\nenv = { K = "${K}" }\n',
    program,
  ],
  [
    "somebody who writes a version in YAML",
    "mcpServers:\n  s: { command: node, args: [a.js], env: { K: 1.10 } }\n",
    { ...program, env: { K: "1.10" } },
    "c.yaml",
  ],
  [
    "somebody who quotes words",
    { mcpServers: { s: { command: 'node "a.js"', args: "--x 'b c'" } } },
    { command: "node", args: ["a.js", "--x", "b c"], env: {}, cwd: undefined },
  ],
  [
    "somebody who does not double backslashes",
    '{ "mcpServers": { "s": { "command": "C:\\node\\new.exe", "args": ["C:\\\\a"] } } }',
    { command: "C:\\node\\new.exe", args: ["C:\\a"], env: {}, cwd: undefined },
  ],
  [
    "somebody who writes JavaScript with an address",
    `// mine\n{ mcpServers: { s: { url: '${url}', headers: { A: 'b' } } } }`,
    place,
  ],
  ["Windows", `\uFEFF${JSON.stringify({ mcpServers: { s: local } })}`, program],
  [
    "somebody who comments",
    `{ // mine\n "mcpServers": { "s": { "url": "${url}", "headers": { "A": "b" }, }, /* last */ } }`,
    place,
  ],
])("the file of %s is read", (_client, content, entry, name) => {
  const file = write(content, name);
  expect(readConfig(file)).toEqual({ entries: ["s"], notes: [] });
  expect(readEntry("s", file, "s")).toEqual(entry);
});

it("a file may be written in UTF-16", () => {
  const file = write("");
  writeFileSync(file, `\uFEFF${JSON.stringify({ mcpServers: { s: local } })}`, "utf16le");
  expect(readEntry("s", file, "s")).toEqual(program);
});

it.each([
  "http",
  "HTTP",
  "streamable-http",
  "streamable_http",
  "streamableHttp",
  "StreamableHTTP",
  "sse",
])("the transport may be called %s", (type) => {
  for (const field of ["type", "transport"]) {
    const file = write({ mcpServers: { s: { [field]: type, url, headers } } });
    expect(readEntry("s", file, "s")).toEqual(place);
  }
});

it.each<[entry: unknown, problem: RegExp]>([
  [{ type: "websocket", url }, /"websocket" is not supported/],
  [{ ...local, disabled: true }, /disabled/],
  [{ ...local, enabled: false }, /disabled/],
  [{ ...local, isActive: false }, /disabled/],
  [{ args: [] }, /neither "command" nor "url"/],
  [{ ...local, active: false }, /disabled/],
  [{ ...local, disabled: "true" }, /disabled/],
  [{ command: "node", args: { a: 1 } }, /"args" are not a list/],
  [{ url: "wss://x.example" }, /web socket/],
  [{ url, headers: { A: "{file:~/token}" } }, /refers to a file/],
  ["node a.js", /not an object/],
])("an entry that cannot be used is left out with the reason: %j", (entry, problem) => {
  const { entries, notes } = readConfig(write({ mcpServers: { s: entry, t: local } }));
  expect(entries).toEqual(["t"]);
  expect(notes).toEqual([expect.stringMatching(problem)]);
});

it("a file of variables that is not read is told of", () => {
  const { entries, notes } = readConfig(write({ servers: { s: { ...local, envFile: ".env" } } }));
  expect(entries).toEqual(["s"]);
  expect(notes).toEqual([expect.stringMatching(/"envFile" is not read/)]);
});

it.each(["[]", "{", '{"a": 1}', "{}"])("a file without servers is refused: %s", (content) => {
  expect(() => readConfig(write(content))).toThrow(/JSON|no servers/);
});
