import { InvalidSetting, LibraryFailed, oneLine } from "../../common/errors.js";
import { absentTool } from "../../tools/library/search/absentTool.js";
import { PERSON } from "../../tools/library/records/edits.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import type { ToolVersion } from "../../tools/library/records/records.js";
import { calledTools, nameInSource, type ToolRecord, writtenCode } from "../../tools/tool.js";
import { unifiedDiff } from "../printing/lineDiff.js";
import { libraryContext } from "./madeTools.js";
import { openLibrary } from "./openLibrary.js";
import { printJson, printTable } from "../printing/print.js";
import type { LibraryOptions } from "./showTools.js";

/** `tools history ID` */
export async function showHistory(id: string, options: LibraryOptions): Promise<void> {
  const { history } = await openHistory(id, options);
  if (options.json) return printJson(history);
  printTable({ rows: history.flatMap(historyRows) });
}

function historyRows({ version, record, note, at }: ToolVersion): string[][] {
  const maker = note?.by ?? (record ? `from ${record.source.file}` : "");
  const more = [
    ...(note?.approval ? [`${note.approval.decision} by a person`] : []),
    ...(note?.breaks ?? []).map((check) => `no longer as before: ${check}`),
  ];
  const what = record ? `version ${version}` : "removed";
  return [
    [what, `${at.slice(0, 19)}Z`, maker, oneLine(note?.why ?? "")],
    ...more.map((text) => ["", "", "", text]),
  ];
}

/** `tools history --diff ID [A] [B]`: compares the last two versions, A with the last one, or A with B. */
export async function diffVersions(
  id: string,
  versions: { first?: number; second?: number },
  options: LibraryOptions,
): Promise<void> {
  const { history } = await openHistory(id, options);
  const { from, to } = comparedVersions({ id, history, ...versions });
  const labels = [`${id}@${from.version}`, `${id}@${to.version}`] as const;
  const [code, definition] = [
    { from: writtenCode(from), to: writtenCode(to) },
    changedFields({ from, to }),
  ].map((texts) =>
    unifiedDiff({
      from: { label: labels[0], text: texts.from },
      to: { label: labels[1], text: texts.to },
    }),
  );
  if (options.json) {
    return printJson({ id, from: from.version, to: to.version, code, definition });
  }
  const differences = [code, definition].filter(Boolean).join("\n");
  process.stdout.write(`${differences || `${labels.join(" and ")} are the same`}\n`);
}

interface Compared<Value> {
  from: Value;
  to: Value;
}

function comparedVersions({
  id,
  history,
  first,
  second,
}: {
  id: string;
  history: readonly ToolVersion[];
  first?: number;
  second?: number;
}): Compared<ToolRecord> {
  const numbers = recordsOf(history).map(({ version }) => version);
  const [last, previous] = numbers.toReversed();
  const [a = previous, b = last] = [first, second];
  if (a === undefined || b === undefined) {
    throw new InvalidSetting({
      setting: "tools history --diff",
      problem: `${id} has had one version only`,
      hint: `Look at it with: tulipgraph tools list ${id}`,
    });
  }
  return {
    from: versionOf({ id, history, version: a }),
    to: versionOf({ id, history, version: b }),
  };
}

/** The fields in which two versions differ, as JSON texts. */
function changedFields({ from, to }: Compared<ToolRecord>): Compared<string> {
  const [before, after] = [fieldsOf(from), fieldsOf(to)];
  const changed = (fields: Record<string, unknown>) => {
    const entries = Object.entries(fields).filter(
      ([name]) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    );
    return JSON.stringify(Object.fromEntries(entries), null, 2);
  };
  return { from: changed(before), to: changed(after) };
}

/** What a caller sees of a tool, without its code. */
function fieldsOf(tool: ToolRecord): Record<string, unknown> {
  const { version: _version, hash: _hash, source, ...fields } = tool;
  if (source.kind === "program") return { ...fields, calls: source.calls, test: source.test };
  if (source.kind !== "generated") return { ...fields, source };
  const { calls, checks } = source;
  return { ...fields, calls, checks };
}

/** `tools restore ID@V` */
export async function restoreVersion(
  wanted: string,
  options: LibraryOptions & { why?: string },
): Promise<void> {
  const { id, version } = versionName(wanted);
  const { library, history } = await openHistory(id, options);
  const old = versionOf({ id, history, version });
  if (writtenCode(old) === "") throw readFromFile(library, old);
  const present = library.get(id);
  const why = options.why ?? `restored from version ${version}`;
  const restored =
    present?.hash === old.hash
      ? present
      : await library.put({
          tool: old,
          basedOn: present?.version ?? null,
          note: { by: PERSON, why },
        });
  if (options.json) return printJson(restored);
  const lacking = calledTools(old).filter((called) => !library.get(called));
  if (lacking.length > 0) {
    process.stderr.write(`${id} calls what the library lacks: ${lacking.join(", ")}\n`);
  }
  process.stdout.write(
    `library ${library.name}: ${id} is at version ${restored.version}, as it was at version ${version}\n`,
  );
}

/** An id may contain any character, so the last @ counts. */
function versionName(text: string): { id: string; version: number } {
  const [, id, version] = /^(.+)@(\d+)$/s.exec(text) ?? [];
  if (id !== undefined) return { id, version: Number(version) };
  throw new InvalidSetting({
    setting: "tools restore",
    problem: `"${text}" names no version`,
    hint: "Write it as ID@VERSION, for example: tulipgraph tools restore square_root@1",
  });
}

function readFromFile(library: ToolLibrary, tool: ToolRecord): LibraryFailed {
  return new LibraryFailed({
    library: library.name,
    problem: `its tool "${tool.id}" is read from ${tool.source.file}, which alone says what it is`,
    hint: `Change ${nameInSource(tool)} there; the file is read again when the library is used next`,
  });
}

/** @throws UnknownName for a tool that the library has never had */
async function openHistory(
  id: string,
  options: LibraryOptions,
): Promise<{ library: ToolLibrary; history: ToolVersion[] }> {
  const library = await openLibrary(await libraryContext(options));
  const history = library.history(id);
  if (history.length === 0) throw absentTool(library, id);
  return { library, history };
}

function recordsOf(history: readonly ToolVersion[]): ToolRecord[] {
  return history.flatMap(({ record }) => (record ? [record] : []));
}

function versionOf({
  id,
  history,
  version,
}: {
  id: string;
  history: readonly ToolVersion[];
  version: number;
}): ToolRecord {
  const records = recordsOf(history);
  const found = records.find((record) => record.version === version);
  if (found) return found;
  const known = records.map((record) => record.version).join(", ");
  throw new InvalidSetting({
    setting: "version",
    problem: `${id} has had no version ${version}`,
    hint: `There are ${known}`,
  });
}
