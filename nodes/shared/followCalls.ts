import { ToolMessage } from "@langchain/core/messages";
import { getCallbackManagerForConfig } from "@langchain/core/runnables";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { CallOutcome } from "../../tools/runtime/callOutcome.js";

/** What is told of a call beside its text. */
export type ToolOutcome = Pick<CallOutcome, "status" | "replayed">;

interface FollowedCall {
  id: string;
  tool: { id: string; description: string };
  args: Record<string, unknown>;
}

/** Outcomes that are no failure of the call. */
const ENDED: readonly CallOutcome["status"][] = ["done", "input"];

/**
 * Runs calls and tells LangChain's callbacks of them, as tools of LangChain do by themselves: so that traces and the
 * stream mode "tools" see them.
 */
export async function followCalls(options: {
  config: LangGraphRunnableConfig;
  calls: readonly FollowedCall[];
  run: () => Promise<CallOutcome[]>;
}): Promise<CallOutcome[]> {
  const { config, calls, run } = options;
  const manager = await getCallbackManagerForConfig(config);
  if (!manager) return await run();
  const told = await Promise.all(
    calls.map(({ id, tool, args }) =>
      manager.handleToolStart(
        { lc: 1, type: "not_implemented", id: ["tulipgraph", tool.id] },
        JSON.stringify(args),
        undefined,
        undefined,
        undefined,
        undefined,
        tool.id,
        id,
      ),
    ),
  );
  try {
    const outcomes = await run();
    await Promise.all(
      outcomes.map(async (outcome, at) => {
        const { id, tool, status, resultText, replayed } = outcome;
        if (!ENDED.includes(status)) {
          const failure = Object.assign(new Error(resultText), { name: status });
          return await told[at]?.handleToolError(failure);
        }
        const artifact: ToolOutcome = { status, replayed };
        const message = { name: tool, content: resultText, tool_call_id: id, artifact };
        return await told[at]?.handleToolEnd(new ToolMessage(message));
      }),
    );
    return outcomes;
  } catch (error) {
    await Promise.all(told.map((each) => each.handleToolError(error)));
    throw error;
  }
}
