import type { InvalidToolCall, ToolCall } from "@langchain/core/messages/tool";
import { DEEPEST_ARGUMENTS, LONGEST_NAME, beginning } from "../common/bounds.js";

/** The calls of a reply: those with readable arguments, and the others. */
export interface ReadCalls {
  calls: ToolCall[];
  invalid: InvalidToolCall[];
}

/** The problem of arguments nested too deep to process. */
export const TOO_DEEP = `nested deeper than ${DEEPEST_ARGUMENTS} levels`;

/**
 * Makes calls with too deeply nested arguments invalid, and cuts too long names. JSON of any depth can be
 * parsed, but most code that uses it is recursive.
 */
export function readableCalls({ calls, invalid }: ReadCalls): ReadCalls {
  const deep = calls.filter(isTooDeep).map(({ id, name }): InvalidToolCall => ({
    id,
    name: beginning(name, LONGEST_NAME),
    error: TOO_DEEP,
    type: "invalid_tool_call",
  }));
  return {
    calls: calls
      .filter((call) => !isTooDeep(call))
      .map((call) => ({ ...call, name: beginning(call.name, LONGEST_NAME) })),
    invalid: [
      ...invalid.map((call) => ({ ...call, name: beginning(call.name ?? "", LONGEST_NAME) })),
      ...deep,
    ],
  };
}

/** The arguments themselves are one level. */
function isTooDeep({ args }: ToolCall): boolean {
  return isDeeper(args, DEEPEST_ARGUMENTS + 1);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
