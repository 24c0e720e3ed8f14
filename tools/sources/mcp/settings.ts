import { dirname } from "node:path";
import { InvalidSetting, TulipgraphError, explained } from "../../../common/errors.js";
import type { ConnectedSource, TakenCredentials, WantedCredentials } from "../../remote.js";
import { serverOf, serversIn } from "./configFile.js";
import {
  type AddressSettings,
  type ConfigEntry,
  type ProgramSettings,
  type Unfilled,
  disagreement,
  isPublicOnly,
} from "./entryUse.js";
import { REFERENCE, variableIn, variablesIn } from "./variables.js";

/** An MCP server cannot be reached or used; with what to do about it. */
export class McpFailed extends TulipgraphError {
  readonly code = "MCP_FAILED";

  constructor(
    readonly details: { server: string; problem: string; hint?: string; isUnreached?: boolean },
    options?: ErrorOptions,
  ) {
    super(explained(`MCP server ${details.server}`, details), options);
  }
}

/**
 * How to reach an MCP server, as a home stores it. `$NAME` in a value stands for an environment variable, which is read
 * when a connection opens. An entry of a configuration file is only referred to, because such files contain secrets.
 */
export type McpSettings = ((ProgramSettings & { cwd: string }) | AddressSettings | ConfigEntry) &
  TakenCredentials;

/** How to reach it, with all values filled in; never stored or shown. */
export type Reach =
  | ProgramSettings
  | {
      url: URL;
      headers: Record<string, string>;
      /** What it is sent must not go to a private address. */
      isPublicOnly?: boolean;
    };

/** The settings of an MCP source, which only this folder writes. */
export function settingsOf({ settings }: Pick<ConnectedSource, "settings">): McpSettings {
  return settings as unknown as McpSettings;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Fills in what settings refer to.
 *
 * @param own somebody's own values for headers and for the variables of a program, in place of the environment's
 * @throws McpFailed for a variable that is not set, an invalid address, or a missing configuration file
 */
export function reachOf(
  { name, settings }: Pick<ConnectedSource, "name" | "settings">,
  own: Variables = process.env,
): Reach {
  const { unfilled, workspace, kept } = unfilledOf(name, settings);
  const fill = (variables: Variables) => (text: string) =>
    filledText(name, text, { variables, workspace });
  const inEnvironment = fill(process.env);
  const each = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(own)(text)]));
  if ("url" in unfilled) {
    const url = addressOf(name, inEnvironment(unfilled.url));
    if (kept) requireAgreed(name, kept, unfilled, url);
    const isGuarded = kept !== undefined && isPublicOnly(kept, unfilled);
    return { url, headers: each(unfilled.headers), ...(isGuarded && { isPublicOnly: true }) };
  }
  if (kept) requireAgreed(name, kept, unfilled);
  const { command, args, env, cwd } = unfilled;
  return {
    command: inEnvironment(command),
    args: args.map(inEnvironment),
    env: each(env),
    cwd: cwd === undefined ? undefined : inEnvironment(cwd),
  };
}

/** @throws McpFailed if a person has not agreed to what an entry of a configuration file does now */
function requireAgreed(name: string, kept: ConfigEntry, entry: Unfilled, url?: URL): void {
  const found = disagreement(kept, entry, url);
  if (found) throw new McpFailed({ server: name, ...found });
}

/** Where credentials for a server go: the origin of its address, or the command of a program. */
export function mcpPlace({ name, settings }: Pick<ConnectedSource, "name" | "settings">): string {
  const { unfilled, workspace } = unfilledOf(name, settings);
  if (!("url" in unfilled)) return [unfilled.command, ...unfilled.args].join(" ");
  const variables = process.env;
  return addressOf(name, filledText(name, unfilled.url, { variables, workspace })).origin;
}

function unfilledOf(name: string, settings: ConnectedSource["settings"]) {
  const kept = settingsOf({ settings });
  if (!("config" in kept)) return { unfilled: kept };
  const { config, entry } = kept;
  // The workspace of such a file is the folder that contains ".vscode" or ".cursor".
  return { unfilled: readEntry(name, config, entry), workspace: dirname(dirname(config)), kept };
}

/** What an MCP server wants of each person whose own credentials it takes. */
export function wantedByMcp(source: Pick<ConnectedSource, "name" | "settings">): WantedCredentials {
  const { unfilled } = unfilledOf(source.name, source.settings);
  // The variables of headers, and of a program.
  const fields = variablesIn(Object.values("url" in unfilled ? unfilled.headers : unfilled.env));
  return { way: fields.length > 0 ? "key" : "login", fields, places: [mcpPlace(source)] };
}

/** A short form for people, which shows nothing of the content of configuration files. */
export function reachText(settings: McpSettings): string {
  if ("config" in settings) return `${settings.entry} in ${settings.config}`;
  if ("url" in settings) return settings.url;
  return [settings.command, ...settings.args].join(" ");
}

function filledText(
  name: string,
  text: string,
  { variables, workspace }: { variables: Variables; workspace: string | undefined },
): string {
  return text.replaceAll(
    REFERENCE,
    (all: string, plain?: string, kind?: string, inBraces = "", otherwise?: string) => {
      if (inBraces === "workspaceFolder" && workspace !== undefined) return workspace;
      if (inBraces === "userHome") return process.env["HOME"] ?? "";
      const variable = variableIn([all, plain, kind, inBraces]);
      if (variable === undefined) return "$";
      const value = variables[variable] ?? otherwise;
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

/**
 * The servers of another client's configuration file, in any of the forms of `configFile.ts`.
 *
 * @returns their names, and one line for each server that is left out
 * @throws InvalidSetting for a file that cannot be read or lists no servers
 */
export function readConfig(config: string): { entries: string[]; notes: string[] } {
  const notes: string[] = [];
  const entries = Object.entries(serversIn(config)).flatMap(([name, entry]) => {
    const read = serverOf(entry);
    if ("problem" in read) notes.push(`server ${name} is left out: ${read.problem}`);
    else if (Object(entry).envFile !== undefined)
      notes.push(`server ${name}: its "envFile" is not read; name its variables under "env"`);
    return "problem" in read ? [] : [name];
  });
  return { entries, notes };
}

/** One server of a configuration file, as it is there now. */
export function readEntry(name: string, config: string, entry: string): Unfilled {
  try {
    const servers = serversIn(config);
    const found = Object.hasOwn(servers, entry) ? servers[entry] : undefined;
    const read = found === undefined ? { problem: "is no longer in it" } : serverOf(found);
    if (!("problem" in read)) return read;
    throw new InvalidSetting({ setting: config, problem: `server ${entry} ${read.problem}` });
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
    const hint = `Put it back, or import the server again: tulipgraph tools import mcp ${name} …`;
    throw new McpFailed({ server: name, problem: error.message, hint });
  }
}
