import { resolve } from "node:path";
import { InvalidSetting, TulipgraphError, UnknownName } from "../../common/errors.js";
import { holdsSecret } from "../../common/secrets.js";
import { parseSettings } from "../../state/settings.js";
import { SOURCE_NAME } from "../../tools/sources/connected.js";
import { readConfig } from "../../tools/sources/mcp/configFile.js";
import { readServer } from "../../tools/sources/mcp/readServer.js";
import type { McpSettings } from "../../tools/sources/mcp/settings.js";
import { type ConnectedImport, syncConnected } from "../../nodes/workspace/connectedSources.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { EXIT } from "../exit.js";
import { ownLibrary, printConnected, printProblems } from "./importFile.js";
import { whileWorking } from "../printing/longWork.js";
import { errorText, printJson } from "../printing/print.js";

/** Options of `tools import mcp`. */
export interface McpImportOptions {
  library?: string;
  json?: boolean;
  url?: string;
  header?: string[];
  env?: string[];
  config?: string;
  description?: string;
  /** Accepts changed and new tools. */
  yes?: boolean;
}

interface ServerToImport {
  name: string;
  settings: McpSettings;
}

/**
 * Imports one server, or all servers of a configuration file. If one of several cannot be imported, that is reported
 * on stderr and the others are still imported.
 *
 * @param request.words the command that starts the server
 * @returns the exit code
 */
export async function importMcp(request: {
  name: string | undefined;
  words: readonly string[];
  options: McpImportOptions;
}): Promise<number> {
  const { options } = request;
  const servers = serversOf(request);
  const done: (ConnectedImport & { source: string; library: string })[] = [];
  for (const server of servers) {
    try {
      const imported = await importServer(server, options);
      done.push(imported);
      if (!options.json) printConnected(imported);
    } catch (error) {
      if (!(error instanceof TulipgraphError) || servers.length === 1) throw error;
      process.stderr.write(`${errorText({ error, debug: false })}\n`);
    }
  }
  if (options.json) printJson(done);
  return done.length === servers.length ? EXIT.done : EXIT.usage;
}

async function importServer({ name, settings }: ServerToImport, options: McpImportOptions) {
  const { description, yes: trust } = options;
  const library =
    options.library ??
    ownLibrary({
      name,
      setting: `MCP server ${name}`,
      hint: "Choose another name, or name the library: --library NAME",
    });
  const context = parseSettings({ library });
  const { store } = openWorkspace();
  requireFreeName({ name, known: (await store.sources.get(name))?.kind });
  const { source, listing } = await whileWorking(`reading the tools of ${name}`, () =>
    readServer({ name, settings }),
  );
  const done = await syncConnected({ store, context, source, listing, description, trust });
  printProblems(done.problems);
  return { ...done, source: name, library };
}

function serversOf({ name, words, options }: Parameters<typeof importMcp>[0]): ServerToImport[] {
  const { url, config, header, env } = options;
  const ways = [words.length > 0 && "a command", url && "--url", config && "--config"];
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
  if (header && !url) throw onlyWith("--header", "--url");
  if (env && words.length === 0) throw onlyWith("--env", "a command after --");
  if (config) return serversInConfig({ name, config: resolve(config) });
  if (name === undefined || !SOURCE_NAME.test(name)) throw unusableName(name);
  const [command = "", ...args] = words;
  for (const word of words) requireNoSecret({ setting: "the command", key: "", value: word });
  if (url) {
    requireNoSecret({ setting: "--url", key: "", value: url });
    return [{ name, settings: { url, headers: headersOf(header ?? []) } }];
  }
  return [{ name, settings: { command, args, env: variablesOf(env ?? []), cwd: process.cwd() } }];
}

function serversInConfig({ name, config }: { name?: string; config: string }): ServerToImport[] {
  const { entries, notes } = readConfig(config);
  for (const note of notes) process.stderr.write(`${config}: ${note}\n`);
  if (name !== undefined && !entries.includes(name)) {
    throw new UnknownName({ kind: `server in ${config}`, wanted: name, available: entries });
  }
  const wanted = name === undefined ? entries : [name];
  return wanted.map((entry) => ({
    name: entry.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64),
    settings: { config, entry },
  }));
}

/** "Authorization: Bearer $TOKEN" */
function headersOf(headers: readonly string[]): Record<string, string> {
  return pairs(headers, {
    setting: "--header",
    form: /^([\w-]+):\s*(.+)$/s,
    hint: "'Name: value'",
  });
}

/** "KEY=$VALUE"; "KEY" alone is the variable of that name. */
function variablesOf(assignments: readonly string[]): Record<string, string> {
  const whole = assignments.map((each) => (each.includes("=") ? each : `${each}=$${each}`));
  return pairs(whole, { setting: "--env", form: /^([A-Za-z_]\w*)=(.*)$/s, hint: "'KEY=$VALUE'" });
}

function pairs(
  texts: readonly string[],
  { setting, form, hint }: { setting: string; form: RegExp; hint: string },
): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, key = "", value = ""] = form.exec(text) ?? [];
      if (!key) {
        throw new InvalidSetting({ setting, problem: "has the wrong form", hint: `Write ${hint}` });
      }
      requireNoSecret({ setting: `${setting} ${key}`, key, value });
      return [key, value];
    }),
  );
}

/** Names of headers and variables whose values are secret. */
const SECRET_KEY = /auth|cookie|key|token|secret|passw|credential/i;

/** Settings are stored and shown, so they name the variable that holds a secret, never the secret. */
function requireNoSecret({ setting, key, value }: { setting: string; key: string; value: string }) {
  const isNamed = /\$\{?[A-Za-z_]/.test(value);
  if (!holdsSecret(value) && (isNamed || !SECRET_KEY.test(key) || value.length < 6)) return;
  throw new InvalidSetting({
    setting,
    problem: "holds what looks like a secret, which would be stored",
    hint: "Put it in an environment variable or in .env and write its name in single quotes: '$TOKEN'",
  });
}

function requireFreeName({ name, known }: { name: string; known: string | undefined }): void {
  if (known === undefined || known === "mcp") return;
  throw new InvalidSetting({
    setting: `source ${name}`,
    problem: `there is already a source of this name, of kind ${known}`,
    hint: "Choose another name",
  });
}

function onlyWith(option: string, other: string): InvalidSetting {
  return new InvalidSetting({
    setting: option,
    problem: `works only with ${other}`,
    hint: "Leave it out",
  });
}

function unusableName(name: string | undefined): InvalidSetting {
  return new InvalidSetting({
    setting: "the server's name",
    problem: name === undefined ? "is missing" : `"${name.slice(0, 64)}" cannot be one`,
    hint: "Write letters, digits, - and _, at most 64: tulipgraph tools import mcp NAME …",
  });
}
