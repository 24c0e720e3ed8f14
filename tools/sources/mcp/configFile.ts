import { readFileSync } from "node:fs";
import { InvalidSetting } from "../../../common/errors.js";
import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";
import { McpFailed } from "./mcpFailed.js";
import type { Unfilled } from "./settings.js";

/** What a configuration file says about its servers. */
export interface ConfigReading {
  /** Names of the servers, as in the file. */
  entries: string[];
  /** One line for each ignored key and each server that is left out. */
  notes: string[];
}

/** Where the list of servers is: in the files of Claude Desktop and Cursor, and of VS Code. */
const LISTS = ["mcpServers", "servers"] as const;

/** Known keys besides the list of servers; `inputs` are values that VS Code asks for. */
const KNOWN_BESIDE: readonly string[] = [...LISTS, "inputs", "$schema"];

const KNOWN_KEYS: readonly string[] = "type command args env cwd url headers disabled".split(" ");

/** Transports by their names in such files. The protocol no longer has SSE as a separate transport. */
const KNOWN_TYPES: readonly unknown[] = [
  undefined,
  "stdio",
  "http",
  "streamable-http",
  "streamableHttp",
];

/**
 * The servers of a `claude_desktop_config.json`, or of the `mcp.json` of VS Code or Cursor. Comments and trailing
 * commas are allowed.
 *
 * @throws InvalidSetting for a file that cannot be read or lists no servers
 */
export function readConfig(config: string): ConfigReading {
  const { root, servers } = serversIn(config);
  const notes = Object.keys(root)
    .filter((key) => !KNOWN_BESIDE.includes(key))
    .map((key) => `"${key}" has no meaning here and is ignored`);
  const entries = Object.entries(servers).flatMap(([name, entry]) => {
    const problem = entryProblem(entry);
    if (problem) notes.push(`server ${name} is left out: ${problem}`);
    if (problem || !isObject(entry)) return [];
    const unknown = Object.keys(entry).filter((key) => !KNOWN_KEYS.includes(key));
    if (unknown.length > 0) {
      notes.push(`server ${name}: ${unknown.map((key) => `"${key}"`).join(", ")} ignored`);
    }
    return [name];
  });
  return { entries, notes };
}

/**
 * One server of a configuration file, as it is there now.
 *
 * @throws McpFailed if it is gone or no longer usable
 */
export function readEntry(options: { name: string; config: string; entry: string }): Unfilled {
  const { name, config, entry } = options;
  try {
    const { servers } = serversIn(config);
    const found = Object.hasOwn(servers, entry) ? servers[entry] : undefined;
    const problem = found === undefined ? "is no longer in it" : entryProblem(found);
    if (problem || !isObject(found)) {
      throw new InvalidSetting({ setting: config, problem: `server ${entry} ${problem}` });
    }
    if (typeof found["url"] === "string") {
      return { url: found["url"], headers: texts(found["headers"]) };
    }
    const { command, args = [], env, cwd } = found;
    return {
      command: String(command),
      args: (args as unknown[]).map(String),
      env: texts(env),
      cwd: typeof cwd === "string" ? cwd : undefined,
    };
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
    const hint = `Put it back, or import the server again: tulipgraph tools import mcp ${name} …`;
    throw new McpFailed({ server: name, problem: error.message, hint });
  }
}

function serversIn(config: string) {
  const root = readJsonWithComments(config);
  const key = LISTS.find((list) => isObject(root[list]));
  const servers = key && root[key];
  if (isObject(servers) && Object.keys(servers).length > 0) return { root, servers };
  throw new InvalidSetting({
    setting: config,
    problem: 'lists no servers under "mcpServers" or "servers"',
    hint: 'Write { "mcpServers": { "NAME": { "command": "…", "args": […] } } }',
  });
}

function entryProblem(entry: unknown): string | undefined {
  if (!isObject(entry)) return "it is not an object";
  const { type, command, args, url, disabled } = entry;
  if (disabled === true) return "it is disabled in the file";
  if (!KNOWN_TYPES.includes(type)) {
    return `its transport ${JSON.stringify(type)} is not supported, only stdio and http`;
  }
  if (typeof url === "string") return undefined;
  if (typeof command !== "string") return 'it has neither "command" nor "url"';
  return args === undefined || Array.isArray(args) ? undefined : 'its "args" are not a list';
}

function texts(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]));
}

const COMMENTS = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const TRAILING_COMMAS = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g;

const kept = (_all: string, text = "") => text;

/** Errors show nothing of the content, which contains secrets. */
function readJsonWithComments(file: string): Record<string, unknown> {
  const failed = (problem: string) =>
    new InvalidSetting({ setting: file, problem, hint: "Name a file with MCP servers in JSON" });
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw failed(code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`);
  }
  try {
    const root: unknown = JSON.parse(text.replace(COMMENTS, kept).replace(TRAILING_COMMAS, kept));
    if (isObject(root)) return root;
  } catch {
    throw failed("is not JSON");
  }
  throw failed("does not contain a JSON object");
}
