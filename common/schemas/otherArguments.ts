import type { JsonSchema } from "../../tools/tool.js";

/** What an object does with fields that it does not declare; `unsaid` where its schema does not say. */
export type Others = "taken" | "refused" | "unsaid";

/** What a schema says of fields that it does not declare. */
export function otherFields({ additionalProperties, patternProperties }: JsonSchema): Others {
  if (patternProperties !== undefined) return "taken";
  if (additionalProperties === undefined) return "unsaid";
  return additionalProperties === false ? "refused" : "taken";
}

/**
 * What a tool does with arguments that it does not declare. Where its schema does not say, they are refused:
 * most tools leave out in silence what they do not know.
 */
export function otherArguments(parameters: JsonSchema): Others {
  if (DECLARING.some((keyword) => keyword in parameters)) return "taken";
  const others = otherFields(parameters);
  return others === "unsaid" ? "refused" : others;
}

/** Keywords by which arguments may be declared elsewhere than in `properties`. */
const DECLARING = "$ref allOf anyOf oneOf if dependentSchemas unevaluatedProperties".split(" ");
