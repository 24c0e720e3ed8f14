import { parseJson } from "../../common/jsonInText.js";
import { isPlainObject } from "./references.js";

/** Keys that models use for a tool's name and its arguments, surest first. */
const NAME_KEYS = "tool_name tool name function function_name recipient_name action".split(" ");
const ARGUMENT_KEYS =
  "arguments args parameters params input tool_input action_input function_args kwargs".split(" ");

/** Keys under which whole calls are. */
const INNER = "function function_call functionCall tool_call toolCall tool_use toolUse".split(" ");

export interface WrittenCall {
  name: string;
  /** As written; undefined if there are none. */
  args: unknown;
  others: Record<string, unknown>;
}

/** The call that a model wrote as data, in the forms of several providers; undefined for other data. */
export function writtenCall(value: unknown): WrittenCall | undefined {
  if (!isPlainObject(value)) return undefined;
  const isMcp = value["method"] === "tools/call";
  const inner = isMcp ? value["params"] : INNER.map((key) => value[key]).find(isPlainObject);
  if (isPlainObject(inner)) return writtenCall(inner);
  const nameKey = NAME_KEYS.find((key) => typeof value[key] === "string");
  if (nameKey === undefined) return undefined;
  const argumentsKey = ARGUMENT_KEYS.find((key) => value[key] !== undefined && value[key] !== null);
  const { [nameKey]: name, [argumentsKey ?? ""]: args, ...others } = value;
  return { name: nameInCall(String(name)), args, others };
}

/** What models write before the name of a tool, and behind it: also marks of their templates that a server has left there. */
const AROUND =
  /^[\s"'`]*(?:(?:functions?|tools?|default_api|api)[.:])?|(?:\(\)|:\d+)?[\s"'`]*(?:<\|[^]*)?$/g;

/** The name of a tool without the namespace that some models write before all of them. */
export function nameInCall(written: string): string {
  return written.replaceAll(AROUND, "");
}

/**
 * Names and values of arguments: an object, such an object as a text, or the pairs of "AI Agent 007"
 * (`argument_name`, `argument_value`); undefined if unclear.
 */
export function writtenArguments(written: unknown): [string, unknown][] | undefined {
  if (written === undefined || written === null) return [];
  const value = typeof written === "string" ? parseJson(written) : written;
  if (isPlainObject(value)) return Object.entries(value);
  if (!Array.isArray(value)) return undefined;
  const entries = value.flatMap((item: unknown): [string, unknown][] => {
    const name = isPlainObject(item) ? (item["argument_name"] ?? item["name"]) : undefined;
    if (!isPlainObject(item) || typeof name !== "string") return [];
    return [[name, "argument_value" in item ? item["argument_value"] : item["value"]]];
  });
  return entries.length === value.length ? entries : undefined;
}
