import { InvalidSetting, TulipgraphError } from "../../common/errors.js";
import { holdsSecret } from "../../common/secrets.js";
import { parseSettings } from "../../state/settings.js";
import { SOURCE_NAME } from "../../tools/remote.js";
import { readServer } from "../../tools/sources/mcp/listing.js";
import { type ConnectedImport, syncConnected } from "../../home/connectedSources.js";
import { openWorkspace } from "../../home/workspace.js";
import { EXIT } from "../exit.js";
import { requireWay, takenFrom } from "./credentials.js";
import { knownSource, ownLibrary, printConnected, printProblems } from "./importFile.js";
import { type ServerToImport, serversInConfig } from "./importConfig.js";
import { printTryReads } from "./tryReads.js";
import { offerEncoder } from "./offerEncoder.js";
import { whileWorking } from "../printing/longWork.js";
import { errorText, printJson } from "../printing/print.js";

export interface McpImportOptions {
  library?: string;
  json?: boolean;
  url?: string;
  header?: string[];
  env?: string[];
  config?: string;
  description?: string;
  /** As `takenFrom` reads it. */
  credentials?: string[];
  yes?: boolean;
  trustHints?: boolean;
  allowPrivate?: boolean;
  tryReads?: boolean;
}

/**
 * Imports one server, or all servers of a configuration file. If one of several cannot be imported, that is reported
 * on stderr and the others are still imported.
 */
export async function importMcp(request: {
  name: string | undefined;
  words: readonly string[];
  options: McpImportOptions;
}): Promise<number> {
  const { options } = request;
  const servers = options.config ? await serversInConfig(request) : [serverOf(request)];
  if (!servers) return EXIT.notSolved;
  const done: (ConnectedImport & { source: string; library: string })[] = [];
  for (const server of servers) {
    try {
      const imported = await importServer(server, options);
      done.push(imported);
      if (!options.json) printConnected(imported);
      if (options.tryReads) await printTryReads(imported);
    } catch (error) {
      if (!(error instanceof TulipgraphError) || servers.length === 1) throw error;
      process.stderr.write(`${errorText({ error, debug: false })}\n`);
    }
  }
  if (options.json) printJson(done);
  else if (done.length > 0) offerEncoder();
  return done.length === servers.length ? EXIT.done : EXIT.usage;
}

async function importServer({ name, settings }: ServerToImport, options: McpImportOptions) {
  const { description, yes: trust, trustHints } = options;
  const library = options.library ?? ownLibrary(name, `MCP server ${name}`);
  const context = parseSettings({ library });
  const { store, connections } = openWorkspace();
  await knownSource(name, "mcp");
  const taken = { ...settings, ...takenFrom(options.credentials) };
  const { source, listing } = await whileWorking(`reading the tools of ${name}`, async () =>
    readServer({ name, settings: taken, connections: await connections() }),
  );
  await requireWay(source);
  const done = await syncConnected({
    store,
    settings: context,
    source,
    listing,
    description,
    trust,
    trustHints,
  });
  printProblems(done.problems);
  return { ...done, source: name, library };
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
