import type { ToolCall } from "@langchain/core/messages/tool";
import { z } from "zod";
import { UnknownName, oneLine } from "../../common/errors.js";
import { runWorkspace } from "../../home/workspace.js";
import { type Settings, readSettings } from "../../state/settings.js";
import { openCallsOf } from "../../state/calls.js";
import { type Edit, type GraphState, type StateUpdate, addUsage } from "../../state/state.js";
import { currentTask } from "../../state/taskTree.js";
import { CREATE_TOOL, DELETE_TOOL, UPDATE_TOOL } from "../../tools/control.js";
import type { ToolRecord } from "../../tools/tool.js";
import { embeddingRefusal, searchFor, textsFor, toolsOf } from "../policy/searchFor.js";
import { needed, type Line, type StageChange, stage } from "../kit/stage.js";
import { answerLines, toolAnswer } from "../policy/callTexts.js";
import { offeredTools } from "../policy/offeredTools.js";
import { allTools } from "../policy/toolOffer.js";

/** Most similar tools shown before one is written. One too many costs a line; one too few, a duplicate tool. */
const SIMILAR_SHOWN = 3;

const words = z.string().trim().min(1);
const createArguments = z.object({ task_description: words });
const updateArguments = z.object({ tool_name: words, instruction: words });
const deleteArguments = z.object({ tool_name: words });

/**
 * Takes up the next request to change the tool library, and looks for similar tools in it. A request that
 * cannot be met is answered at once.
 *
 * @param options.by `call`: the model's next open call of `create_tool`, `update_tool` or `delete_tool` (Tulip
 * Agent: AutoTulip) · `task`: the current task, which no tool serves (DfsTulip)
 */
export function beginEdit({ by }: { by: "call" | "task" }) {
  return stage({ ends: true, lines }, async (state, config) => {
    const settings = readSettings(config, state);
    if (by === "task") {
      const task = currentTask(state.taskTree)?.text ?? state.run.request;
      return await createWish({ state, settings, task, callId: "" });
    }
    const [open] = openCallsOf(state, CREATE_TOOL, UPDATE_TOOL, DELETE_TOOL);
    const call = needed(open, { stage: "beginEdit", what: "a call that asks for a change" });
    return await wishOf(state, settings, call);
  });
}

async function wishOf(state: GraphState, settings: Settings, call: ToolCall): Promise<StateUpdate> {
  const callId = call.id ?? "";
  if (call.name === CREATE_TOOL.name) {
    const given = createArguments.safeParse(call.args);
    if (!given.success) return refused(call, `${call.name} needs task_description, a text.`);
    return await createWish({ state, settings, task: given.data.task_description, callId });
  }
  const kind = call.name === UPDATE_TOOL.name ? ("update" as const) : ("delete" as const);
  const given =
    kind === "update" ? updateArguments.safeParse(call.args) : deleteArguments.safeParse(call.args);
  if (!given.success) {
    const needs = kind === "update" ? "tool_name and instruction, two texts" : "tool_name, a text";
    return refused(call, `${call.name} needs ${needs}.`);
  }
  const { tool_name: name } = given.data;
  const instruction = "instruction" in given.data ? String(given.data.instruction) : "";
  const found = await ownTool(state, settings, name);
  if ("problem" in found) {
    const { problem: reason } = found;
    const outcome = "failed" as const;
    const failed = { kind, tool: name, outcome, task: instruction, failures: 0, reason };
    return { ...refused(call, reason), edits: [...state.edits, failed] };
  }
  const { id: tool, version: basedOn } = found.tool;
  return { edit: { ...FRESH_EDIT, kind, callId, task: instruction, tool, basedOn } };
}

const FRESH_EDIT: Omit<Edit, "kind" | "callId" | "task"> = {
  tool: "",
  basedOn: null,
  similar: [],
  failures: 0,
  draft: "",
  problem: "",
};

async function createWish(options: {
  state: GraphState;
  settings: Settings;
  task: string;
  callId: string;
}): Promise<StateUpdate> {
  const { state, settings, task, callId } = options;
  const refusal = embeddingRefusal(state, settings, textsFor([task]));
  if (refusal) return refusal;
  const library = await runWorkspace().library(settings);
  const { searches, used } = await searchFor(
    { state, settings: { ...settings, topK: SIMILAR_SHOWN }, library },
    { queue: [{ phrase: task, depth: 0 }], purpose: "phrase" },
  );
  return {
    edit: { ...FRESH_EDIT, kind: "create", callId, task, similar: toolsOf(searches) },
    usage: addUsage(state.usage, used),
  };
}

/** A tool this run may change: one made by a model, in this thread if so configured. */
async function ownTool(
  state: GraphState,
  settings: Settings,
  name: string,
): Promise<{ tool: ToolRecord } | { problem: string }> {
  const tools = allTools(await offeredTools(state, settings));
  const library = await runWorkspace().library(settings);
  const tool = tools.get(name) ?? library.get(name);
  if (!tool) {
    const editable = library.list().filter(({ id }) => library.isEditable(id));
    const available = editable.map(({ id }) => id);
    const unknown = new UnknownName({ kind: "created tool", wanted: name, available });
    return { problem: `${unknown.message}.` };
  }
  if (library.isEditable(tool.id)) return { tool };
  const reason =
    tool.source.kind === "generated"
      ? `belongs to the library ${library.name} and was not created in this conversation`
      : `comes from ${tool.source.file} and was not created by a model`;
  return {
    problem: `${name} ${reason}, so it cannot be changed or deleted here. Use it as it is, or create another tool.`,
  };
}

function refused(call: ToolCall, text: string): StateUpdate {
  return { messages: [toolAnswer(call, { text, failed: true })] };
}

const WISHES = { create: "a new tool", update: "a change to", delete: "the deletion of" };

function lines({ change: { edit, messages } }: StageChange): Line[] {
  if (!edit) return answerLines(messages);
  const { kind, tool, task, similar } = edit;
  const wish = [WISHES[kind], tool].filter(Boolean).join(" ");
  const told = task ? `${wish}: ${oneLine(task)}` : wish;
  return similar.length > 0 ? [told, `similar tools: ${similar.join(", ")}`] : [told];
}
