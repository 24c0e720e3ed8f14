import { codeNames } from "../../plans/language/codeNames.js";
import { sameName } from "../../plans/steps/meantNames.js";
import type { ToolRecord } from "../../tools/tool.js";
import type { NamedTools } from "../shared/modelView.js";

/** Tools by the names a program uses. */
export function programFunctions(tools: NamedTools): Map<string, ToolRecord> {
  const names = codeNames([...tools.keys()]);
  return new Map([...tools].map(([name, tool]) => [names.get(name) ?? name, tool]));
}

/** The tool a program means by a name, in whatever spelling style. */
export function functionOf(
  name: string,
  functions: ReadonlyMap<string, ToolRecord>,
): ToolRecord | undefined {
  return functions.get(name) ?? functions.get(sameName(name, [...functions.keys()]) ?? "");
}
