import { readFileSync } from "node:fs";
import { parse as parseToml } from "smol-toml";
import { InvalidSetting } from "../../../common/errors.js";
import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";
import type { Unfilled } from "./entryUse.js";

/**
 * Where the list of servers is: in the files of Claude, Cursor, Windsurf and Gemini; of VS Code (`mcp.json`, and within
 * `settings.json`); of Zed; of Codex; of opencode.
 */
const LISTS: readonly (readonly string[])[] = [
  ["mcpServers"],
  ["mcp", "servers"],
  ["mcp.servers"],
  ["mcp", "mcpServers"],
  ["amp.mcpServers"],
  ["servers"],
  ["context_servers"],
  ["mcp_servers"],
  ["mcp"],
];

/** @throws InvalidSetting for a file that cannot be read or lists no servers */
export function serversIn(config: string): Record<string, unknown> {
  const root = readConfigFile(config);
  const lists = LISTS.map((path) =>
    path.reduce<unknown>((held, key) => (isObject(held) ? held[key] : undefined), root),
  );
  const servers = lists.find((list) => isObject(list) && Object.keys(list).length > 0);
  if (isObject(servers)) return servers;
  // Some clients have nothing but servers in the file.
  const all = Object.values(root);
  if (all.length > 0 && all.every((entry) => !("problem" in serverOf(entry)))) return root;
  throw new InvalidSetting({
    setting: config,
    problem: 'lists no servers under "mcpServers" or "servers"',
    hint: 'Write { "mcpServers": { "NAME": { "command": "…", "args": […] } } }',
  });
}

const ADDRESSES = ["url", "serverUrl", "httpUrl", "server_url", "uri", "endpoint"];

/** Fields with the variables of a program, and with the headers of requests. */
const VARIABLES = ["env", "environment"];
const HEADERS = ["headers", "http_headers", "requestInit"];

/** How clients name the transports, without case and separators. A server of the old `sse` may know the newer one. */
const TRANSPORTS = new Set(
  "stdio local process command custom http https streamablehttp httpstream streaming remote sse url".split(
    " ",
  ),
);

/** How to reach the server of an entry, or why it is left out. */
export function serverOf(entry: unknown): Unfilled | { problem: string } {
  if (!isObject(entry)) return { problem: "it is not an object" };
  if (entry["disabled"] === true || entry["enabled"] === false)
    return { problem: "it is disabled in the file" };
  const transport = entry["type"] ?? entry["transport"] ?? entry["transportType"];
  const kind = isObject(transport) ? transport["type"] : transport;
  const isKnown =
    kind === undefined ||
    kind === null ||
    (typeof kind === "string" && TRANSPORTS.has(kind.toLowerCase().replaceAll(/[^a-z]/g, "")));
  if (!isKnown)
    return {
      problem: `its transport ${JSON.stringify(kind)} is not supported, only stdio and http`,
    };
  const address = ADDRESSES.map((field) => entry[field]).find((url) => typeof url === "string");
  if (typeof address === "string") return { url: filledIn(address), headers: headersOf(entry) };
  return programOf(entry);
}

function programOf(entry: Record<string, unknown>): Unfilled | { problem: string } {
  const { command, cwd } = entry;
  // Zed once had an object here, and opencode has a list.
  const inner = isObject(command) ? command : {};
  const [program, ...first] = Array.isArray(command) ? command : [inner["path"] ?? command];
  if (typeof program !== "string") return { problem: 'it has neither "command" nor "url"' };
  const args = inner["args"] ?? entry["args"] ?? [];
  if (!Array.isArray(args)) return { problem: 'its "args" are not a list' };
  const variables = VARIABLES.map((field) => inner[field] ?? entry[field]).find(isObject);
  return {
    command: filledIn(program),
    args: [...first, ...args].map((arg) => filledIn(String(arg))),
    env: texts(variables),
    cwd: typeof cwd === "string" ? filledIn(cwd) : undefined,
  };
}

function headersOf(entry: Record<string, unknown>): Record<string, string> {
  const written = HEADERS.map((field) => entry[field]).find(isObject);
  const inner = isObject(written?.["headers"]) ? written["headers"] : written;
  const named = Object.entries(texts(entry["env_http_headers"]));
  const token = entry["bearer_token_env_var"];
  return {
    ...texts(inner),
    // Codex names variables.
    ...Object.fromEntries(named.map(([header, variable]) => [header, `\${${variable}}`])),
    ...(typeof token === "string" && { Authorization: `Bearer \${${token}}` }),
  };
}

function texts(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, text]) => [key, filledIn(String(text))]),
  );
}

/** opencode refers to a variable by `{env:NAME}`, without a dollar. */
function filledIn(text: string): string {
  return text.replaceAll(/(?<!\$)\{env:([\w.-]+)\}/g, "${$1}");
}

const COMMENTS = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const TRAILING_COMMAS = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g;

const kept = (_all: string, text = "") => text;

/** A file of JSON, with comments or without, or of TOML. Errors show nothing of the content, which contains secrets. */
function readConfigFile(file: string): Record<string, unknown> {
  const isToml = /\.toml$/i.test(file);
  const failed = (problem: string) =>
    new InvalidSetting({
      setting: file,
      problem,
      hint: "Name a file with MCP servers in JSON or TOML",
    });
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw failed(code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`);
  }
  try {
    const root: unknown = isToml
      ? parseToml(text)
      : JSON.parse(text.replace(COMMENTS, kept).replace(TRAILING_COMMAS, kept));
    if (isObject(root)) return root;
  } catch {
    throw failed(`is not ${isToml ? "TOML" : "JSON"}`);
  }
  throw failed("does not contain a JSON object");
}
