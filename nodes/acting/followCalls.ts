import { ToolMessage } from "@langchain/core/messages";
import { getCallbackManagerForConfig } from "@langchain/core/runnables";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { CallOutcome } from "../../tools/calls/engine/callOutcome.js";

/** What callbacks are told about a call besides its text. */
export type ToolOutcome = Pick<CallOutcome, "status" | "replayed">;

interface FollowedCall {
  id: string;
  tool: { id: string; description: string };
  args: Record<string, unknown>;
}

const ENDED: readonly CallOutcome["status"][] = ["done", "input"];

/**
 * Runs calls and reports them to LangChain's callbacks, as LangChain's own tools do, so that traces and the stream
 * mode "tools" show them.
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
