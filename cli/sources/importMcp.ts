import { resolve } from "node:path";
import { InvalidSetting, UnknownName } from "../../common/errors.js";
import { holdsSecret } from "../../common/secrets.js";
import { SOURCE_NAME } from "../../tools/remote.js";
import { readServer } from "../../tools/sources/mcp/listing.js";
import { openWorkspace } from "../../home/workspace.js";
import { EXIT } from "../exit.js";
import { type ConnectedOptions, importConnected } from "./importConnected.js";
import { importAll, knownSource, ownLibrary, printConnected, takenFrom } from "./importFile.js";
import { whileWorking } from "../printing/longWork.js";
import { saysYes, tell } from "../printing/print.js";
import { entryHash, entryText } from "../../tools/sources/mcp/entryUse.js";
import {
  type McpSettings,
  readConfig,
  readEntry,
  settingsOf,
} from "../../tools/sources/mcp/settings.js";

export interface McpImportOptions extends ConnectedOptions {
  url?: string;
  header?: string[];
  env?: string[];
  config?: string;
  allowPrivate?: boolean;
}

/** Imports one server, or all servers of a configuration file. */
export async function importMcp(request: {
  name: string | undefined;
  words: readonly string[];
  options: McpImportOptions;
}): Promise<number> {
  const { options } = request;
  const servers = options.config ? await serversInConfig(request) : [serverOf(request)];
  if (!servers) return EXIT.notSolved;
  return await importAll({
    all: servers,
    json: options.json,
    work: (server) => importServer(server, options),
    print: printConnected,
  });
}

async function importServer({ name, settings }: ServerToImport, options: McpImportOptions) {
  const library = options.library ?? ownLibrary(name, `MCP server ${name}`);
  await knownSource(name, "mcp");
  const taken = { ...settings, ...takenFrom(options.credentials) };
  const read = await whileWorking(`reading the tools of ${name}`, async () => {
    const connections = await openWorkspace().connections();
    return await readServer({ name, settings: taken, connections });
  });
  return await importConnected({ ...read, library, options });
}

function serverOf({ name, words, options }: Parameters<typeof importMcp>[0]): ServerToImport {
  const { url, header, env } = options;
  const ways = [words.length > 0 && "a command", url && "--url"];
  const given = ways.filter(Boolean);
  if (given.length !== 1) {
    throw new InvalidSetting({
      setting: "tools import mcp",
      problem:
        given.length === 0
          ? "nothing says how to reach the server"
          : `${given.join(" and ")} are given`,
      hint: "Write one of: NAME -- COMMAND…, NAME --url URL, --config FILE",
    });
  }
  if (name === undefined || !SOURCE_NAME.test(name)) {
    throw new InvalidSetting({
      setting: "the server's name",
      problem: name === undefined ? "is missing" : `"${name.slice(0, 64)}" cannot be one`,
      hint: "Write letters, digits, - and _, at most 64: tulipgraph tools import mcp NAME …",
    });
  }
  const [command = "", ...args] = words;
  for (const word of words) requireNoSecret("the command", "", word);
  if (url) {
    requireNoSecret("--url", "", url);
    return { name, settings: { url, headers: pairs("--header", HEADER, header) } };
  }
  const variables = pairs("--env", ASSIGNMENT, env);
  return { name, settings: { command, args, env: variables, cwd: process.cwd() } };
}

/** "Authorization: Bearer $TOKEN" */
const HEADER = /^([\w-]+):\s*(.+)$/s;

/** "KEY=$VALUE" */
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

function pairs(setting: string, form: RegExp, texts: readonly string[] = []) {
  const entries = texts.map((text) => {
    const [, key = "", value = ""] = form.exec(text) ?? [];
    if (!key) {
      const hint = "Write 'Name: value' for a header, 'KEY=$VALUE' for a variable";
      throw new InvalidSetting({ setting, problem: "has the wrong form", hint });
    }
    requireNoSecret(`${setting} ${key}`, key, value);
    return [key, value] as const;
  });
  return Object.fromEntries(entries);
}

