import { sameName } from "../plans/names.js";
import type { ToolRecord } from "../tools/tool.js";
import type { NamedTools } from "./shown.js";

/** Words of TypeScript that no function is called by. */
const RESERVED: ReadonlySet<string> = new Set(
  "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static await async eval arguments".split(
    " ",
  ),
);

/**
 * Tools under the names by which a program can call them: those under which the model knows them, as far as
 * code can hold them.
 */
export function programFunctions(tools: NamedTools): Map<string, ToolRecord> {
  const functions = new Map<string, ToolRecord>();
  const legal = [...tools].filter(([name]) => functionName(name) === name);
  const others = [...tools].filter(([name]) => functionName(name) !== name);
  for (const [name, tool] of [...legal, ...others]) {
    let free = functionName(name);
    while (functions.has(free)) free = `${free}_`;
    functions.set(free, tool);
  }
  return functions;
}

/** The name of a tool as code can hold it: `get-item` is `get_item`. */
export function functionName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_$]/g, "_");
  if (RESERVED.has(plain)) return `${plain}_`;
  return /^\d/.test(plain) ? `_${plain}` : plain;
}

/** The tool that a program calls so: by its name, or by the same in another writing. */
export function functionOf(
  name: string,
  functions: ReadonlyMap<string, ToolRecord>,
): ToolRecord | undefined {
  return functions.get(name) ?? functions.get(sameName(name, [...functions.keys()]) ?? "");
}

/** Names of what each function takes, in the order in which its tool declares it. */
export function parametersOf(functions: ReadonlyMap<string, ToolRecord>): Map<string, string[]> {
  return new Map(
    [...functions].map(([name, { parameters }]) => [name, Object.keys(parameters.properties)]),
  );
}
