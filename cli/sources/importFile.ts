import { writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { InvalidSetting, TulipgraphError } from "../../common/errors.js";
import { listed, several } from "../../common/text.js";
import type { ConnectedImport } from "../../home/connectedSources.js";
import { type Import, importTools } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { encoderOffer } from "../../models/embeddings/encoderDownload.js";
import { parseSettings } from "../../state/settings.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import type { Finding } from "../../tools/library/checks/finding.js";
import {
  type ConnectedSource,
  CREDENTIALS,
  credentialsOf,
  type TakenCredentials,
} from "../../tools/remote.js";
import { wantedFrom } from "../../tools/sources/kinds.js";
import type { SourceProblem } from "../../tools/tool.js";
import { EXIT } from "../exit.js";
import { whileWorking } from "../printing/longWork.js";
import { errorText, printHanging, printJson, printLine, tell } from "../printing/print.js";

/** Makes the functions of a file tools of a library, by default of one with the file's name; exports that cannot be tools are reported on stderr. */
export async function importFile(options: {
  file: string;
  library?: string;
  description?: string;
}): Promise<Import & { library: string }> {
  const { file, description } = options;
  const library = options.library ?? libraryName(file);
  const settings = parseSettings({ library });
  const { store } = openWorkspace();
  const done = await whileWorking(`reading ${file}`, () =>
    importTools({ store, settings, file, description }),
  );
  printProblems(done.problems);
  return { ...done, library };
}

/**
 * Imports several, and then offers a better encoder. One of them that cannot be imported is reported on stderr, and the
 * others are still imported.
 *
 * @returns the exit code
 */
export async function importAll<One, Done>(options: {
  all: readonly One[];
  json: boolean | undefined;
  work: (one: One) => Promise<Done>;
  print: (done: Done) => void;
}): Promise<number> {
  const { all, json, work, print } = options;
  const imported: Done[] = [];
  for (const one of all) {
    try {
      const done = await work(one);
      imported.push(done);
      if (!json) print(done);
    } catch (error) {
      if (!(error instanceof TulipgraphError) || all.length === 1) throw error;
      tell(errorText({ error, debug: false }));
    }
  }
  if (json) printJson(imported);
  else if (imported.length > 0) offerEncoder();
  return imported.length === all.length ? EXIT.done : EXIT.usage;
}

/** Prints a line on stderr for each export that cannot be a tool. */
export function printProblems(problems: readonly SourceProblem[]): void {
  for (const { file, line, problem } of problems) tell(`${file}:${line}: ${problem}`);
}

function libraryName(file: string): string {
  const name = basename(file, extname(file)).replaceAll(/[^A-Za-z0-9_.-]/g, "_");
  return ownLibrary(name, `tool source ${file}`);
}

/**
 * The library for an import that names none: it has the name of the source.
 *
 * @throws InvalidSetting if the tools would be mixed with those of a catalog that ships
 */
export function ownLibrary(name: string, setting: string): string {
  if (!Object.hasOwn(CATALOGS, name)) return name;
  const problem = `its library would be "${name}", which ships with tulipgraph`;
  throw new InvalidSetting({ setting, problem, hint: "Name another one: --library NAME" });
}

export async function knownSource(name: string, kind: ConnectedSource["kind"]) {
  const known = await openWorkspace().store.sources.get(name);
  if (!known || known.kind === kind) return known;
  throw new InvalidSetting({
    setting: `source ${name}`,
    problem: `there is already a source of this name, of kind ${known.kind}`,
    hint: "Choose another name",
  });
}

const CHANGES = ["added", "updated", "unchanged", "removed"] as const;

/** "3 added, 1 removed" */
export function changes(imported: Pick<Import, (typeof CHANGES)[number]>): string {
  return CHANGES.filter((kind) => imported[kind].length > 0)
    .map((kind) => `${imported[kind].length} ${kind}`)
    .join(", ");
}

/** Findings that are shown after an import; the rest are only counted. */
const FINDINGS_SHOWN = 10;

/** Prints the result of an import from a connected source, and on stderr what a person should check. */
export function printConnected(
  done: ConnectedImport & { source: string; library: string; notes?: readonly string[] },
): void {
  const { source, library, withheld, findings, notes = [] } = done;
  const what = [changes(done), withheld.length > 0 ? `${withheld.length} withheld` : ""];
  const text = what.filter(Boolean).join(", ") || "no tools";
  printLine(`library ${library}: ${text} from ${source}`);
  for (const note of [...hintNotes(done), ...notes]) printHanging({ label: "  ", text: note });
  for (const line of findingLines(findings)) tell(line);
  if (withheld.length === 0) return;
  tell(
    `${several(withheld.length, "tool")} withheld, new or changed since accepted. See them with: tulipgraph tools review ${source}; or import again with --yes`,
  );
}

/** What counts of what a source says of its tools' effects, and how to accept it. */
function hintNotes(done: Parameters<typeof printConnected>[0]): string[] {
  const { source, library, unvouched, vouched } = done;
  const notes: string[] = [];
  if (vouched.length > 0)
    notes.push(
      `${listed(vouched, 1)} ${vouched.length === 1 ? "counts as a read" : "count as reads"}, as ${source} says`,
    );
  const one = unvouched.length === 1;
  if (unvouched.length > 0)
    notes.push(
      `${several(unvouched.length, "tool")} (${listed(unvouched, 1)}) ${one ? "says that it only reads, and counts as a write" : "say that they only read, and count as writes"} until you vouch for ${one ? "it" : "them"}: tulipgraph tools label ${source} --reads --library ${library}`,
    );
  return notes;
}

/** One line per warning or error; tools with the same finding share a line. */
export function findingLines(findings: readonly Finding[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { severity, tools, problem } of findings) {
    if (severity === "note") continue;
    const key = `${severity}: * ${problem}`;
    groups.set(key, [...(groups.get(key) ?? []), ...tools]);
  }
  const lines = [...groups].map(([key, tools]) => key.replace("*", () => `${listed(tools, 1)}:`));
  const more = lines.length - FINDINGS_SHOWN;
  return [
    ...lines.slice(0, FINDINGS_SHOWN),
    ...(more > 0 ? [`and ${more} more findings: --json shows them`] : []),
  ];
}

/** Present once a home's first import has offered a better encoder. */
const OFFERED = "encoder-offered";

/** Offers a better encoder on stderr after the first import into a home, unless another one is in use already. */
export function offerEncoder(): void {
  const offer = encoderOffer(parseSettings({}).embeddings);
  if (offer === undefined || !isFirstOffer(openWorkspace().home)) return;
  tell(`note: ${offer}`);
}

function isFirstOffer(home: string): boolean {
  try {
    writeFileSync(join(home, OFFERED), "", { flag: "wx" });
    return true;
  } catch {
    // It was made before, or cannot be made; an offer at every import would be a nuisance.
    return false;
  }
}

/** Help of the option `--credentials`. */
export const CREDENTIALS_HELP =
  "whose credentials calls use: shared (the default), caller (each owner's own), or passthrough ISSUER AUDIENCE (the caller's token)";

/**
 * Reads `--credentials`: `shared`, `caller`, or `passthrough` with the issuer and the audience of the tokens that are
 * passed on.
 *
 * @returns undefined if it is not given
 */
export function takenFrom(words: readonly string[] | undefined): TakenCredentials | undefined {
  if (words === undefined) return undefined;
  const [first, issuer, audience, ...others] = words;
  const credentials = CREDENTIALS.find((each) => each === first);
  const isPassed = credentials === "passthrough";
  const isWhole = isPassed
    ? audience !== undefined && others.length === 0 && isIssuer(issuer)
    : issuer === undefined;
  if (credentials && isWhole) return { credentials, ...(isPassed ? { issuer, audience } : {}) };
  throw new InvalidSetting({
    setting: "--credentials",
    problem: `"${words.join(" ").slice(0, 200)}" is none of ${CREDENTIALS.join(", ")}`,
    hint: "Write shared, caller, or passthrough with the issuer and the audience of the tokens: passthrough https://id.example.com/ shop",
  });
}

function isIssuer(text = ""): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** @throws InvalidSetting for a source that has no way to take the credentials that it is imported with */
export async function requireWay(source: ConnectedSource): Promise<void> {
  const taken = credentialsOf(source);
  if (taken === "shared") return;
  const { way, fields, places } = await wantedFrom(source);
  const isServer = places.every((place) => place.startsWith("http"));
  const canLogIn = source.kind === "mcp" && isServer;
  if (taken === "passthrough" ? isServer : canLogIn || (way === "key" && fields.length > 0)) return;
  throw new InvalidSetting({
    setting: `--credentials ${taken}`,
    problem:
      taken === "passthrough"
        ? "a program takes no token"
        : "nothing says what each owner has to give",
    hint: "Name variables that each owner gives a value for: --header 'Authorization: Bearer $KEY', --env 'KEY=$KEY', --auth 'SCHEME=$KEY'",
  });
}
