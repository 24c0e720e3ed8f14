import type { JsonSchema } from "./jsonSchema.js";

/** What an object does with undeclared fields; `unsaid` if its schema does not say. */
export type Others = "taken" | "refused" | "unsaid";

/** What a schema says about undeclared fields. */
export function otherFields({ additionalProperties, patternProperties }: JsonSchema): Others {
  if (patternProperties !== undefined) return "taken";
  if (additionalProperties === undefined) return "unsaid";
  return additionalProperties === false ? "refused" : "taken";
}

/**
 * What a tool does with undeclared arguments. They are refused unless its schema allows them, because most
 * tools silently ignore what they do not know.
 */
export function otherArguments(parameters: JsonSchema): Others {
  if (DECLARING.some((keyword) => keyword in parameters)) return "taken";
  const others = otherFields(parameters);
  return others === "unsaid" ? "refused" : others;
}

/** Keywords that may declare arguments outside `properties`. */
const DECLARING = "$ref allOf anyOf oneOf if dependentSchemas unevaluatedProperties".split(" ");
