import type { ToolDefinition } from "../../tool.js";
import type { IndexSource } from "../vectors/openIndex.js";
import { embedTools } from "../vectors/vectors.js";
import type { WordChange } from "../words/wordIndex.js";
import { changeWords } from "../words/wordIndex.js";
import { findTool, getTool } from "./records.js";
import { beginRevision, updateTool } from "./toolRows.js";

/**
 * Keeps what people would say to tools, each as a new version of its tool, so that indexes follow; a tool that was
 * removed or has changed meanwhile is left out.
 *
 * @param phrases by the tools' ids; undefined removes those of a tool
 */
export async function phraseTools(
  { place, write, model }: IndexSource,
  phrases: ReadonlyMap<string, readonly string[] | undefined>,
): Promise<void> {
  const read = [...phrases].flatMap(([id, said]) => {
    const tool = getTool({ ...place(), id });
    if (!tool) return [];
    const { phrases: _before, ...bare } = tool;
    const phrased: ToolDefinition = said ? { ...bare, phrases: [...said] } : bare;
    return [{ hash: tool.hash, phrased }];
  });
  if (read.length === 0) return;
  await embedTools({ write, model, tools: read.map(({ phrased }) => phrased) });
  await write((now) => {
    const later: WordChange[] = [];
    for (const { hash, phrased } of read) {
      const stored = findTool({ ...now, id: phrased.id });
      if (stored?.hash === hash) updateTool({ ...now, later, tool: phrased, stored });
    }
    changeWords(now, later);
    if (later.length > 0) beginRevision(now);
  });
}
