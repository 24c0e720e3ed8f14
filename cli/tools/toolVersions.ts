import { InvalidSetting, LibraryFailed, oneLine } from "../../common/errors.js";
import { absentTool } from "../../tools/library/search/absentTool.js";
import { PERSON } from "../../tools/library/records/edits.js";
import type { LibraryEditor, LibraryView } from "../../tools/library/library.js";
import type { ToolVersion } from "../../tools/library/records/records.js";
import { calledTools, nameInSource, type ToolRecord, writtenCode } from "../../tools/tool.js";
import { lineDiff } from "../../common/lineDiff.js";
import { type LibraryOptions, libraryContext, openLibrary } from "./openLibrary.js";
import { printJson, printTable } from "../printing/print.js";

export interface HistoryOptions extends LibraryOptions {
  /** Versions to compare: the first with the second, or with the last. */
  first?: number;
  second?: number;
  restore?: number;
  why?: string;
}

/** `tools history ID [FIRST] [SECOND]`, `tools history ID --restore VERSION` */
export async function toolHistory(id: string, options: HistoryOptions): Promise<void> {
  const library = await openLibrary(await libraryContext(options));
  const history = library.history(id);
  if (history.length === 0) throw absentTool(library, id);
  const { first, second, restore, json } = options;
  if (restore !== undefined)
    return await restoreVersion(library, versionOf(history, restore), options);
  if (first !== undefined)
    return printDiff(versionOf(history, first), versionOf(history, second), json);
  if (json) return printJson(history);
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

function printDiff(from: ToolRecord, to: ToolRecord, json?: boolean): void {
  const [before, after] = [from, to].map((tool) => ({
    label: `${tool.id}@${tool.version}`,
    text: [JSON.stringify(fieldsOf(tool), null, 2), writtenCode(tool)].join("\n"),
  }));
  if (!before || !after) return;
  const diff = lineDiff(before, after);
  if (json) return printJson({ id: to.id, from: from.version, to: to.version, diff });
  process.stdout.write(`${diff || `${before.label} and ${after.label} are the same`}\n`);
}

/** What a caller sees of a tool, without its code. */
function fieldsOf(tool: ToolRecord): Record<string, unknown> {
  const { version: _version, hash: _hash, source, ...fields } = tool;
  if (source.kind === "program") return { ...fields, calls: source.calls, test: source.test };
  if (source.kind !== "generated") return { ...fields, source };
  const { calls, checks } = source;
  return { ...fields, calls, checks };
}

async function restoreVersion(
  library: LibraryEditor,
  old: ToolRecord,
  options: HistoryOptions,
): Promise<void> {
  const { id, version } = old;
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

function readFromFile(library: LibraryView, tool: ToolRecord): LibraryFailed {
  return new LibraryFailed({
    library: library.name,
    problem: `its tool "${tool.id}" is read from ${tool.source.file}, which alone says what it is`,
    hint: `Change ${nameInSource(tool)} there; the file is read again when the library is used next`,
  });
}

/** By default the last one that is not a removal. */
function versionOf(history: readonly ToolVersion[], version?: number): ToolRecord {
  const records = history.flatMap(({ record }) => record ?? []);
  const found =
    version === undefined ? records.at(-1) : records.find((record) => record.version === version);
  if (found) return found;
  throw new InvalidSetting({
    setting: "version",
    problem: `there has been no version ${version}`,
    hint: `There are ${records.map((record) => record.version).join(", ")}`,
  });
}
