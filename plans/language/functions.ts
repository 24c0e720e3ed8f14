import { wordsOf } from "../../common/nearNames.js";
import { isSchema } from "../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { ProgramCall } from "./program.js";

/** Parameter names of the functions that a program may call, in the order of their tools. */
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

/** Words that say nothing about what a function does. */
const EMPTY = new Set(["args", "data", "input", "options", "params", "value", "x"]);

/**
 * The search phrase for an unknown function of a program: the words of its name, and of its arguments if they
 * add something ("find user by name").
 */
export function phraseOf({ name, given }: Pick<ProgramCall, "name" | "given">): string {
  const words = wordsOf(name);
  const said = new Set(words);
  const others = given.map((argument) =>
    wordsOf(argument)
      .filter((word) => word.length > 1 && !said.has(word) && !EMPTY.has(word))
      .join(" "),
  );
  const by = [...new Set(others)].filter((text) => text !== "").join(" and ");
  return by ? `${words.join(" ")} by ${by}` : words.join(" ");
}
