import { InvalidSetting, UnknownName } from "../../common/errors.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { type Settings, parseSettings } from "../../state/settings.js";
import { PERSON } from "../../tools/library/records/edits.js";
import type { MadeTools } from "../../tools/library/records/libraryRows.js";
import { printJson } from "../printing/print.js";
import type { LibraryOptions } from "./showTools.js";

/**
 * The settings that choose the library: the named one, or the only one for which the thread has made tools, or the
 * default.
 */
export async function libraryContext({
  library,
  embeddings,
  thread,
}: LibraryOptions): Promise<Settings> {
  if (thread === undefined) return parseSettings({ library, embeddings });
  const [made, ...others] = await madeBy({ thread });
  const only = others.length === 0 ? made?.library : undefined;
  return { ...parseSettings({ library: library ?? only, embeddings }), threadId: thread };
}

/** The ids of the tools that a thread has made for a library. */
export async function madeTools(by: { thread: string; library: string }): Promise<string[]> {
  return (await madeBy(by)).flatMap(({ tools }) => tools);
}

/** `tools promote ID` */
export async function promoteMade(
  id: string,
  options: Pick<LibraryOptions, "library" | "thread" | "json"> & { why?: string },
): Promise<void> {
  const { library, thread } = await makerOf(id, options);
  const why = options.why ?? `promoted into the library ${library}`;
  const { store } = openWorkspace();
  const tool = await store.promote({ id, library, thread, note: { by: PERSON, why } });
  if (options.json) return printJson({ library, thread, tool: id, version: tool.version });
  process.stdout.write(
    `library ${library}: ${id}, version ${tool.version}, from thread ${thread}\n`,
  );
}

/** @throws UnknownName if no thread has made such a tool; InvalidSetting if several have */
async function makerOf(
  id: string,
  wanted: { library?: string; thread?: string },
): Promise<MadeTools> {
  const made = await madeBy(wanted);
  const [maker, ...others] = made.filter(({ tools }) => tools.includes(id));
  if (!maker) {
    const available = [...new Set(made.flatMap(({ tools }) => tools))];
    throw new UnknownName({
      kind: "tool made by a thread",
      wanted: id,
      available,
      hint: "see what a thread has made with: tulipgraph tools list --thread THREAD",
    });
  }
  if (others.length === 0) return maker;
  const places = [maker, ...others].map(
    (each) => `--thread ${each.thread} --library ${each.library}`,
  );
  throw new InvalidSetting({
    setting: `tools promote ${id}`,
    problem: `${places.length} threads have made a tool of this id`,
    hint: `say which one: ${places.join(" or ")}`,
  });
}

async function madeBy({
  library,
  thread,
}: {
  library?: string;
  thread?: string;
}): Promise<MadeTools[]> {
  const all = await openWorkspace().store.made();
  return all
    .filter((made) => library === undefined || made.library === library)
    .filter((made) => thread === undefined || made.thread === thread);
}
