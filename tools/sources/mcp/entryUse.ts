import { isPrivateHost } from "../../../common/privateHost.js";
import { withoutSecrets } from "../../../common/secrets.js";
import { canonicalJson, sha256 } from "../../library/records/hash.js";
import { variablesIn } from "./variables.js";

export interface ProgramSettings {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Undefined only for an entry of a configuration file, which need not name a folder. */
  cwd: string | undefined;
}

export interface AddressSettings {
  url: string;
  headers: Record<string, string>;
}

/** An entry of a configuration file, as a source keeps it. */
export interface ConfigEntry {
  config: string;
  entry: string;
  /** Hash of the entry to which a person has agreed; absent for a source that was imported before anybody was asked. */
  agreed?: string;
  /** It may send variables of the environment to a private address. */
  allowsPrivate?: boolean;
}

/** Settings with references to variables. */
export type Unfilled = ProgramSettings | AddressSettings;

interface Disagreement {
  problem: string;
  hint: string;
}

/** The hash of an entry to which a person agrees. */
export function entryHash(entry: Unfilled): string {
  return sha256(canonicalJson(entry));
}

/** What an entry has started or contacted, with the names of what is given to it but no value, in one line. */
export function entryText(entry: Unfilled): string {
  const isAddress = "url" in entry;
  const given = Object.entries(isAddress ? entry.headers : entry.env).map(([key, text]) => {
    const variables = variablesIn([text]).map((name) => `$${name}`);
    return [key, ...variables].join(" with ");
  });
  const what = isAddress
    ? `contacts ${withoutSecrets(entry.url)}`
    : `starts ${withoutSecrets([entry.command, ...entry.args].join(" "))}`;
  const where = !isAddress && entry.cwd !== undefined ? ` in ${entry.cwd}` : "";
  return `${what}${where}${given.length > 0 ? `, and gives it ${given.join(", ")}` : ""}`;
}

/** Variables of the environment that an entry sends somewhere. */
function sentVariables(entry: Unfilled): string[] {
  return "url" in entry ? variablesIn([entry.url, ...Object.values(entry.headers)]) : [];
}

/** Whether an entry sends variables, and so may only be reached at public addresses. */
export function isPublicOnly({ allowsPrivate = false }: ConfigEntry, entry: Unfilled): boolean {
  return !allowsPrivate && sentVariables(entry).length > 0;
}

/**
 * Why an entry may not be used, if a reason is known before a connection opens: a configuration file may come from
 * anywhere, and may change at any time.
 */
export function disagreement(kept: ConfigEntry, entry: Unfilled, url: URL | undefined) {
  const { config, agreed } = kept;
  if (agreed !== undefined && agreed !== entryHash(entry)) {
    return {
      problem: `its entry in ${config} has changed since you agreed to it`,
      hint: `Look at it and import it again: tulipgraph tools import mcp --config ${config}`,
    };
  }
  const isRefused = url && isPublicOnly(kept, entry) && isPrivateHost(url.hostname);
  return isRefused ? privateAddress(url.host, sentVariables(entry)) : undefined;
}

/** The problem of an entry that sends variables to a private address. */
export function privateAddress(host: string, variables?: readonly string[]): Disagreement {
  const what = variables?.map((each) => `$${each}`).join(", ") ?? "variables of the environment";
  return {
    problem: `its configuration file sends ${what} to the private address ${host}`,
    hint: "If that is meant, import it with --allow-private, or by hand with --url and --header",
  };
}
