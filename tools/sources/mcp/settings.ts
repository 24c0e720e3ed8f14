import { dirname } from "node:path";
import type { ConnectedSource } from "../connected.js";
import { readEntry } from "./configFile.js";
import { McpFailed } from "./mcpFailed.js";

interface ProgramSettings {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Undefined only for an entry of a configuration file, which need not name a folder. */
  cwd: string | undefined;
}

interface AddressSettings {
  url: string;
  headers: Record<string, string>;
}

/**
 * How to reach an MCP server, as a home stores it. `$NAME` in a value stands for an environment variable, which is read
 * when a connection opens. An entry of a configuration file is only referred to, because such files contain secrets.
 */
export type McpSettings =
  | (ProgramSettings & { cwd: string })
  | AddressSettings
  | { config: string; entry: string };

/** Settings with references to variables. */
export type Unfilled = ProgramSettings | AddressSettings;

/** How to reach it, with all values filled in; never stored or shown. */
export type Reach = ProgramSettings | { url: URL; headers: Record<string, string> };

/** The settings of an MCP source, which only this folder writes. */
export function settingsOf({ settings }: Pick<ConnectedSource, "settings">): McpSettings {
  return settings as McpSettings;
}

/**
 * Fills in what settings refer to.
 *
 * @throws McpFailed for a variable that is not set, an invalid address, or a missing configuration file
 */
export function reachOf({ name, settings }: Pick<ConnectedSource, "name" | "settings">): Reach {
  const kept = settingsOf({ settings });
  if ("config" in kept) {
    const { config, entry } = kept;
    // The workspace of such a file is the folder that contains ".vscode" or ".cursor".
    const workspace = dirname(dirname(config));
    return filled(name, readEntry({ name, config, entry }), workspace);
  }
  return filled(name, kept);
}

/** A short form for people, which shows nothing of the content of configuration files. */
export function reachText(settings: McpSettings): string {
  if ("config" in settings) return `${settings.entry} in ${settings.config}`;
  if ("url" in settings) return settings.url;
  return [settings.command, ...settings.args].join(" ");
}

function filled(name: string, settings: Unfilled, workspace?: string): Reach {
  const fill = (text: string) => filledText(name, text, workspace);
  const each = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text)]));
  if ("url" in settings) {
    return { url: addressOf(name, fill(settings.url)), headers: each(settings.headers) };
  }
  const { command, args, env, cwd } = settings;
  return {
    command: fill(command),
    args: args.map(fill),
    env: each(env),
    cwd: cwd === undefined ? undefined : fill(cwd),
  };
}

/** `$$` for a dollar, `$NAME`, `${NAME}`, `${NAME:-otherwise}`, and `${env:NAME}` and `${input:id}` from editors. */
const REFERENCE = /\$(?:\$|([A-Za-z_]\w*)|\{(env:|input:)?([\w.-]+)(?::-([^}]*))?\})/g;

/** The variable to use for a value that an editor would ask for: API_KEY for `${input:api-key}`. */
function variableOf(input: string): string {
  return input.replaceAll(/\W/g, "_").toUpperCase();
}

function filledText(name: string, text: string, workspace?: string): string {
  return text.replaceAll(
    REFERENCE,
    (all: string, plain?: string, kind?: string, inBraces = "", otherwise?: string) => {
      if (all === "$$") return "$";
      if (inBraces === "workspaceFolder" && workspace !== undefined) return workspace;
      if (inBraces === "userHome") return process.env["HOME"] ?? "";
      const variable = plain ?? (kind === "input:" ? variableOf(inBraces) : inBraces);
      const value = process.env[variable] ?? otherwise;
      if (value !== undefined) return value;
      throw new McpFailed({
        server: name,
        problem: `the environment variable ${variable} is not set`,
        hint: "Set it in the shell or in .env, and try again",
      });
    },
  );
}

function addressOf(name: string, url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed;
  throw new McpFailed({
    server: name,
    problem: "its address does not start with http:// or https://",
    hint: "Write it in full: https://example.com/mcp",
  });
}
