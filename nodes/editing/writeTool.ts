import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { OfferedTool, WriteToolInput } from "../shared/stageInputs.js";
import { writeToolPrompt } from "./writeToolPrompt.js";
import { runWorkspace } from "../../workspace/workspace.js";
import { type Context, readContext } from "../../state/context.js";
import type { Edit, GraphState, StateUpdate } from "../../state/state.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { askModel } from "../shared/askModel.js";
import { situation } from "../shared/situation.js";

/**
 * Asks a model to write the tool that the edit under way wants, or to mend its last draft. What came of
 * it is for `editLibrary` to say. (In the reference, a model that was asked again saw neither its code
 * nor the error.)
 */
export async function writeTool(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { edit } = state;
  // Routers lead here with an edit only.
  if (!edit) return {};
  const context = readContext(config, state);
  const input = await writeToolInput({ state, context, edit });
  const asked = await askModel(state, { prompt: writeToolPrompt(input), context, config });
  if ("end" in asked) return asked.end;
  return { edit: { ...edit, draft: asked.reply.text }, usage: asked.usage };
}

async function writeToolInput(options: {
  state: GraphState;
  context: Context;
  edit: Edit;
}): Promise<WriteToolInput> {
  const { state, context, edit } = options;
  const library = await runWorkspace().library(context);
  const { draft, problem, task, similar } = edit;
  return {
    ...situation({ state, context }),
    task,
    ...currentCode(library, edit),
    similar: shown(library, similar),
    callable: shown(
      library,
      state.toolIds.filter((id) => id !== edit.tool),
    ),
    ...(problem ? { failed: { draft, problem } } : {}),
  };
}

function currentCode(library: ToolLibrary, { tool }: Edit): Pick<WriteToolInput, "current"> {
  const record = library.get(tool);
  if (record?.source.kind !== "generated") return {};
  const { name, source, examples = [] } = record;
  return { current: { name, code: source.code, examples } };
}

/** By their ids: that is how a tool that is written calls another. */
function shown(library: ToolLibrary, ids: readonly string[]): OfferedTool[] {
  return ids.flatMap((id) => {
    const tool = library.get(id);
    if (!tool) return [];
    const { description, parameters, returns } = tool;
    return [{ name: id, description, parameters, ...(returns ? { returns } : {}) }];
  });
}
