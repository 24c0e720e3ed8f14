import { z } from "zod";
import type { callArguments } from "../controlTools.js";
import { approve } from "./approve.js";
import { progressOf } from "./progress.js";
import { type McpAnswer, type McpRequest, askedBefore, failure, resultOf } from "./session.js";

/** What `call_tool` and `run_plan` return. */
export const resultForm = z.object({
  result: z.unknown().describe("What it returned; absent where it returned nothing"),
});

/** Answers `call_tool`. */
export async function callTool(
  { tool: id, arguments: args }: z.infer<typeof callArguments>,
  request: McpRequest,
): Promise<McpAnswer> {
  const { session, ctx } = request;
  const { toolbox, threadId, allowWrites } = session;
  const tool = await toolbox.get(id);
  const asked = askedBefore(request);
  if (!allowWrites && toolbox.needsApproval(tool)) {
    const approved = await approve({ request, asked, calls: [{ tool: id, args }] });
    if ("answer" in approved) return approved.answer;
  }
  const progress = progressOf(ctx);
  const { signal } = ctx.mcpReq;
  const outcome = await toolbox
    .call({ tool, args, threadId, callId: asked.id, signal })
    .finally(progress.stop);
  const { status, result, resultText } = outcome;
  if (status !== "done") return failure(resultText);
  return resultOf(result === undefined ? { result: resultText } : { result }, resultText);
}
