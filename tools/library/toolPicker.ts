import type { ToolRecord } from "../tool.js";
import { getTool, type LibraryPlace, readLibrary } from "./records.js";

/** Tools that are kept as they were read, for each library; the one read first makes place for a new one. */
const TOOLS_KEPT = 500;

/** Reads tools by their ids; those that were read before are not read again until the library has changed. */
export function toolPicker() {
  let content: string | undefined;
  let known = new Map<string, ToolRecord>();
  return ({ ids, ...place }: LibraryPlace & { ids: readonly string[] }) => {
    // Named first: what is read after a change is read again as soon as the change is seen.
    const now = readLibrary(place).content;
    if (now !== content) known = new Map();
    content = now;
    return new Map(
      ids.flatMap((id): [string, ToolRecord][] => {
        const tool = known.get(id) ?? getTool({ ...place, id });
        if (!tool) return [];
        known.set(id, tool);
        const [oldest] = known.keys();
        if (known.size > TOOLS_KEPT && oldest !== undefined) known.delete(oldest);
        return [[id, tool]];
      }),
    );
  };
}
