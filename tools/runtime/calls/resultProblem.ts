import type { ErrorObject } from "ajv";
import type { ToolRecord } from "../../tool.js";
import { schemaCheck } from "./schemaCheck.js";
import { schemaInWords, valueInWords } from "./valuesInWords.js";

/**
 * Why a result is not what its tool declares; undefined if there is nothing wrong, no declaration, or an
 * unusable one.
 */
export function resultProblem({
  record,
  result,
}: {
  record: Pick<ToolRecord, "hash" | "returns">;
  result: unknown;
}): string | undefined {
  const { hash, returns } = record;
  if (!returns) return undefined;
  const check = schemaCheck({ key: `${hash} returns`, schema: returns });
  // A copy, because the check fills in defaults.
  if (typeof check === "string" || check(structuredClone(result))) return undefined;
  const [first] = check.errors ?? [];
  return first ? errorInWords(first) : "its result does not have the type that it declares";
}

function errorInWords({ keyword, instancePath, message, parentSchema, data }: ErrorObject): string {
  const result = instancePath ? `its result at ${instancePath}` : "its result";
  if (keyword !== "type" || !parentSchema) return `${result} ${message}`;
  return `${result} should be ${schemaInWords(parentSchema)}, and is ${valueInWords(data)}`;
}
