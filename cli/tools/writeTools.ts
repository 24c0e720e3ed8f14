import { randomUUID } from "node:crypto";
import { InvalidSetting, UnknownName, LibraryFailed, oneLine } from "../../common/errors.js";
import { checkDraft } from "../../nodes/policy/checkDraft.js";
import { createLibrary } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { PERSON } from "../../tools/library/records/edits.js";
import { EXIT } from "../exit.js";
import { type LibraryOptions, madeBy, openLibrary, libraryContext } from "./openLibrary.js";
import { printJson, printTable, printLine, tell } from "../printing/print.js";
import { absentTool } from "../../tools/library/search/absentTool.js";
import type { LibraryEditor, LibraryView } from "../../tools/library/library.js";
import type { ToolVersion } from "../../tools/library/records/records.js";
import { calledTools, nameInSource, type ToolRecord, writtenCode } from "../../tools/tool.js";
import { readTextFile } from "../options.js";
import { lineDiff } from "../../common/lineDiff.js";

export type AddOptions = LibraryOptions & { why?: string; description?: string };

/** `tools add [FILE]`, `tools add ID --thread THREAD` */
export async function addTool(tool: string | undefined, options: AddOptions): Promise<number> {
  if (tool === undefined) return await createEmpty(options);
  if (options.thread !== undefined) return await promoteMade(tool, options.thread, options);
  return await addFile(tool, options);
}

async function createEmpty({ library: name, description, json }: AddOptions): Promise<number> {
  if (name === undefined) {
    throw new InvalidSetting({
      setting: "tools add",
      problem: "nothing to add is named",
      hint: "Name a file with one function, the id of a tool of --thread, or a new library: --library NAME",
    });
  }
  const settings = parseSettings({ library: name });
  const { store } = openWorkspace();
  const library = await createLibrary({ store, settings, description });
  if (json) printJson({ library: library.name });
  else printLine(`library ${library.name}: empty`);
  return EXIT.done;
}

async function promoteMade(id: string, thread: string, options: AddOptions): Promise<number> {
  const made = await madeBy(thread, options.library);
  const library = made.find(({ tools }) => tools.includes(id))?.library;
  if (library === undefined) {
    throw new UnknownName({
      kind: `tool made by thread ${thread}`,
      wanted: id,
      available: made.flatMap(({ tools }) => tools),
    });
  }
  const why = options.why ?? `promoted into the library ${library}`;
  const { store } = openWorkspace();
  const { version } = await store.promote({ id, library, thread, note: { by: PERSON, why } });
  if (options.json) printJson({ library, thread, tool: id, version });
  else printLine(`library ${library}: ${id}, version ${version}, from thread ${thread}`);
  return EXIT.done;
}

/** Adds a tool, or a new version of a tool that was written before. Faults go to stderr. */
async function addFile(file: string, options: AddOptions): Promise<number> {
  const { library: name, why = `from ${file}`, json } = options;
  const settings = parseSettings({ library: name });
  const library = await openLibrary(settings);
  const text = readTextFile({
    file,
    setting: `tools add ${file}`,
    hint: "Name a TypeScript file with one function",
  });
  const draft = { library, text, threadId: randomUUID(), timeoutMs: settings.toolTimeoutMs };
  const changes = library.list().find(({ source, name: id }) => {
    return source.kind === "generated" && new RegExp(`\\bfunction\\s+${id}\\b`).test(text);
  })?.id;
  const checked = await checkDraft(changes === undefined ? draft : { ...draft, changes });
  if ("problem" in checked) {
    const problems = checked.problem.split("\n").map((problem) => `${file}: ${problem}\n`);
    process.stderr.write(problems.join(""));
    return EXIT.usage;
  }
  const { tool, breaks } = checked;
  const basedOn = changes === undefined ? null : (library.get(changes)?.version ?? null);
  const note = { by: PERSON, why, ...(breaks.length > 0 ? { breaks } : {}) };
  const { id, version } = await library.put({ tool, basedOn, note });
  if (json) printJson({ library: library.name, tool: id, version });
  else printLine(`library ${library.name}: ${id}, version ${version}`);
  return EXIT.done;
}

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

async function restoreVersion(library: LibraryEditor, old: ToolRecord, options: HistoryOptions) {
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
  if (lacking.length > 0) tell(`${id} calls what the library lacks: ${lacking.join(", ")}`);
  printLine(
    `library ${library.name}: ${id} is at version ${restored.version}, as it was at version ${version}`,
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
    hint: `Its versions: ${records.map((record) => record.version).join(", ")}`,
  });
}
