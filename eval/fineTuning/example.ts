import { HumanMessage } from "@langchain/core/messages";
import type {
  Demonstration,
  DemonstrationCall,
} from "../../memory/demonstrations/demonstrationStore.js";
import { actPrompt } from "../../nodes/acting/actPrompt.js";
import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { CONTROL_NAMES, STOP } from "../../tools/control.js";
import { wireNames } from "../../tools/runtime/calls/wireNames.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { ToolRecord } from "../../tools/tool.js";

/** A message of an example, in the form of OpenAI's chat completions. */
type FineTuningMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; tool_calls: FineTuningCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

interface FineTuningCall {
  id: string;
  type: "function";
  /** `arguments` is JSON. */
  function: { name: string; arguments: string };
}

/** A line of a fine-tuning set in OpenAI's format. */
export interface FineTuningExample {
  messages: FineTuningMessage[];
  parallel_tool_calls: false;
  tools: {
    type: "function";
    function: { name: string; description: string; parameters: JsonSchema };
  }[];
}

/**
 * A demonstration as a conversation at the stage `act`: the prompt of that stage, one call in each reply, and at the
 * end `stop` with the answer if the answer and the result of the last call are known.
 *
 * @param options.demonstration a whole one ({@link isWhole})
 * @param options.tools the tools on offer, in the order in which they are shown; they must include those of the calls
 */
export function fineTuningExample(options: {
  demonstration: Demonstration;
  tools: readonly ToolRecord[];
  background?: string;
}): FineTuningExample {
  const { demonstration, tools, background } = options;
  const byId = wireNames({ tools, reserved: CONTROL_NAMES });
  const offered = tools.map(({ id, name, description, parameters }) => ({
    name: byId.get(id) ?? name,
    description,
    parameters,
  }));
  return {
    messages: [
      ...question(demonstration.task, offered, background),
      ...steps(demonstration, (tool) => byId.get(tool) ?? tool),
    ],
    parallel_tool_calls: false,
    tools: [...offered, STOP].map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    })),
  };
}

/** Whether the result of every call but the last is known: a model continues from results. */
export function isWhole({ calls }: Demonstration): boolean {
  return calls.slice(0, -1).every(({ result }) => result !== undefined);
}

function question(task: string, tools: OfferedTool[], background?: string): FineTuningMessage[] {
  const nothingYet = { earlierTurns: [], steps: [], missed: [], observations: [] };
  const { messages } = actPrompt(
    { request: task, background, tools, ...nothingYet },
    { earlier: [new HumanMessage(task)], since: [] },
  );
  return messages.map(({ type, text }) => ({
    role: type === "system" ? "system" : "user",
    content: text,
  }));
}

function steps(
  demonstration: Demonstration,
  nameOf: (tool: string) => string,
): FineTuningMessage[] {
  const { calls, answer } = demonstration;
  const isAnswered = answer !== undefined && calls.at(-1)?.result !== undefined;
  const made = calls.flatMap((call, at) => step(call, at, nameOf(call.tool)));
  if (!isAnswered) return made.slice(0, made.findLastIndex(({ role }) => role === "assistant") + 1);
  const end = { message: answer, solved: true };
  return [...made, reply(calls.length, STOP.name, end)];
}

/** A call and its result, in the words of the agent. */
function step(call: DemonstrationCall, at: number, name: string): FineTuningMessage[] {
  const { args, result } = call;
  const made = reply(at, name, args);
  if (result === undefined) return [made];
  const content = typeof result === "string" ? result : JSON.stringify(result);
  return [made, { role: "tool", tool_call_id: callId(at), content }];
}

function reply(at: number, name: string, args: Record<string, unknown>): FineTuningMessage {
  const call = { name, arguments: JSON.stringify(args) };
  return {
    role: "assistant",
    tool_calls: [{ id: callId(at), type: "function", function: call }],
  };
}

function callId(at: number): string {
  return `call_${at + 1}`;
}
