import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { InvalidSetting, UnknownName } from "../../common/errors.js";
import { openWorkspace } from "../../home/workspace.js";
import { entryHash, entryText, type ConfigEntry } from "../../tools/sources/mcp/entryUse.js";
import {
  type McpSettings,
  readConfig,
  readEntry,
  settingsOf,
} from "../../tools/sources/mcp/settings.js";
import type { McpImportOptions } from "./importMcp.js";

/** A server with the name that its source gets. */
export interface ServerToImport {
  name: string;
  settings: McpSettings;
}

/** An entry of the file with what it says now. */
interface WantedEntry {
  name: string;
  settings: ConfigEntry;
  text: string;
}

/**
 * The servers of a configuration file, once a person has agreed to the commands and addresses that it names: it may have
 * come with somebody else's project. What was agreed to before, and has not changed, is not asked about again.
 *
 * @returns undefined if the person does not agree
 * @throws InvalidSetting if nobody has agreed and nobody can be asked
 */
export async function serversInConfig(request: {
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
): WantedEntry[] {
  const { entries, notes } = readConfig(config);
  for (const note of notes) process.stderr.write(`${config}: ${note}\n`);
  if (name !== undefined && !entries.includes(name)) {
    throw new UnknownName({ kind: `server in ${config}`, wanted: name, available: entries });
  }
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

/** Shows what the entries would do, and asks whether they may. */
async function isAgreedNow(config: string, entries: readonly WantedEntry[]): Promise<boolean> {
  const { stdin: input, stderr: output } = process;
  output.write(`${config} names these servers:\n`);
  for (const { name, text } of entries) output.write(`  ${name}  ${text}\n`);
  if (!input.isTTY) {
    throw new InvalidSetting({
      setting: "--config",
      problem: "nobody has agreed to what the file names, and there is no terminal to ask",
      hint: "Look at the list, and add --yes if all of it may be started, contacted and given what it lists",
    });
  }
  const reader = createInterface({ input, output });
  const answer = await reader.question("Go on? [y/N] ").finally(() => reader.close());
  return /^y(?:es)?$/i.test(answer.trim());
}