/** Names of headers and variables whose values are secret. */
const SECRET_KEY = /auth|cookie|key|token|secret|passw|credential/i;

/** Settings are stored and shown, so they name the variable that holds a secret, never the secret. */
function requireNoSecret(setting: string, key: string, value: string): void {
  const isNamed = /\$\{?[A-Za-z_]/.test(value);
  if (!holdsSecret(value) && (isNamed || !SECRET_KEY.test(key) || value.length < 6)) return;
  throw new InvalidSetting({
    setting,
    problem: "holds what looks like a secret, which would be stored",
    hint: "Put it in an environment variable or in .env and write its name in single quotes: '$TOKEN'",
  });
}

interface ServerToImport {
  name: string;
  settings: McpSettings;
}

type WantedEntry = ReturnType<typeof entriesOf>[number];

/**
 * The servers of a configuration file, once a person has agreed to the commands and addresses that it names: it may have
 * come with somebody else's project. What was agreed to before, and has not changed, is not asked about again.
 *
 * @returns undefined if the person does not agree
 * @throws InvalidSetting if nobody has agreed and nobody can be asked
 */
async function serversInConfig(request: {
  name: string | undefined;
  words: readonly string[];
  options: McpImportOptions;
}): Promise<ServerToImport[] | undefined> {
  const { name, words, options } = request;
  if (words.length > 0) {
    const hint = "Write one of: NAME -- COMMAND…, NAME --url URL, --config FILE";
    const problem = "a command and --config are given";
    throw new InvalidSetting({ setting: "tools import mcp", problem, hint });
  }
  const config = resolve(options.config ?? "");
  const wanted = entriesOf(config, name, options);
  const fresh: WantedEntry[] = [];
  for (const entry of wanted) if (!(await isAgreed(entry))) fresh.push(entry);
  const isGiven = options.yes === true || fresh.length === 0;
  return isGiven || (await isAgreedNow(config, fresh)) ? wanted : undefined;
}

function entriesOf(
  config: string,
  name: string | undefined,
  { allowPrivate: allowsPrivate }: McpImportOptions,
) {
  const { entries, notes } = readConfig(config);
  for (const note of notes) tell(`${config}: ${note}`);
  if (entries.length === 0) {
    const problem = "lists no server that can be imported";
    throw new InvalidSetting({ setting: config, problem, hint: "The lines above say why" });
  }
  if (name !== undefined && !entries.includes(name))
    throw new UnknownName({ kind: `server in ${config}`, wanted: name, available: entries });
  return (name === undefined ? entries : [name]).map((entry) => {
    const source = entry.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64);
    const content = readEntry(source, config, entry);
    return {
      name: source,
      settings: {
        config,
        entry,
        agreed: entryHash(content),
        ...(allowsPrivate && { allowsPrivate }),
      },
      text: entryText(content),
    };
  });
}

async function isAgreed({ name, settings }: WantedEntry): Promise<boolean> {
  const known = await openWorkspace().store.sources.get(name);
  if (known?.kind !== "mcp") return false;
  const kept = settingsOf(known);
  const { config, entry, agreed } = settings;
  return (
    "config" in kept && kept.config === config && kept.entry === entry && kept.agreed === agreed
  );
}

async function isAgreedNow(config: string, entries: readonly WantedEntry[]): Promise<boolean> {
  tell(`${config} names these servers:`);
  for (const { name, text } of entries) tell(`  ${name}  ${text}`);
  if (!process.stdin.isTTY) {
    throw new InvalidSetting({
      setting: "--config",
      problem: "nobody has agreed to what the file names, and there is no terminal to ask",
      hint: "Look at the list, and add --yes if all of it may be started, contacted and given what it lists",
    });
  }
  return await saysYes("Continue?");
}
