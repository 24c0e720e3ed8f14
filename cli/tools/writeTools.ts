import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { InvalidSetting, messageOf } from "../../common/errors.js";
import { checkDraft } from "../../nodes/shared/checkDraft.js";
import { createLibrary } from "../../nodes/workspace/libraries.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { PERSON } from "../../tools/library/records/edits.js";
import { EXIT } from "../exit.js";
import { openLibrary } from "./openLibrary.js";
import { printJson } from "../printing/print.js";
import type { LibraryOptions } from "./showTools.js";

/** `tools create NAME` */
export async function createEmpty(
  name: string,
  options: Omit<LibraryOptions, "library"> & { description?: string },
): Promise<void> {
  const { embeddings, description, json } = options;
  const { store } = openWorkspace();
  const context = parseSettings({ library: name, embeddings });
  const library = await createLibrary({ store, context, description });
  if (json) printJson({ library: library.name });
  else process.stdout.write(`library ${library.name}: empty\n`);
}

/**
 * `tools add FILE`: adds a tool, or a new version of a tool that was written before. Faults go to stderr.
 *
 * @returns the exit code
 */
export async function addTool(
  file: string,
  options: LibraryOptions & { why?: string },
): Promise<number> {
  const { library: name, embeddings, why = `from ${file}`, json } = options;
  const context = parseSettings({ library: name, embeddings });
  const library = await openLibrary(context);
  const text = readCode(file);
  const draft = { library, text, threadId: randomUUID(), timeoutMs: context.toolTimeoutMs };
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
