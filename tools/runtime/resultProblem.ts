import type { ErrorObject } from "ajv";
import type { ToolRecord } from "../tool.js";
import { schemaCheck } from "./schemaCheck.js";
import { schemaInWords, valueInWords } from "./valuesInWords.js";

/**
 * Why a result is not what its tool says that it returns; undefined where nothing speaks against it: the
 * tool may say nothing, or say it in a schema that cannot be used.
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
  // Defaults are filled in: not into the result itself.
  if (typeof check === "string" || check(structuredClone(result))) return undefined;
  const [first] = check.errors ?? [];
  return first ? errorInWords(first) : "its result does not have the type that it declares";
}

function errorInWords({ keyword, instancePath, message, parentSchema, data }: ErrorObject): string {
  const result = instancePath ? `its result at ${instancePath}` : "its result";
  if (keyword !== "type" || !parentSchema) return `${result} ${message}`;
  return `${result} should be ${schemaInWords(parentSchema)}, and is ${valueInWords(data)}`;
}
