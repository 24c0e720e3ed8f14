import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { openResources } from "../resources/resources.js";
import type { Context } from "../state/context.js";
import type { Edit, GraphState } from "../state/state.js";
import { CONTROL_NAMES } from "../tools/control.js";
import type { CheckOutcome, GeneratedTool } from "../tools/generated/draft.js";
import type { ToolLibrary } from "../tools/library/library.js";
import type { ExampleCheck } from "../tools/tool.js";
import { threadOf } from "./threadOf.js";

/** A draft and the run that wants it. */
export interface Draft {
  state: GraphState;
  config: LangGraphRunnableConfig;
  context: Context;
  library: ToolLibrary;
  edit: Edit;
  /** A reply with code in whatever wraps it, or the code itself. */
  text: string;
}

/** A draft that passes all of its checks, or what is wrong with it, a line for each problem. */
export type CheckedDraft =
  | { tool: GeneratedTool; outcomes: CheckOutcome[]; restated: ExampleCheck[] }
  | { problem: string };

/**
 * Reads a draft and tries it on its examples in the sandbox; an update has to pass those of the version
 * before as well, or state them anew. The TypeScript compiler is loaded only here.
 */
export async function checkDraft(draft: Draft): Promise<CheckedDraft> {
  const { edit, library, text, state, config, context } = draft;
  const { draftText, readDraft } = await import("../tools/generated/readDraft.js");
  const reading = readDraft({
    reply: text,
    tools: library.list(),
    reserved: CONTROL_NAMES,
    ...(edit.kind === "update" ? { name: edit.tool, earlier: checksOf(library, edit.tool) } : {}),
  });
  if (!reading.ok) return { problem: draftText(reading.problems) };
  const { tool, restated } = reading;
  const outcomes = await openResources().runtime.tryOut({
    tool,
    checks: tool.source.checks,
    library,
    threadId: threadOf({ state, config }),
    timeoutMs: context.toolTimeoutMs,
    signal: config.signal,
  });
  const { checkProblems } = await import("../tools/generated/checkText.js");
  const failed = checkProblems({ tool, outcomes });
  return failed.length > 0 ? { problem: failed.join("\n") } : { tool, outcomes, restated };
}

function checksOf(library: ToolLibrary, id: string): ExampleCheck[] {
  const source = library.get(id)?.source;
  return source?.kind === "generated" ? source.checks : [];
}
