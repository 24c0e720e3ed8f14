import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { decomposePrompt } from "./decomposePrompt.js";
import type { DecomposeInput, DecomposeStyle } from "../shared/stageInputs.js";
import { runWorkspace } from "../../workspace/workspace.js";
import { type Context, readContext } from "../../state/context.js";
import {
  type GraphState,
  type StateUpdate,
  type Subtask,
  changeSubtask,
  openSubtask,
} from "../../state/state.js";
import { askModel } from "../shared/askModel.js";
import { readSubtasks } from "./readSubtasks.js";
import { problemAt, repairOrEnd } from "../shared/repair.js";
import { situation } from "../shared/situation.js";

/**
 * Asks a model for the ordered subtasks of the request, or of the missed subtask in focus (Tulip
 * Agent: CotTulip and its variants). What a model does not split although it is asked three times stays whole.
 *
 * @param options.style what the model is told beside the task
 */
export function decompose({ style }: { style: DecomposeStyle }) {
  return async function decompose(
    state: GraphState,
    config: LangGraphRunnableConfig,
  ): Promise<StateUpdate> {
    const context = readContext(config);
    const input = await decomposeInput({ state, context, style });
    const prompt = decomposePrompt(input, problemAt(state, "decompose"));
    const asked = await askModel(state, { prompt, context, config });
    if ("end" in asked) return asked.end;
    const { reply, usage } = asked;
    const read = readSubtasks(reply.text);
    if ("problem" in read) {
      const instead = withSubtasks(state, []);
      return repairOrEnd({ state, stage: "decompose", ...read, reply, usage, instead });
    }
    return {
      ...withSubtasks(state, read.texts),
      repair: null,
      usage,
    };
  };
}

async function decomposeInput(options: {
  state: GraphState;
  context: Context;
  style: DecomposeStyle;
}): Promise<DecomposeInput> {
  const { state, context, style } = options;
  const focus = state.subtasks.find(({ id }) => id === state.focus);
  const informed = style === "informed";
  return {
    style,
    ...situation({ state, context }),
    task: focus?.text ?? state.run.request,
    depth: focus ? focus.depth + 1 : 0,
    ...(informed
      ? { libraryDescription: (await runWorkspace().library(context)).description }
      : {}),
    ...(style === "primed" ? { toolNames: state.hints } : {}),
  };
}

function withSubtasks(state: GraphState, texts: string[]): StateUpdate {
  return state.focus ? splitFocus(state, texts) : { subtasks: rootSubtasks(state, texts) };
}

/** A request without subtasks is its own only one. */
function rootSubtasks({ run }: GraphState, texts: string[]): Subtask[] {
  const tasks = texts.length > 0 ? texts : [run.request];
  return tasks.map((text, index) => openSubtask({ id: `${index + 1}`, text, depth: 0 }));
}

/** Puts the parts behind the subtask that they replace; one part that says the same is none. */
function splitFocus(state: GraphState, texts: string[]): StateUpdate {
  const index = state.subtasks.findIndex(({ id }) => id === state.focus);
  const focus = state.subtasks[index];
  if (!focus) return { focus: "" };
  const parts = texts.filter((text) => text !== focus.text);
  if (parts.length === 0) {
    const given = { status: "unserved", reason: "it could not be split further" } as const;
    return { focus: "", subtasks: changeSubtask(state.subtasks, focus.id, given) };
  }
  const children = parts.map((text, at) =>
    openSubtask({ id: `${focus.id}.${at + 1}`, text, depth: focus.depth + 1 }),
  );
  const subtasks = changeSubtask(state.subtasks, focus.id, { status: "split" });
  return { focus: "", subtasks: subtasks.toSpliced(index + 1, 0, ...children) };
}
