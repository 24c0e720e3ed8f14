import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { stringify } from "smol-toml";
import type { CommandForm } from "../command.js";
import { reasonOf } from "../../common/connections.js";
import { InvalidSetting, UnknownName, messageOf } from "../../common/errors.js";
import { fileText } from "../../common/dataFile.js";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";
import { defaultHome } from "../../home/home.js";
import { libraryNames } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { packageRoot } from "../../storage/packageRoot.js";
import { EXIT } from "../exit.js";
import { settingsOf } from "../options.js";
import { printLine, printTable, saysYes, tell } from "../printing/print.js";

/** The variable that holds a caller's key: no file gets the key itself. */
const KEY = "TULIPGRAPH_API_KEY";

/** How a client finds a server: at an address, with a key or without, or by starting it. */
type Server = { url: string; hasKey: boolean } | { command: string; args: string[]; env: object };

interface McpClient {
  file: string;
  /** Where the list of servers is in it. */
  list: string;
  /** The entry for an address; absent for a client that starts its servers. */
  remote?: (url: string, headers: { headers?: object }) => object;
  /** How the client writes the value of a variable in its file. */
  variable?: (name: string) => string;
  /** What else the file needs for the key, beside the list. */
  beside?: (hasKey: boolean) => Record<string, unknown[]>;
}

const { APPDATA = "", XDG_CONFIG_HOME = join(homedir(), ".config") } = process.env;
const DESKTOP: Partial<Record<NodeJS.Platform, string>> = {
  darwin: join(homedir(), "Library", "Application Support"),
  win32: APPDATA,
};

/** Clients, with the files that their documents name. */
const CLIENTS: Record<string, McpClient> = {
  claude: {
    file: ".mcp.json",
    list: "mcpServers",
    remote: (url, headers) => ({ type: "http", url, ...headers }),
    variable: (name) => `\${${name}}`,
  },
  "claude-desktop": {
    file: join(DESKTOP[process.platform] ?? XDG_CONFIG_HOME, "Claude/claude_desktop_config.json"),
    list: "mcpServers",
  },
  cursor: {
    file: join(homedir(), ".cursor/mcp.json"),
    list: "mcpServers",
    remote: (url, headers) => ({ url, ...headers }),
    variable: (name) => `\${env:${name}}`,
  },
  vscode: {
    file: ".vscode/mcp.json",
    list: "servers",
    remote: (url, headers) => ({ type: "http", url, ...headers }),
    variable: (name) => `\${input:${name}}`,
    beside: (hasKey) => ({
      inputs: hasKey
        ? [{ type: "promptString", id: KEY, description: "Key of tulipgraph", password: true }]
        : [],
    }),
  },
  codex: {
    file: join(homedir(), ".codex/config.toml"),
    list: "mcp_servers",
    remote: (url, { headers }) => ({ url, ...(headers && { bearer_token_env_var: KEY }) }),
  },
  gemini: {
    file: join(homedir(), ".gemini/settings.json"),
    list: "mcpServers",
    remote: (httpUrl, headers) => ({ httpUrl, ...headers }),
    variable: (name) => `$${name}`,
  },
  windsurf: {
    file: join(homedir(), ".codeium/windsurf/mcp_config.json"),
    list: "mcpServers",
    remote: (serverUrl, headers) => ({ serverUrl, ...headers }),
    variable: (name) => `\${env:${name}}`,
  },
};

/** `tulipgraph connect`: tells an MCP client where a library is. */
export const CONNECT: CommandForm = {
  about:
    "Add a server's address, or a library of this machine, to the configuration of an MCP client. Shows the change first, and keeps everything else in the file",
  args: { "[client]": `${Object.keys(CLIENTS).join(", ")}; when absent, lists them` },
  options: {
    "--url <address>": "a server that runs (tulipgraph serve); default: the client starts one",
    "--file <path>": "the client's file, if it is elsewhere",
    "--yes": "write the file without asking",
  },
  examples: [
    "tulipgraph connect cursor --library office",
    "tulipgraph connect claude --url https://agents.example.com --library crm",
  ],
  run: connect,
};

interface Options {
  url?: string;
  file?: string;
  yes?: boolean;
  library?: string;
}

