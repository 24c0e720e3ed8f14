import { randomUUID } from "node:crypto";
import { ToolMessage } from "@langchain/core/messages";
import { tool as langChainTool } from "@langchain/core/tools";
import { toolLines } from "../models/chat/toolLines.js";
import { viewsWithSeen } from "../nodes/policy/modelView.js";
import { askApproval } from "../nodes/acting/approval.js";
import { canAsk, ifAsked, todayOf } from "../nodes/kit/runBasics.js";
import type { Outcome, PlannedCall } from "../plans/language/progress.js";
import { carryOut, PlanStopped, stoppedText } from "../plans/language/saved/carryOut.js";
import { MOST_PLAN_CALLS } from "../state/settings.js";
import type { ToolRecord } from "../tools/tool.js";
import {
  type AgentRuntime,
  FIND_SCHEMA,
  FIND_TOOLS,
  callArguments,
  described,
  foundText,
  outcomeMessage,
  placeOf,
  readFind,
  refusedAsCut,
} from "./controlTools.js";
import { CALL_TOOL } from "../models/offering/calledTools.js";
import { type Plan, planArguments, planCall, planOf, RUN_PLAN } from "./plan.js";
import type { Found, Toolbox } from "./toolbox.js";

/** Two tools that give access to all others, for agents with a fixed set of tools. */
export function plainTools(toolbox: Toolbox) {
  // Outside a graph there is no thread: all calls of one pair of tools share a world.
  const ownThread = randomUUID();
  const find = langChainTool(
    async (given) => {
      const { queries, limit } = readFind(given);
      const found = await foundTools(await toolbox.find(queries, { limit }), toolbox);
      return [found, await toolbox.away(queries)].filter(Boolean).join("\n\n");
    },
    {
      name: FIND_TOOLS,
      description: described(
        `Search for tools by what is to be done. Call those found with ${CALL_TOOL}.`,
        toolbox,
      ),
      schema: FIND_SCHEMA,
    },
  );
  const call = langChainTool(
    async ({ tool: id, arguments: given }, runtime) => {
      const agent = runtime as AgentRuntime;
      const refused = refusedAsCut(CALL_TOOL, agent);
      if (refused) return refused;
      const tool = await toolbox.get(id);
      const args = toolbox.needsApproval(tool) ? decided(tool, given, agent) : given;
      if (typeof args === "string") return args;
      const { configurable, state, signal } = agent;
      const isAlone = !state?.messages?.length && !configurable?.["thread_id"];
      const place = { ...placeOf(agent), ...(isAlone && { threadId: ownThread }) };
      const outcome = await toolbox.call({ tool, args, ...place, signal });
      return outcomeMessage(CALL_TOOL, outcome, agent.toolCallId);
    },
    {
      name: CALL_TOOL,
      description: `Call a tool that ${FIND_TOOLS} has found.`,
      schema: callArguments,
    },
  );
  return [find, call] as const;
}

/** Several calls as one program. A person is asked about each call that needs it, in its turn. */
export function planTool(toolbox: Toolbox) {
  return langChainTool(
    async ({ program }, runtime) => {
      const agent = runtime as AgentRuntime;
      const { toolCallId = "", signal } = agent;
      const refused = refusedAsCut(RUN_PLAN, agent);
      if (refused) return refused;
      const plan = await planOf(program, { toolbox, ...(signal ? { signal } : {}) });
      const { content, status } =
        "problem" in plan
          ? { content: plan.problem, status: "error" as const }
          : await carriedOut(plan, toolbox, agent);
      return new ToolMessage({ name: RUN_PLAN, tool_call_id: toolCallId, content, status });
    },
    {
      name: RUN_PLAN,
      description: [
        "Make several calls as one program, which passes results on. Use it if a call needs the result of another, or a function that is not on offer.",
        ...(toolbox.functions ? [`All functions:\n${toolbox.functions}`] : []),
      ].join("\n"),
      schema: planArguments,
    },
  );
}

/** What a program returns, or why it stopped, and after which writes. */
async function carriedOut(plan: Plan, toolbox: Toolbox, agent: AgentRuntime) {
  const { configurable, signal } = agent;
  const { threadId, callId } = placeOf(agent);
  const written: string[] = [];
  // LangGraph gives a tool its answers in their order, and a call asks nothing again once it was made: approvals would be
  // mistaken for what others were asked.
  const mayPause = ![...plan.tools.values()].some(toolbox.needsApproval);
  const made = { threadId, ...(mayPause && { configurable }), ...(signal && { signal }) };
  const make = async ({ tool: { name, effects }, args, place }: PlannedCall): Promise<Outcome> => {
    const tool = plan.tools.get(name);
    if (!tool) throw new Error(`The program calls ${name}, which it was not opened with.`);
    const given = toolbox.needsApproval(tool) ? decided(tool, args, agent) : args;
    if (typeof given === "string") return { error: given };
    const call = { tool, args: given, callId: `${callId}/${place}`, ...made };
    const outcome = await planCall(call, toolbox);
    if (effects === "write" && "result" in outcome) written.push(name);
    return outcome;
  };
  const tools = [...plan.tools].map(([name, { id, effects }]) => ({ name, id, effects }));
  const today = todayOf(toolbox.settings);
  const values = new Map<string, unknown>();
  try {
    const { program } = plan;
    const mostCalls = MOST_PLAN_CALLS;
    const value = await carryOut({ program, values, today, tools, mostCalls, make });
    const content = typeof value === "string" ? value : JSON.stringify(value);
    return { content, status: "success" as const };
  } catch (error) {
    if (!(error instanceof PlanStopped)) throw error;
    return { content: stoppedText(error.message, written), status: "error" as const };
  }
}

/** The tools of each query as signatures with descriptions; each tool is shown once. */
async function foundTools(found: readonly Found[], { workspace }: Toolbox): Promise<string> {
  const records = new Map(found.flatMap(({ tools }) => tools.map((hit) => [hit.id, hit.record])));
  const views = new Map((await viewsWithSeen(records, workspace)).map((view) => [view.name, view]));
  const shown = found.map((each) => {
    const fresh = each.tools.flatMap(({ id }) => views.get(id) ?? []);
    const known = each.tools.filter(({ id }) => !views.has(id)).map(({ id }) => id);
    for (const { name } of fresh) views.delete(name);
    const lines = [
      ...(fresh.length > 0 ? [toolLines(fresh)] : []),
      ...(known.length > 0 ? [`see above: ${known.join(", ")}`] : []),
    ];
    return foundText(each, lines.length > 0 ? `\n${lines.join("\n")}` : "");
  });
  return shown.join("\n\n");
}

/** The arguments that a person has approved, or a text saying why the call is not made. */
function decided(
  tool: ToolRecord,
  given: Record<string, unknown>,
  { configurable, toolCallId = "" }: AgentRuntime,
): Record<string, unknown> | string {
  const call = { id: toolCallId, name: tool.id, args: given };
  const decisions = canAsk({ configurable })
    ? ifAsked(() => askApproval([{ call, tool }]))
    : undefined;
  if (!decisions)
    return `${tool.id} needs a person's approval, and outside a LangGraph agent with a checkpointer nobody can be asked. It was not called.`;
  const decision = decisions.get(call);
  if (!decision || decision.type === "approve") return given;
  if (decision.type === "edit") return decision.args;
  return `A person rejected this call${decision.message ? `: ${decision.message}` : ""}. Do not repeat it.`;
}
