import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { InvalidSetting, UnknownName, messageOf } from "../../common/errors.js";
import { checkDraft } from "../../nodes/policy/checkDraft.js";
import { createLibrary } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { PERSON } from "../../tools/library/records/edits.js";
import { EXIT } from "../exit.js";
import { type LibraryOptions, madeBy, openLibrary } from "./openLibrary.js";
import { printJson } from "../printing/print.js";

export type AddOptions = LibraryOptions & { why?: string; description?: string };

/** `tools add [FILE]`, `tools add ID --thread THREAD` */
export async function addTool(tool: string | undefined, options: AddOptions): Promise<number> {
  if (tool === undefined) return await createEmpty(options);
  if (options.thread !== undefined) return await promoteMade(tool, options.thread, options);
  return await addFile(tool, options);
}

async function createEmpty(options: AddOptions): Promise<number> {
  const { library: name, description, json } = options;
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
  else process.stdout.write(`library ${library.name}: empty\n`);
  return EXIT.done;
}

/** Moves a tool from its thread into the library. */
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
  else
    process.stdout.write(`library ${library}: ${id}, version ${version}, from thread ${thread}\n`);
  return EXIT.done;
}

/** Adds a tool, or a new version of a tool that was written before. Faults go to stderr. */
async function addFile(file: string, options: AddOptions): Promise<number> {
  const { library: name, why = `from ${file}`, json } = options;
  const settings = parseSettings({ library: name });
  const library = await openLibrary(settings);
  const text = readCode(file);
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
  else process.stdout.write(`library ${library.name}: ${id}, version ${version}\n`);
  return EXIT.done;
}

function readCode(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new InvalidSetting({
      setting: `tools add ${file}`,
      problem: `cannot be read (${messageOf(error)})`,
      hint: "Name a TypeScript file with one function",
    });
  }
}
