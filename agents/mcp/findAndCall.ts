import { z } from "zod";
import { messageOf } from "../../common/errors.js";
import { toolLines } from "../../models/chat/toolLines.js";
import { viewsWithSeen } from "../../nodes/policy/modelView.js";
import { type callArguments, type findArguments, foundText } from "../controlTools.js";
import type { InputAnswer } from "../../tools/remote.js";
import { isSavedPlan } from "../../tools/calls/engine/savedPlan.js";
import { ask, callOrAsk, withApprovals } from "./ask.js";
import { planOfCall } from "../plan.js";
import type { ToolboxCall } from "../toolbox.js";
import {
  type Asked,
  type McpAnswer,
  type McpRequest,
  askedBefore,
  failure,
  progressOf,
  resultOf,
  withNamedFiles,
} from "./session.js";

const schema = z.record(z.string(), z.unknown());

export const foundForm = z.object({
  results: z.array(
    z.object({
      query: z.string(),
      tools: z.array(z.string()),
      unsure: z.boolean().describe("None is near enough; these are only the nearest"),
      members: z.array(z.string()).readonly().optional().describe("Functions of the group named"),
      more: z.string().describe("Groups that have more tools than these"),
    }),
  ),
  outOfReach: z.string().optional().describe("Tools that exist and cannot be called now, and why"),
  tools: z.array(
    z.object({
      tool: z.string().describe("Its name for call_tool"),
      function: z.string().describe("Its name in a program of run_plan"),
      description: z.string(),
      effects: z.enum(["read", "write"]),
      needsApproval: z.boolean().describe("A person is asked before each call"),
      parameters: schema,
      returns: schema.optional(),
      seen: schema.optional().describe("The type of its results so far; it declares none"),
    }),
  ),
});

/** Answers `find_tools`: the names of the tools for each query, and each tool once with all that a call needs. */
export async function findTool(
  { queries, limit }: z.infer<typeof findArguments>,
  { session, ctx }: McpRequest,
): Promise<McpAnswer> {
  const { toolbox, allowWrites } = session;
  // The first search of a large library builds its index.
  const found = await toolbox.find(queries, { limit }).finally(progressOf(ctx));
  const records = new Map(
    found.flatMap(({ tools }) => tools.map(({ record }) => [record.id, record] as const)),
  );
  const results = found.map(({ tools, ...each }) => ({
    ...each,
    tools: tools.map(({ id }) => id),
  }));
  const { functionName } = toolbox.groups();
  const views = await viewsWithSeen(records, toolbox.workspace);
  const seen = new Map(views.map((view) => [view.name, view.seen?.type]));
  const tools = [...records.values()].map((record) => {
    const { id, description, effects, parameters, returns } = record;
    const type = seen.get(id);
    return {
      tool: id,
      function: functionName(record),
      description,
      effects,
      needsApproval: !allowWrites && toolbox.needsApproval(record),
      parameters,
      ...(returns ? { returns } : {}),
      ...(type ? { seen: type } : {}),
    };
  });
  const lines = results.map((each) => foundText(each, each.tools.join(", ")));
  const outOfReach = await toolbox.away(queries);
  const text = [...lines, toolLines(views), outOfReach].filter(Boolean).join("\n");
  return resultOf({ results, tools, ...(outOfReach && { outOfReach }) }, text);
}

/** What `call_tool` and `run_plan` return. */
export const resultForm = z.object({
  result: z.unknown().describe("What it returned; absent where it returned nothing"),
  receipt: z
    .array(z.string())
    .optional()
    .describe("What was changed, from the journal of calls, for run_plan"),
});

/** Answers `call_tool`. A call that a person has to approve is made as a plan, which asks. */
export async function callTool(
  { tool: id, arguments: args }: z.infer<typeof callArguments>,
  request: McpRequest,
): Promise<McpAnswer> {
  const { toolbox, allowWrites } = request.session;
  const tool = await toolbox.get(id);
  const isHeld = !allowWrites && toolbox.needsApproval(tool) && !isSavedPlan(tool);
  const call = isHeld ? { tool: planOfCall(tool), args: { given: args } } : { tool, args };
  return await answerTo({ ...call, asks: "needed" }, request, askedBefore(request));
}

/** The answer to a request: what its call returns, or what a person is asked first. */
export async function answerTo(
  { asks, ...call }: Pick<ToolboxCall, "tool" | "args" | "asks">,
  request: McpRequest,
  askedFirst: Asked,
): Promise<McpAnswer> {
  const { session, ctx } = request;
  const { threadId, allowWrites } = session;
  let asked = askedFirst;
  const stop = progressOf(ctx);
  const { signal } = ctx.mcpReq;
  let answers: InputAnswer[] = [];
  try {
    while (true) {
      const given = withApprovals(asked, answers);
      const made = { ...call, threadId, callId: asked.id, signal, answers: given };
      const outcome = await callOrAsk({ ...made, ...(!allowWrites && { asks }) }, request);
      const { input, status, resultText, result = resultText } = outcome;
      if (input === undefined && status !== "done") return failure(resultText);
      const text = result === null ? "done, without a result" : resultText;
      if (input === undefined) return await withNamedFiles(resultOf({ result }, text), request);
      // What is to be approved comes first: what else is asked may depend on it.
      const plans = input.filter(({ calls }) => calls !== undefined);
      const said = await ask(request, asked, plans.length > 0 ? plans : input);
      if ("answer" in said) return said.answer;
      ({ asked, answers } = said);
    }
  } catch (error) {
    return failure(messageOf(error));
  } finally {
    stop();
  }
}
