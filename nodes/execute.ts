import { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { openResources } from "../resources/resources.js";
import { type Context, readContext } from "../state/context.js";
import { type Call, type GraphState, type StateUpdate, addUsage } from "../state/state.js";
import { STOP } from "../tools/control.js";
import type { CallOutcome } from "../tools/runtime/outcome.js";
import type { ToolRecord } from "../tools/tool.js";
import { type Decision, askApproval, needsApproval } from "./approval.js";
import { refusal } from "./guards.js";
import { offeredTools } from "./offeredTools.js";

/** What became of one call: what the model is told, and the call for the record. */
interface Observed {
  text: string;
  failed: boolean;
  call?: Call;
}

/** A call that nothing speaks against, with the arguments that a person may have changed. */
interface RunnableCall {
  call: ToolCall;
  tool: ToolRecord;
  args: Record<string, unknown>;
}

/**
 * Runs the calls of the last reply and answers each of them, in call order. What is wrong with a
 * call goes back to the model in words; calls that need approval pause the run; the runtime journals
 * what is executed, so that a visit that is repeated repeats no call.
 */
export async function execute(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const context = readContext(config);
  const offered = await offeredTools({ state, context });
  const reply = lastReply(state);
  const calls = reply.tool_calls ?? [];
  const refused = new Map(
    calls.flatMap((call) => {
      const problem = refusal({ call, reply, offered });
      return problem === undefined ? [] : [[call, problem] as const];
    }),
  );
  const permitted = calls.flatMap((call) => {
    const tool = refused.has(call) ? undefined : offered.get(call.name);
    return tool ? [{ call, tool }] : [];
  });
  const decisions = askApproval(permitted.filter(({ tool }) => needsApproval(tool, context)));
  const runnable = permitted.flatMap(({ call, tool }): RunnableCall[] => {
    const decision = decisions.get(call);
    if (decision?.type === "reject") refused.set(call, rejection(decision));
    return decision?.type === "reject" ? [] : [{ call, tool, args: decidedArgs(call, decision) }];
  });
  const started = performance.now();
  const outcomes = await runCalls({ runnable, state, context, config });
  const observed = calls.map((call) => outcomes.get(call) ?? notRun(call, refused.get(call)));
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

function rejection({ message }: Decision & { type: "reject" }): string {
  return `a person has rejected this call${message ? `: ${message}` : ""}. Do not repeat it.`;
}

function decidedArgs(call: ToolCall, decision?: Decision): Record<string, unknown> {
  return decision?.type === "edit" ? decision.args : call.args;
}

async function runCalls(options: {
  runnable: RunnableCall[];
  state: GraphState;
  context: Context;
  config: LangGraphRunnableConfig;
}): Promise<Map<ToolCall, Observed>> {
  const { runnable, state, context, config } = options;
  const { runtime, library } = openResources();
  const tools = await library(context);
  const secondsLeft = context.maxSeconds - state.usage.ms / 1000;
  const outcomes = await runtime.runCalls({
    threadId: threadOf({ state, config }),
    library: { get: (id) => callable(tools.get(id), context) },
    calls: runnable.map(({ call, tool, args }) => ({ id: call.id ?? "", tool, args })),
    timeoutMs: context.toolTimeoutMs,
    deadline: Date.now() + Math.max(1, secondsLeft) * 1000,
    signal: config.signal,
  });
  return new Map(
    runnable.flatMap(({ call, args }, index) => {
      const outcome = outcomes[index];
      return outcome ? [[call, observe({ outcome, args })] as const] : [];
    }),
  );
}

/** The thread that the journal knows the calls by; a run without a checkpointer is its own thread. */
function threadOf(options: { state: GraphState; config: LangGraphRunnableConfig }): string {
  const thread: unknown = options.config.configurable?.["thread_id"];
  return typeof thread === "string" ? thread : options.state.run.id;
}

/** What tools may call themselves: nobody can be asked in the middle of a call. */
function callable(tool: ToolRecord | undefined, context: Context): ToolRecord | undefined {
  if (tool && needsApproval(tool, context)) {
    throw new Error(`${tool.id} needs a person's approval and cannot be called by a tool`);
  }
  return tool;
}

function observe(options: { outcome: CallOutcome; args: Record<string, unknown> }): Observed {
  const { outcome, args } = options;
  const { id, tool, status, result, resultRef, resultText, error, ms, cost } = outcome;
  const record = { id, tool, args, ms, cost };
  if (status !== "done") return { text: resultText, failed: true, call: { ...record, error } };
  return { text: resultText, failed: false, call: { ...record, result, resultRef } };
}

/** A refused call of a tool is part of the record; `stop` is no tool of the library. */
function notRun(call: ToolCall, problem = ""): Observed {
  const { id = "", name: tool, args } = call;
  const record = { id, tool, args, error: problem, ms: 0, cost: 0 };
  return { text: problem, failed: true, ...(tool === STOP.name ? {} : { call: record }) };
}

/** What a tool has thrown is told with the name of its error. */
const NAMED_ERROR = /^\w*Error: /;

function toolMessage(call: ToolCall, observed: Observed | undefined): ToolMessage {
  const failed = observed?.failed ?? true;
  const text = observed?.text ?? "";
  return new ToolMessage({
    tool_call_id: call.id ?? "",
    name: call.name,
    content: failed && !NAMED_ERROR.test(text) ? `Error: ${text}` : text,
    status: failed ? "error" : "success",
  });
}
