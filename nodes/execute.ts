import { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { UnknownName } from "../errors.js";
import { openResources } from "../resources/resources.js";
import { type Context, readContext } from "../state/context.js";
import { type Call, type GraphState, type StateUpdate, addUsage } from "../state/state.js";
import { STOP } from "../tools/control.js";
import type { CallOutcome } from "../tools/runtime/outcome.js";
import type { ToolRecord } from "../tools/tool.js";
import { offeredTools } from "./offeredTools.js";

/** What became of one call: what the model is told, and the call for the record. */
interface Observed {
  text: string;
  failed: boolean;
  call?: Call;
}

/**
 * Runs the calls of the last reply and answers each of them, in call order. What is wrong with a
 * call goes back to the model in words; the runtime journals what is executed.
 */
export async function execute(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const context = readContext(config);
  const started = performance.now();
  const offered = await offeredTools({ state, context });
  const reply = lastReply(state);
  const calls = reply.tool_calls ?? [];
  const refused = new Map(calls.map((call) => [call, refusal({ call, reply, offered })]));
  const runnable = calls.filter((call) => !refused.get(call));
  const outcomes = await runCalls({ calls: runnable, offered, state, context, config });
  const observed = calls.map((call): Observed => {
    const outcome = outcomes.get(call);
    if (outcome) return observe(call, outcome);
    return {
      text: refused.get(call) ?? "",
      failed: true,
      call: refusedCall(call, refused.get(call)),
    };
  });
  return {
    messages: calls.map((call, index) => toolMessage(call, observed[index])),
    calls: [...state.calls, ...observed.flatMap(({ call }) => call ?? [])],
    usage: addUsage(state.usage, { ms: performance.now() - started }),
  };
}

function lastReply({ messages }: GraphState): AIMessage {
  const last = messages.at(-1);
  // Routers lead here from a reply with calls only.
  return AIMessage.isInstance(last) ? last : new AIMessage("");
}

/** Why a call is not executed, in words for the model; undefined when nothing speaks against it. */
function refusal(options: {
  call: ToolCall;
  reply: AIMessage;
  offered: ReadonlyMap<string, ToolRecord>;
}): string | undefined {
  const { call, reply, offered } = options;
  const unreadable = reply.invalid_tool_calls?.find(({ id }) => id === call.id);
  if (unreadable) {
    return `Error: the arguments of ${call.name} are not a JSON object: ${unreadable.args?.slice(0, 200)}. Send the call again with valid JSON.`;
  }
  if (call.name === STOP.name) {
    return (reply.tool_calls ?? []).length > 1
      ? `Error: ${STOP.name} came together with other calls, before their results were known. Read the results, then call ${STOP.name} alone.`
      : `Error: ${STOP.name} needs a message with the final answer (text, not empty) and solved (true or false).`;
  }
  if (offered.has(call.name)) return undefined;
  const available = [...offered.keys(), STOP.name];
  return `Error: ${new UnknownName({ kind: "tool", wanted: call.name, available }).message}. Use only the tools on offer.`;
}

async function runCalls(options: {
  calls: ToolCall[];
  offered: ReadonlyMap<string, ToolRecord>;
  state: GraphState;
  context: Context;
  config: LangGraphRunnableConfig;
}): Promise<Map<ToolCall, CallOutcome>> {
  const { calls, offered, state, context, config } = options;
  const secondsLeft = context.maxSeconds - state.usage.ms / 1000;
  const outcomes = await openResources().runtime.runCalls({
    threadId: threadOf({ state, config }),
    library: await openResources().library(context),
    calls: calls.flatMap((call) => {
      const tool = offered.get(call.name);
      return tool ? [{ id: call.id ?? "", tool, args: call.args }] : [];
    }),
    timeoutMs: context.toolTimeoutMs,
    deadline: Date.now() + Math.max(1, secondsLeft) * 1000,
    signal: config.signal,
  });
  return new Map(calls.map((call, index) => [call, outcomes[index] as CallOutcome]));
}

/** The thread that the journal knows the calls by; a run without a checkpointer is its own thread. */
function threadOf({
  state,
  config,
}: {
  state: GraphState;
  config: LangGraphRunnableConfig;
}): string {
  const thread: unknown = config.configurable?.["thread_id"];
  return typeof thread === "string" ? thread : state.run.id;
}

function observe(call: ToolCall, outcome: CallOutcome): Observed {
  const { id, tool, status, result, resultRef, resultText, error, ms, cost } = outcome;
  const record = { id, tool, args: call.args, ms, cost };
  if (status !== "done") {
    return { text: `Error: ${resultText}`, failed: true, call: { ...record, error } };
  }
  return { text: resultText, failed: false, call: { ...record, result, resultRef } };
}

/** A refused call of a tool is part of the record; `stop` is no tool of the library. */
function refusedCall({ id, name, args }: ToolCall, error?: string): Call | undefined {
  if (name === STOP.name) return undefined;
  return { id: id ?? "", tool: name, args, error, ms: 0, cost: 0 };
}

function toolMessage(call: ToolCall, observed: Observed | undefined): ToolMessage {
  return new ToolMessage({
    tool_call_id: call.id ?? "",
    name: call.name,
    content: observed?.text ?? "",
    status: observed?.failed ? "error" : "success",
  });
}
