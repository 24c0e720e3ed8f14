import type { InvalidToolCall, ToolCall } from "@langchain/core/messages/tool";
import { DEEPEST_ARGUMENTS, LONGEST_NAME, beginning } from "../common/bounds.js";

/** The calls of a reply: those whose arguments could be read, and the others. */
export interface ReadCalls {
  calls: ToolCall[];
  invalid: InvalidToolCall[];
}

/** What is said of arguments that nothing can walk through. */
export const TOO_DEEP = `nested deeper than ${DEEPEST_ARGUMENTS} levels`;

/**
 * The calls of a reply with those among the invalid ones whose arguments are nested too deep, and with names
 * of a length that can be spoken of. JSON of any depth is parsed; most of what is done with it then is recursive.
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

/** The arguments are an object themselves. */
function isTooDeep({ args }: ToolCall): boolean {
  return isDeeper(args, DEEPEST_ARGUMENTS + 1);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
