import { readFileSync } from "node:fs";
import { load as parseYaml } from "js-yaml";
import { parse as parseToml } from "smol-toml";
import { InvalidSetting } from "../../../common/errors.js";
import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";
import type { Unfilled } from "./entryUse.js";

/**
 * Where the list of servers is: in the files of Claude, Cursor, Windsurf and Gemini; of VS Code (`mcp.json`, and within
 * `settings.json`); of Zed; of Codex; of opencode; of Goose. Some of them have a list, with names in the entries.
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
  ["extensions"],
];

/** @throws InvalidSetting for a file that cannot be read or lists no servers */
export function serversIn(config: string): Record<string, unknown> {
  const root = readConfigFile(config);
  const lists = LISTS.map((path) =>
    named(path.reduce<unknown>((held, key) => (isObject(held) ? held[key] : undefined), root)),
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

/** A list of servers by their names. */
function named(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const entries = list.filter(isObject).map((entry) => [String(entry["name"]), entry] as const);
  return Object.fromEntries(entries);
}

/** Fields with an address, without case and separators. */
const ADDRESSES = new Set(["url", "serverurl", "httpurl", "baseurl", "uri", "endpoint"]);

/** Fields with the variables of a program, and with the headers of requests. */
const VARIABLES = ["env", "environment", "envs"];
const HEADERS = ["headers", "http_headers", "requestInit"];

/** How clients name the transports, without case and separators. A server of the old `sse` may know the newer one. */
const TRANSPORTS = new Set(
  "stdio local process command custom http https streamablehttp httpstream streaming remote sse url".split(
    " ",
  ),
);

/** How to reach the server of an entry, or why it is left out. */
export function serverOf(given: unknown): Unfilled | { problem: string } {
  if (!isObject(given)) return { problem: "it is not an object" };
  const entry = isObject(given["transport"]) ? { ...given, ...given["transport"] } : given;
  if (entry["disabled"] === true || entry["enabled"] === false)
    return { problem: "it is disabled in the file" };
  const { transport } = entry;
  const kind =
    entry["type"] ?? (isObject(transport) ? undefined : transport) ?? entry["transportType"];
  const isKnown =
    kind === undefined ||
    kind === null ||
    (typeof kind === "string" && TRANSPORTS.has(kind.toLowerCase().replaceAll(/[^a-z]/g, "")));
  if (!isKnown)
    return {
      problem: `its transport ${JSON.stringify(kind)} is not supported, only stdio and http`,
    };
  const address = Object.entries(entry).find(
    ([field, url]) =>
      ADDRESSES.has(field.toLowerCase().replaceAll("_", "")) && typeof url === "string",
  )?.[1];
  if (typeof address === "string") return { url: filledIn(address), headers: headersOf(entry) };
  return programOf(entry);
}

function programOf(entry: Record<string, unknown>): Unfilled | { problem: string } {
  const { command = entry["cmd"], cwd } = entry;
  // Zed once had an object here, and opencode has a list.
  const inner = isObject(command) ? command : {};
  const [program, ...first] = Array.isArray(command) ? command : [inner["path"] ?? command];
  if (typeof program !== "string") return { problem: 'it has neither "command" nor "url"' };
  const args = inner["args"] ?? entry["args"] ?? [];
  if (!Array.isArray(args)) return { problem: 'its "args" are not a list' };
  const [name = program, ...behind] =
    args.length === 0 && first.length === 0 && LINE.test(program) ? program.split(/\s+/) : [];
  const variables = VARIABLES.map((field) => inner[field] ?? entry[field]).find(isObject);
  return {
    command: filledIn(name),
    args: [...behind, ...first, ...args].map((arg) => filledIn(String(arg))),
    env: texts(variables),
    cwd: typeof cwd === "string" ? filledIn(cwd) : undefined,
  };
}

/** A command with its arguments; a path with a space in it is none. */
const LINE = /^[\w.@-]+(?:\s+[^\s"']+)+$/;

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
  const given = Object.entries(value).filter(([, text]) => text !== null);
  return Object.fromEntries(given.map(([key, text]) => [key, filledIn(String(text))]));
}

/** opencode refers to a variable by `{env:NAME}`, without a dollar. */
function filledIn(text: string): string {
  return text.replaceAll(/(?<!\$)\{env:([\w.-]+)\}/g, "${$1}");
}

const COMMENTS = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const TRAILING_COMMAS = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g;

const kept = (_all: string, text = "") => text;

const PARSERS: Record<"JSON" | "TOML" | "YAML", (text: string) => unknown> = {
  JSON: (text) => JSON.parse(text.replace(COMMENTS, kept).replace(TRAILING_COMMAS, kept)),
  TOML: parseToml,
  YAML: parseYaml,
};

/** A file of JSON, with comments or without, of TOML or of YAML. Errors show nothing of the content, which contains secrets. */
function readConfigFile(file: string): Record<string, unknown> {
  const form = /\.toml$/i.test(file) ? "TOML" : /\.ya?ml$/i.test(file) ? "YAML" : "JSON";
  const failed = (problem: string) =>
    new InvalidSetting({
      setting: file,
      problem,
      hint: "Name a file with MCP servers in JSON, TOML or YAML",
    });
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw failed(code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`);
  }
  try {
    const root = PARSERS[form](text);
    if (isObject(root)) return root;
  } catch {
    throw failed(`is not ${form}`);
  }
  throw failed("does not contain an object");
}
