import { isSchema } from "../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../tools/tool.js";

/** Parameter names of each function, in its tool's order. */
export function parametersOf(
  functions: ReadonlyMap<string, { parameters: JsonSchema }>,
): Map<string, string[]> {
  return new Map(
    [...functions].map(([name, { parameters }]) => {
      const { properties } = parameters;
      return [name, isSchema(properties) ? Object.keys(properties) : []];
    }),
  );
}
