import { parse as parseToml } from "smol-toml";
import { InvalidSetting, oneLine } from "../../../common/errors.js";
import { COMMENTS_BEFORE, parseJson } from "../../../common/jsonInText.js";
import { clipped } from "../../../common/text.js";
import { fileText } from "../../../common/dataFile.js";
import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";
import { parseYaml } from "../yaml.js";
import type { Unfilled } from "./entryUse.js";

/**
 * Where the list of servers is if no key is like `mcpServers`, as in the files of Claude, Cursor, Windsurf, Gemini, Codex and
 * VS Code's settings: in those of VS Code (`mcp.json`), Zed, opencode and Goose. Some have a list, with names in the entries.
 */
const LISTS = ["servers", "context_servers", "mcp", "extensions", "tools"];

/** @throws InvalidSetting for a file that cannot be read or lists no servers */
export function serversIn(config: string): Record<string, unknown> {
  const root = readConfigFile(config);
  const lists = [nested(root), root["list"], ...LISTS.map((key) => root[key])].map(named);
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

const OF_SERVERS = /(?:^|[._])(?:mcp|modelcontextprotocol)[._-]?servers$/i;

/** A list of servers by their names. */
function named(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const entries = list.filter(isObject).map((entry, at) => {
    const { server_label: label, id = label, name = id } = entry;
    return [typeof name === "string" ? name : `server-${at + 1}`, entry] as const;
  });
  return Object.fromEntries(entries);
}

/** Fields with an address, without case and separators. */
const ADDRESSES = new Set(
  "url serverurl httpurl baseurl sseurl mcpurl uri endpoint address".split(" "),
);

/** Fields with the variables of a program, and with the headers of requests. */
const VARIABLES = ["env", "environment", "envs"];
const HEADERS = ["headers", "http_headers"];
const REQUESTS = ["requestInit", "requestOptions"];
const TOKENS = ["authorization_token", "authorization", "bearerToken", "bearer_token"];

/** How clients name the transports, without case and separators. A server of the old `sse` may know the newer one. */
const TRANSPORTS = new Set(
  "stdio local process command custom http https httpsse streamable streamablehttp httpstream streaming remote sse url mcp".split(
    " ",
  ),
);

/** How to reach the server of an entry, or why it is left out. */
export function serverOf(given: unknown): Unfilled | { problem: string } {
  const read = entryOf(given);
  if (!/\{file:/.test(JSON.stringify(read))) return read;
  return { problem: 'it refers to a file ("{file:…}"), which is not read; write ${NAME} instead' };
}

function entryOf(given: unknown): Unfilled | { problem: string } {
  if (typeof given === "string" && ADDRESS.test(given)) return entryOf({ url: given });
  if (!isObject(given)) return { problem: "it is not an object" };
  const inside = [given["transport"], given["config"]].find(isObject);
  const entry = inside ? { ...given, ...inside } : given;
  const isOff = [entry["disabled"], entry["disable"]].some((one) => String(one) === "true");
  const isOn = ["enabled", "isActive", "active"].every((key) => String(entry[key]) !== "false");
  if (isOff || !isOn) return { problem: "it is disabled in the file" };
  const kinds = [entry["type"], entry["transport"], entry["transportType"]];
  const kind = kinds.find((one) => typeof one === "string") ?? "url";
  const isKnown = TRANSPORTS.has(kind.toLowerCase().replaceAll(/[^a-z]/g, ""));
  if (!isKnown && !entry["command"])
    return {
      problem: `its transport ${JSON.stringify(kind)} is not supported, only stdio and http`,
    };
  const { command } = entry;
  const [, address = command] =
    Object.entries(entry).find(
      ([field, url]) =>
        ADDRESSES.has(field.toLowerCase().replaceAll("_", "")) &&
        typeof url === "string" &&
        url.trim() !== "",
    ) ?? [];
  if (typeof address === "string" && /^\s*wss?:/i.test(address))
    return { problem: "its transport is a web socket, and only stdio and http are supported" };
  if (typeof address === "string" && (address !== command || ADDRESS.test(address)))
    return { url: filledIn(address), headers: headersOf(entry) };
  return programOf(entry);
}

const ADDRESS = /^\s*https?:\/\/\S+\s*$/i;

function programOf(entry: Record<string, unknown>): Unfilled | { problem: string } {
  const { command = entry["cmd"] } = entry;
  const cwd = FOLDERS.map((field) => entry[field]).find(isText);
  // Zed once had an object here, and opencode has a list.
  const inner = isObject(command) ? command : {};
  const [program, ...first] = Array.isArray(command) ? command : [inner["path"] ?? command];
  if (typeof program !== "string") {
    const came = oneLine(clipped(Object.keys(entry).join(", "), LONGEST_NAMES)) || "nothing";
    return { problem: `it has neither "command" nor "url", but ${came}` };
  }
  const { args: written = entry["args"] ?? [] } = inner;
  const args = typeof written === "string" ? words(written) : written;
  if (!Array.isArray(args)) return { problem: 'its "args" are not a list' };
  const [name = program, ...behind] =
    first.length === 0 && LINE.test(program) ? words(program) : [];
  const variables = VARIABLES.map((field) => inner[field] ?? entry[field]).find(hasEntries);
  // Codex and Goose name variables of the environment.
  const passed = [entry["env_vars"] ?? entry["env_keys"] ?? []].flat().map(String);
  return {
    command: filledIn(name),
    args: [...behind, ...first, ...args].flatMap((arg) =>
      arg === null ? [] : filledIn(String(arg)),
    ),
    env: { ...Object.fromEntries(passed.map((key) => [key, `\${${key}}`])), ...texts(variables) },
    cwd: cwd === undefined ? undefined : filledIn(cwd),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

const FOLDERS = ["cwd", "working_directory", "workingDirectory"];

const LONGEST_NAMES = 100;

/** A command with its arguments; a path with a space in it is none. */
const LINE = /^[\w.@-]+(?:\s+\S+)+$|^\/[^\s"']+(?:\s+-\S*)+(?:\s+\S+)*$/;

/** The words of a line, as a shell reads them. */
function words(line: string): string[] {
  const read = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return read.map((word) => word.replaceAll(/["']/g, ""));
}

function headersOf(entry: Record<string, unknown>): Record<string, string> {
  const requests = REQUESTS.map((field) => entry[field]).filter(isObject);
  const all = [entry, ...requests].flatMap((one) => HEADERS.map((field) => one[field]));
  const named = Object.entries(texts(entry["env_http_headers"]));
  const token = entry["bearer_token_env_var"];
  const given = TOKENS.map((field) => entry[field]).find(isText);
  return {
    ...texts(all.find((one) => typeof one === "string" || hasEntries(one))),
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
  if (typeof value === "string") return texts(value.split("\n"));
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

/**
 * What clients write in place of `${NAME}`: opencode `{env:NAME}`, Continue `${{ secrets.NAME }}`, Kilo `${env.NAME}`,
 * containers `${localEnv:NAME}`; no shell reads a `~`.
 */
function filledIn(text: string): string {
  return text
    .replaceAll(/(?<!\$)\{env:([\w.-]+)\}/g, "${$1}")
    .replaceAll(/\$\{\{\s*(?:secrets|env)\.([\w.-]+)\s*\}\}/g, "${$1}")
    .replaceAll(/\$\{(?:env\.|localEnv:)([\w-]+)\}/g, "${$1}")
    .replace(/^~(?=\/|$)/, "${userHome}");
}

/** Paths of Windows in which nobody has doubled the backslashes. */
const DRIVES = /"[A-Za-z]:\\(?!\\)[^"\n]*"/g;

const doubled = (path: string) => path.replaceAll("\\", "\\\\");

const PARSERS: Record<"JSON" | "TOML" | "YAML", (text: string) => unknown> = {
  JSON(text) {
    const json = parseJson(text.replace(COMMENTS_BEFORE, "").replaceAll(DRIVES, doubled));
    if (json !== undefined) return json;
    // A TOML file without its ending begins with a table or a value.
    return /^\s*(?:#.*\s+)*(?:\[+[\w."-]+\]+|[\w.]+\s*=)/.test(text)
      ? parseToml(text)
      : PARSERS.YAML(text);
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
    text = fileText(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw failed(code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`);
  }
  try {
    const root = PARSERS[form](text);
    if (Array.isArray(root)) return { list: root };
    if (isObject(root)) return "command" in root || "url" in root ? { list: [root] } : root;
  } catch {
    throw failed(`is not ${form}`);
  }
  throw failed("does not contain an object");
}