async function connect(name: string | undefined, options: Options): Promise<number> {
  if (name === undefined) {
    const rows = Object.entries(CLIENTS).map(([client, { file }]) => [
      client,
      file,
      existsSync(file) ? "is there" : "",
    ]);
    printTable({ rows });
    return EXIT.done;
  }
  const client = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (!client)
    throw new UnknownName({ kind: "client", wanted: name, available: Object.keys(CLIENTS) });
  const file = resolve(options.file ?? client.file);
  const before = existsSync(file) ? fileText(file) : "";
  const server = await serverOf(options);
  const entry = entryOf(name, client, server);
  const isToml = file.endsWith(".toml");
  const change = { before, file, client, entry, hasKey: "hasKey" in server && server.hasKey };
  const after = isToml ? withTable(change) : withEntry(change);
  if (after === before) {
    tell(`${file} has it already`);
    return EXIT.done;
  }
  tell(before === "" ? `${file}, which is new, gets:` : `${file} gets, beside what it has:`);
  const shown = { [client.list]: { tulipgraph: entry }, ...client.beside?.(change.hasKey) };
  printLine(isToml ? stringify(shown).trimEnd() : JSON.stringify(shown, null, 2));
  if (!(options.yes ?? (process.stdin.isTTY && (await saysYes("Write it?"))))) {
    tell("Nothing was written; add --yes to write it");
    return EXIT.waiting;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
  const start = change.hasKey && name !== "vscode" ? ` Set ${KEY} where it starts.` : "";
  tell(`Wrote ${file}; restart ${name} to use it.${start}`);
  return EXIT.done;
}

async function serverOf(options: Options): Promise<Server> {
  const settings = await settingsOf(options);
  const { library } = parseSettings(settings);
  if (options.url === undefined) {
    if (!(await libraryNames(openWorkspace().store)).includes(library))
      tell(`note: there is no library ${library} yet; the client's server starts once there is`);
    const [command, ...args] = startedHere();
    const env = { TULIPGRAPH_HOME: defaultHome() };
    return { command, args: [...args, "mcp", "--library", library], env };
  }
  const at = URL.canParse(options.url) ? new URL(options.url) : undefined;
  if (!at || !/^https?:$/.test(at.protocol)) throw unreachable(options.url, "is not an address");
  const url = new URL("/mcp", at);
  if (settings.library !== undefined) url.searchParams.set("library", library);
  try {
    const { status } = await fetch(new URL("/info", at), { signal: AbortSignal.timeout(5_000) });
    if (status === 200 || status === 401) return { url: url.href, hasKey: status === 401 };
    throw new Error(`answers ${status}`);
  } catch (error) {
    throw unreachable(options.url, `is not the address of a tulipgraph server: ${reasonOf(error)}`);
  }
}

/** What starts this installation from any folder. One in npx's cache, which npx may empty, is started by npx. */
function startedHere(): [string, ...string[]] {
  const program = join(packageRoot(), "bin", "tulipgraph.mjs");
  const isCached = program.split(sep).includes("_npx");
  return isCached ? ["npx", "-y", "tulipgraph"] : [process.execPath, program];
}

function unreachable(url: string, problem: string): InvalidSetting {
  const hint = "Give the address that tulipgraph serve prints, while it runs";
  return new InvalidSetting({ setting: "--url", problem: `${url} ${problem}`, hint });
}

function entryOf(name: string, { remote, variable }: McpClient, server: Server): object {
  if (!("url" in server)) return server;
  if (!remote)
    throw new InvalidSetting({
      setting: "--url",
      problem: `the file of ${name} takes no addresses`,
      hint: "Add the address as a connector in its settings, or leave --url out",
    });
  const key = variable?.(KEY) ?? "";
  return remote(server.url, server.hasKey ? { headers: { Authorization: `Bearer ${key}` } } : {});
}

interface Change {
  before: string;
  file: string;
  client: McpClient;
  entry: object;
  hasKey: boolean;
}

/** A JSON file with the entry in its list, and else as it was. */
function withEntry({ before, file, client, entry, hasKey }: Change): string {
  let root: unknown;
  try {
    root = JSON.parse(before || "{}");
  } catch (error) {
    throw unusable(file, messageOf(error), { [client.list]: { tulipgraph: entry } });
  }
  const list = isObject(root) ? (root[client.list] ?? {}) : undefined;
  if (!isObject(root) || !isObject(list))
    throw unusable(file, `its "${client.list}" is not an object`, { tulipgraph: entry });
  const beside = Object.entries(client.beside?.(hasKey) ?? {}).map(([field, wanted]) => {
    const held = Array.isArray(root[field]) ? (root[field] as unknown[]) : [];
    const isNew = (each: unknown) => !held.some((one) => Object(one).id === Object(each).id);
    return [field, [...held, ...wanted.filter(isNew)]] as const;
  });
  const added = Object.fromEntries(beside.filter(([, values]) => values.length > 0));
  const after = { ...root, ...added, [client.list]: { ...list, tulipgraph: entry } };
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? "  ";
  if (JSON.stringify(after) === JSON.stringify(root)) return before;
  return `${JSON.stringify(after, null, indent)}\n`;
}

/** A TOML file with the table, in place of an earlier one, and else as it was, with its comments. */
function withTable({ before, client: { list }, entry }: Change): string {
  const own = new RegExp(`^\\[${list}\\.(?:tulipgraph|"tulipgraph")(?:\\..*)?\\]\\s*$`);
  let isOwn = false;
  const kept = before.split("\n").filter((line) => {
    if (line.trimStart().startsWith("[")) isOwn = own.test(line.trim());
    return !isOwn;
  });
  const table = stringify({ [list]: { tulipgraph: entry } })
    .replace(`[${list}]\n`, "")
    .trim();
  const rest = kept.join("\n").trimEnd();
  const after = `${rest === "" ? "" : `${rest}\n\n`}${table}\n`;
  return after.trim() === before.trim() ? before : after;
}

function unusable(file: string, problem: string, entry: object): InvalidSetting {
  const hint = `It is left as it is; add by hand: ${JSON.stringify(entry)}`;
  return new InvalidSetting({ setting: file, problem: `cannot be changed (${problem})`, hint });
}
