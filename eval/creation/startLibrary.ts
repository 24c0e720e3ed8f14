import { openEmbeddings } from "../../models/embeddings.js";
import { openWorkspace } from "../../workspace/workspace.js";
import { checkedDraft } from "../../tools/compiler/index.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import { PERSON } from "../../tools/library/edits.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { readText, sectionsOf } from "../files.js";

/** Code of the tools that libraries start with, as a model would have written it. */
export const START_TOOLS: Readonly<Record<string, string>> = Object.fromEntries(
  sectionsOf(readText(new URL("./startTools.txt", import.meta.url)), "==="),
);

/** The library that a request starts with. */
interface StartLibrary {
  name: string;
  embeddings: string;
  start: readonly string[];
}

/** Opens the library of a request, with its start tools as if a model had written them. */
export async function openStartLibrary(wanted: StartLibrary): Promise<ToolLibrary> {
  const { name, embeddings, start } = wanted;
  const model = await openEmbeddings(embeddings);
  const library = await openWorkspace().store.open({
    name,
    embeddings: model,
    embeddingModel: model.name,
    create: true,
  });
  for (const tool of start) {
    // A resumed run finds the library as it left it.
    if (library.history(tool).length === 0) await addStartTool(library, tool);
  }
  return library;
}

async function addStartTool(library: ToolLibrary, name: string): Promise<void> {
  const reading = await checkedDraft({
    reply: START_TOOLS[name] ?? "",
    tools: library.list(),
    reserved: CONTROL_NAMES,
  });
  if (!reading.ok) {
    throw new Error(`the start tool ${name}: ${reading.problems[0]?.problem}`);
  }
  const note = { by: PERSON, why: "part of the library that the request begins with" };
  await library.put({ tool: reading.tool, basedOn: null, note });
}
