import { dirname } from "node:path";
import type { ConnectedSource } from "../connected.js";
import { readEntry } from "./configFile.js";
import { McpFailed } from "./mcpFailed.js";

/**
 * How an MCP server is reached, as a home keeps it. `$NAME` in a value stands for a variable of the environment, which
 * is read when a connection opens. An entry of a configuration file is only referred to: such files hold secrets.
 */
export type McpSettings =
  | { command: string; args: string[]; env: Record<string, string>; cwd: string }
  | { url: string; headers: Record<string, string> }
  | { config: string; entry: string };

/** How it is reached now, with all values filled in: never stored or shown. */
export type Reach =
  | { command: string; args: string[]; env: Record<string, string>; cwd: string | undefined }
  | { url: URL; headers: Record<string, string> };

/** The settings of a source of this kind, which only this folder writes. */
export function settingsOf({ settings }: Pick<ConnectedSource, "settings">): McpSettings {
  return settings as McpSettings;
}

/**
 * Fills in what settings refer to.
 *
 * @throws McpFailed for a variable that is not set, an address that is none, or a configuration file that is gone
 */
export function reachOf({ name, settings }: Pick<ConnectedSource, "name" | "settings">): Reach {
  const kept = settingsOf({ settings });
  if ("config" in kept) {
    const { config, entry } = kept;
    // What such a file means by its workspace is the folder that holds ".vscode" or ".cursor".
    const workspace = dirname(dirname(config));
    return filled({ name, settings: readEntry({ name, config, entry }), workspace });
  }
  return filled({ name, settings: kept });
}

/** In a few words, for a person: without arguments and headers of configuration files. */
export function reachText(settings: McpSettings): string {
  if ("config" in settings) return `${settings.entry} in ${settings.config}`;
  if ("url" in settings) return settings.url;
  return [settings.command, ...settings.args].join(" ");
}

/** Settings as they are written; an entry of a configuration file may leave the folder to the program that reads it. */
export type Unfilled =
  | { command: string; args: string[]; env: Record<string, string>; cwd: string | undefined }
  | { url: string; headers: Record<string, string> };

function filled(options: { name: string; settings: Unfilled; workspace?: string }): Reach {
  const { name, settings, workspace } = options;
  const fill = (text: string) => filledText({ name, text, workspace });
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

/** `$$` for a dollar, `$NAME`, `${NAME}`, `${NAME:-otherwise}`, and `${env:NAME}` and `${input:id}` as editors write them. */
const REFERENCE = /\$(?:\$|([A-Za-z_]\w*)|\{(env:|input:)?([\w.-]+)(?::-([^}]*))?\})/g;

/** The variable that stands for a value that an editor would ask for: `${input:api-key}` is API_KEY. */
export function variableOf(input: string): string {
  return input.replaceAll(/\W/g, "_").toUpperCase();
}

function filledText(options: { name: string; text: string; workspace?: string }): string {
  const { name, text, workspace } = options;
  return text.replaceAll(
    REFERENCE,
    (
      all: string,
      plain: string | undefined,
      kind: string | undefined,
      inBraces = "",
      otherwise?: string,
    ) => {
      if (all === "$$") return "$";
      if (inBraces === "workspaceFolder" && workspace !== undefined) return workspace;
      if (inBraces === "userHome") return process.env["HOME"] ?? "";
      const variable = plain ?? (kind === "input:" ? variableOf(inBraces) : inBraces);
      const value = process.env[variable] ?? otherwise;
      if (value !== undefined) return value;
      throw new McpFailed({
        server: name,
        problem: `the environment variable ${variable} is not set`,
        hint: `Set it, in the shell or in .env, and try again`,
      });
    },
  );
}

function addressOf(name: string, url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed;
  throw new McpFailed({
    server: name,
    problem: `its address is not one of http or https`,
    hint: "Write it whole: https://example.com/mcp",
  });
}
