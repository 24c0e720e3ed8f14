import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { madeDeed, nothingDone } from "../../nodes/policy/deeds.js";
import { writesOf } from "../../nodes/programs/undoTarget.js";
import { receiptText } from "../../state/deeds.js";
import { type planArguments, planOf } from "../plan.js";
import { answerTo } from "./findAndCall.js";
import { type McpAnswer, type McpRequest, askedBefore, failure, resultOf } from "./session.js";

/**
 * Answers `run_plan`: checks the program and runs it as a saved plan, which asks about its writes before the first is
 * made. When the request comes again with the answer, earlier calls are answered from the journal.
 */
export async function runPlan(
  { program: code }: z.infer<typeof planArguments>,
  request: McpRequest,
): Promise<McpAnswer> {
  const { toolbox, threadId } = request.session;
  const tool = await planOf(code, { toolbox, signal: request.ctx.mcpReq.signal });
  if ("problem" in tool) return failure(tool.problem);
  const asked = askedBefore(request);
  const answer = await answerTo({ tool, args: {}, asks: "writes" }, request, asked);
  const { isError, content = [], structuredContent } = answer as Partial<CallToolResult>;
  if (!isError && !structuredContent) return answer;
  const entries = await toolbox.workspace.runtime.journal.calls(threadId, `${asked.id}/`);
  const find = (id: string) => toolbox.pick([id]).get(id);
  const made = writesOf(entries, { get: find }).flatMap(
    ({ callId, tool: id, isUnknown, ...write }) => {
      const record = find(id);
      return record && !isUnknown ? madeDeed({ ...write, id: callId }, record) : [];
    },
  );
  const receipt = receiptText({ ...nothingDone(tool.effects === "write"), made });
  if (receipt.length === 0) return answer;
  const told = [...content, { type: "text" as const, text: receipt.join("\n") }];
  if (isError) return failure(told.map((part) => ("text" in part ? part.text : "")).join("\n"));
  return { ...resultOf({ ...Object(structuredContent), receipt }, ""), content: told };
}
