import { readFileSync } from "node:fs";
import { load as parseYaml } from "js-yaml";
import { parse as parseToml } from "smol-toml";
import { InvalidSetting, oneLine } from "../../../common/errors.js";
import { jsonOrNothing } from "../../../common/jsonInText.js";
import { clipped, decoded } from "../../../common/text.js";
import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";
import type { Unfilled } from "./entryUse.js";

/**
 * Where the list of servers is if no key is like `mcpServers`, as in the files of Claude, Cursor, Windsurf, Gemini, Codex and
 * VS Code's settings: in those of VS Code (`mcp.json`), Zed, opencode and Goose. Some have a list, with names in the entries.
 */
const LISTS = ["servers", "context_servers", "mcp", "extensions"];

/** @throws InvalidSetting for a file that cannot be read or lists no servers */
export function serversIn(config: string): Record<string, unknown> {
  const root = readConfigFile(config);
  const lists = [nested(root), ...LISTS.map((key) => root[key])].map(named);
  const servers = lists.find(hasEntries);
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

function hasEntries(list: unknown): boolean {
  return typeof list === "object" && list !== null && Object.keys(list).length > 0;
}

/** How deep further settings are looked through. */
const DEEPEST = 4;

/** The servers in the settings of any program: `zencoder.mcpServers`, `customizations.vscode.mcp.servers`. */
function nested(held: unknown, depth = DEEPEST): unknown {
  if (!isObject(held) || depth === 0) return undefined;
  const own = Object.entries(held).find(([key, list]) => OF_SERVERS.test(key) && hasEntries(list));
  const inner = isObject(held["mcp"]) ? held["mcp"]["servers"] : undefined;
  const here = [own?.[1], inner].find(hasEntries);
  const further = Object.values(held).map((one) => nested(one, depth - 1));
  return here ?? further.find(hasEntries);
}

const OF_SERVERS = /(?:^|[._])mcp[._]?servers$/i;

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
const HEADERS = ["headers", "http_headers"];
const REQUESTS = ["requestInit", "requestOptions"];

/** How clients name the transports, without case and separators. A server of the old `sse` may know the newer one. */
const TRANSPORTS = new Set(
  "stdio local process command custom http https streamable streamablehttp httpstream streaming remote sse url".split(
    " ",
  ),
);

/** How to reach the server of an entry, or why it is left out. */
export function serverOf(given: unknown): Unfilled | { problem: string } {
  if (typeof given === "string" && ADDRESS.test(given)) return serverOf({ url: given });
  if (!isObject(given)) return { problem: "it is not an object" };
  const entry = isObject(given["transport"]) ? { ...given, ...given["transport"] } : given;
  if (entry["disabled"] === true || entry["enabled"] === false || entry["isActive"] === false)
    return { problem: "it is disabled in the file" };
  const kinds = [entry["type"], entry["transport"], entry["transportType"]];
  const kind = kinds.find((one) => typeof one === "string") ?? "url";
  const isKnown = TRANSPORTS.has(kind.toLowerCase().replaceAll(/[^a-z]/g, ""));
  if (!isKnown)
    return {
      problem: `its transport ${JSON.stringify(kind)} is not supported, only stdio and http`,
    };
  const { command } = entry;
  const [, address = command] =
    Object.entries(entry).find(
      ([field, url]) =>
        ADDRESSES.has(field.toLowerCase().replaceAll("_", "")) && typeof url === "string",
    ) ?? [];
  if (typeof address === "string" && (address !== command || ADDRESS.test(address)))
    return { url: filledIn(address), headers: headersOf(entry) };
  return programOf(entry);
}

const ADDRESS = /^\s*https?:\/\/\S+\s*$/i;

function programOf(entry: Record<string, unknown>): Unfilled | { problem: string } {
  const { command = entry["cmd"], cwd = entry["working_directory"] } = entry;
  // Zed once had an object here, and opencode has a list.
  const inner = isObject(command) ? command : {};
  const [program, ...first] = Array.isArray(command) ? command : [inner["path"] ?? command];
  if (typeof program !== "string") {
    const came = oneLine(clipped(Object.keys(entry).join(", "), LONGEST_NAMES)) || "nothing";
    return { problem: `it has neither "command" nor "url", but ${came}` };
  }
  const written = inner["args"] ?? entry["args"] ?? [];
  const isLine = typeof written === "string" && !/["']/.test(written);
  const args = isLine ? written.split(/\s+/).filter(Boolean) : written;
  if (!Array.isArray(args)) return { problem: 'its "args" are not a list' };
  const [name = program, ...behind] =
    args.length === 0 && first.length === 0 && LINE.test(program) ? program.split(/\s+/) : [];
  const variables = VARIABLES.map((field) => inner[field] ?? entry[field]).find(hasEntries);
  return {
    command: filledIn(name),
    args: [...behind, ...first, ...args].flatMap((arg) =>
      arg === null ? [] : filledIn(String(arg)),
    ),
    env: texts(variables),
    cwd: typeof cwd === "string" ? filledIn(cwd) : undefined,
  };
}

const LONGEST_NAMES = 100;

/** A command with its arguments; a path with a space in it is none. */
const LINE = /^[\w.@-]+(?:\s+[^\s"']+)+$/;

function headersOf(entry: Record<string, unknown>): Record<string, string> {
  const requests = REQUESTS.map((field) => entry[field]).filter(isObject);
  const all = [entry, ...requests].flatMap((one) => HEADERS.map((field) => one[field]));
  const named = Object.entries(texts(entry["env_http_headers"]));
  const token = entry["bearer_token_env_var"];
  const given = entry["authorization_token"];
  return {
    ...texts(all.find(hasEntries)),
    // Codex names variables.
    ...Object.fromEntries(named.map(([header, variable]) => [header, `\${${variable}}`])),
    ...(typeof token === "string" && { Authorization: `Bearer \${${token}}` }),
    ...(typeof given === "string" && {
      Authorization: `Bearer ${filledIn(given.replace(/^Bearer\s+/i, ""))}`,
    }),
  };
}

/** Variables or headers; some write a list of them, each as a text or as an object with its name. */
function texts(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  const pairs = Array.isArray(value) ? value.flatMap(pairOf) : Object.entries(value);
  const given = pairs.filter(([, text]) => text !== null && text !== undefined);
  return Object.fromEntries(given.map(([key, text]) => [key, filledIn(String(text))]));
}

function pairOf(one: unknown): [string, unknown][] {
  if (isObject(one)) return [[String(one["name"] ?? one["key"]), one["value"]]];
  const [, key, text] = /^([^:=]+)[:=]\s*([^]*)$/.exec(String(one)) ?? [];
  return key === undefined ? [] : [[key.trim(), text]];
}

/** opencode refers to a variable by `{env:NAME}`, without a dollar; no shell reads a `~`. */
function filledIn(text: string): string {
  return text.replaceAll(/(?<!\$)\{env:([\w.-]+)\}/g, "${$1}").replace(/^~(?=\/|$)/, "${userHome}");
}

const COMMENTS = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const TRAILING_COMMAS = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g;

const kept = (_all: string, text = "") => text;

const PARSERS: Record<"JSON" | "TOML" | "YAML", (text: string) => unknown> = {
  JSON(text) {
    const plain = text.replace(COMMENTS, kept).replace(TRAILING_COMMAS, kept);
    // In YAML, names need no quotes, and single ones do for texts.
    return jsonOrNothing(plain) ?? parseYaml(plain);
  },
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
    text = decoded(readFileSync(file));
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
