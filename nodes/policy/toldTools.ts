import { isPlainObject } from "../../plans/steps/references.js";
import type { Call } from "../../state/state.js";
import type { ToolRecord } from "../../tools/tool.js";

/**
 * Tools as results of the run have last told of them. Besides what was asked for, a result may have `prices` (units, by the
 * names of tools) and `unavailable` (names). A source speaks of its own tools only, and what is not a price does not count.
 *
 * @returns the tools with their newest cost, without those that are unavailable
 */
export function toldTools(
  tools: readonly ToolRecord[],
  calls: readonly Pick<Call, "tool" | "result">[],
): ToolRecord[] {
  const told = new Map<string, number | "gone">();
  for (const { tool, result } of calls) {
    if (!isPlainObject(result) || !("prices" in result || "unavailable" in result)) continue;
    const from = tools.find(({ id }) => id === tool)?.source.file;
    for (const { id, name } of tools.filter(({ source }) => source.file === from)) {
      const price: unknown = Object(result["prices"])[name];
      if (typeof price === "number" && price >= 0 && Number.isFinite(price)) told.set(id, price);
      if ([result["unavailable"]].flat().includes(name)) told.set(id, "gone");
    }
  }
  return tools.flatMap((tool) => {
    const news = told.get(tool.id);
    if (news === "gone") return [];
    return news === undefined ? [tool] : [{ ...tool, cost: news }];
  });
}
