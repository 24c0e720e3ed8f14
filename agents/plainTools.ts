import { randomUUID } from "node:crypto";
import { ToolMessage } from "@langchain/core/messages";
import { tool as langChainTool } from "@langchain/core/tools";
import { toolLines } from "../models/chat/toolLines.js";
import { viewsWithSeen } from "../nodes/policy/modelView.js";
import { askApproval } from "../nodes/acting/approval.js";
import { canAsk } from "../nodes/kit/runBasics.js";
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
import { planArguments, planOf, RUN_PLAN } from "./plan.js";
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

/** Several calls as one program. A person is asked about all that need it, before the first of them is made. */
export function planTool(toolbox: Toolbox) {
  return langChainTool(
    async ({ program }, runtime) => {
      const agent = runtime as AgentRuntime;
      const { toolCallId = "", signal } = agent;
      const refused = refusedAsCut(RUN_PLAN, agent);
      if (refused) return refused;
      const tool = await planOf(program, { toolbox, signal });
      if ("problem" in tool) {
        const { problem: content } = tool;
        const failed = { name: RUN_PLAN, content, status: "error" as const };
        return new ToolMessage({ ...failed, tool_call_id: toolCallId });
      }
      const call = { tool, args: {}, ...placeOf(agent), asks: "needed" as const };
      return outcomeMessage(RUN_PLAN, await toolbox.call({ ...call, signal }), toolCallId);
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
  if (!canAsk({ configurable }))
    return `${tool.id} needs a person's approval, and outside a LangGraph agent with a checkpointer nobody can be asked. It was not called.`;
  const call = { id: toolCallId, name: tool.id, args: given };
  const decision = askApproval([{ call, tool }]).get(call);
  if (!decision || decision.type === "approve") return given;
  if (decision.type === "edit") return decision.args;
  return `A person rejected this call${decision.message ? `: ${decision.message}` : ""}. Do not repeat it.`;
}
