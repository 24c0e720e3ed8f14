import { isDeepStrictEqual } from "node:util";
import { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { cutObservation } from "../prompts/observation.js";
import type { Call, GraphState } from "../state/state.js";
import { validateArguments } from "../tools/runtime/validateArguments.js";
import type { ToolRecord } from "../tools/tool.js";
import { isOfProgram } from "./leaveProgram.js";
import type { ToolsAtHand } from "./toolsAtHand.js";

/**
 * Calls that would write once more what this run has written, with no other write between, or what another
 * call of the same message writes; each with what the model is told instead. Models repeat what they have
 * done when something after it fails. A call that is sent again once that was told is meant.
 */
export function repeatedWrites(options: {
  state: GraphState;
  calls: readonly ToolCall[];
  atHand: ToolsAtHand;
}): Map<ToolCall, string> {
  const { state, calls, atHand } = options;
  const { offered, forbidden, useless } = atHand;
  const tools = new Map([...offered, ...forbidden, ...useless]);
  const repeated = new Map<ToolCall, string>();
  const writes = calls.flatMap((call) => {
    const tool = tools.get(call.name);
    return tool?.effects === "write" ? [{ call, tool }] : [];
  });
  for (const [at, { call, tool }] of writes.entries()) {
    const isTwice = writes
      .slice(0, at)
      .some((other) => other.tool === tool && isSameCall(tool, other.call, call));
    const told = isTwice ? twiceText(call) : doneText({ call, tool, state, tools });
    if (told !== undefined) repeated.set(call, told);
  }
  return repeated;
}

/** What is told of a call that was made already; undefined for one that was not, or that is meant. */
function doneText(options: {
  call: ToolCall;
  tool: ToolRecord;
  state: GraphState;
  tools: ReadonlyMap<string, ToolRecord>;
}): string | undefined {
  const { call, tool, state, tools } = options;
  const { calls } = state;
  const writing = new Set(
    [...tools.values()].filter(({ effects }) => effects === "write").map(({ id }) => id),
  );
  const isDone = (one: Call) => !one.refused && one.error === undefined && writing.has(one.tool);
  const at = calls.findLastIndex(
    (one) => isDone(one) && one.tool === tool.id && isSameCall(tool, one, call),
  );
  const earlier = calls[at];
  if (!earlier) return undefined;
  const since = calls.slice(at + 1);
  const round = roundOf(earlier.id, state);
  // Whoever repeats a plan or a message in part has not seen that it was done; within one it is seen.
  const isWithin = roundOf(call.id ?? "", state) === round;
  const between = since.filter(
    (one) => isDone(one) && (isWithin || roundOf(one.id, state) !== round),
  );
  const text = alreadyText(call, earlier);
  const wasTold = since.some(({ error }) => error === text || error === twiceText(call));
  return between.length > 0 || wasTold ? undefined : text;
}

/** Whether two calls of a tool have the same arguments, those left out as the schema fills them in. */
function isSameCall(
  tool: ToolRecord,
  one: Pick<ToolCall, "args">,
  other: Pick<ToolCall, "args">,
): boolean {
  const filled = validateArguments({ record: tool, args: one.args });
  const others = validateArguments({ record: tool, args: other.args });
  return filled.ok && others.ok && isDeepStrictEqual(filled.args, others.args);
}

/** What was written together: the steps of the plan, the calls of the program, or those of one message. */
function roundOf(id: string, state: GraphState): string | number {
  const { plan, messages } = state;
  if (plan?.callIds.includes(id)) return "plan";
  if (isOfProgram(state, id)) return "program";
  const at = messages.findIndex(
    (message) =>
      AIMessage.isInstance(message) && message.tool_calls?.some((call) => call.id === id),
  );
  return at < 0 ? id : at;
}

const ON_PURPOSE = "To do it once more on purpose, send the same call again.";

function alreadyText({ name }: ToolCall, { result }: Call): string {
  const gave = result === undefined ? "" : ` and gave ${cutObservation(JSON.stringify(result))}`;
  return `${name} was already called with these arguments in this run${gave}; it was not called again. ${ON_PURPOSE}`;
}

function twiceText({ name }: ToolCall): string {
  return `${name} stands twice with these arguments in one message and was called once. ${ON_PURPOSE}`;
}
