import type { ToolCall } from "@langchain/core/messages/tool";
import { z } from "zod";
import { UnknownName, oneLine } from "../../common/errors.js";
import { runWorkspace } from "../../home/workspace.js";
import { type Settings, readSettings } from "../../state/settings.js";
import { openCallsOf } from "../../state/calls.js";
import { type Edit, type GraphState, type StateUpdate, addUsage } from "../../state/state.js";
import { currentTask } from "../../state/taskTree.js";
import { CREATE_TOOL, DELETE_TOOL, UPDATE_TOOL, DECOMPOSE_TASK } from "../../tools/control.js";
import type { ToolRecord } from "../../tools/tool.js";
import { embeddingRefusal, searchFor, textsFor, toolsOf } from "../policy/searchFor.js";
import { needed, type Line, type StageChange, stage, askingStage } from "../kit/stage.js";
import { answerLines, toolAnswer } from "../policy/callTexts.js";
import { offeredTools } from "../policy/offeredTools.js";
import { allTools } from "../policy/toolOffer.js";
import { type DecomposeInput, decomposeQuestion } from "../finding/decompose.js";
import { askFor, type Paragraphs, type Question } from "../kit/question.js";
import { runBasics } from "../kit/runBasics.js";
import { callSignatureText, signatureText } from "../../models/chat/toolLines.js";
import type { LibraryView } from "../../tools/library/library.js";
import { earlierTurnsText, listed } from "../kit/promptTexts.js";
import { toolView } from "../policy/modelView.js";
import type { OfferedTool, RunBasics } from "../kit/stageInputs.js";

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

const taskArguments = z.object({ task: z.string().trim().min(1) });

/**
 * Answers the model's own call of `decompose_task` in a separate context: the subtasks are the call's result
 * (Tulip Agent: AutoTulip).
 */
export function decomposeTask() {
  return askingStage(
    { lines: ({ change }) => answerLines(change.messages) },
    async (state, config) => {
      const [open] = openCallsOf(state, DECOMPOSE_TASK);
      const call = needed(open, {
        stage: "decomposeTask",
        what: `a call of ${DECOMPOSE_TASK.name}`,
      });
      const given = taskArguments.safeParse(call.args);
      if (!given.success) {
        const text = `${call.name} needs task, a text that is not empty.`;
        return { messages: [toolAnswer(call, { text, failed: true })] };
      }
      const settings = readSettings(config);
      const input: DecomposeInput = {
        style: "plain",
        ...runBasics(state, settings),
        task: given.data.task,
        depth: 0,
      };
      const text = "The task could not be split. Go on with the task as a whole.";
      const instead = { messages: [toolAnswer(call, { text, failed: true })] };
      const asked = { state, settings, config, input, instead, at: "decomposeTask" };
      const answer = await askFor(decomposeQuestion, asked);
      if ("end" in answer) return answer.end;
      return {
        messages: [toolAnswer(call, { text: subtasksText(answer.value) })],
        ...answer.asked,
      };
    },
  );
}

function subtasksText(texts: readonly string[]): string {
  if (texts.length <= 1) return "The task is a single step and cannot be split further.";
  return texts.map((text, index) => `${index + 1}. ${text}`).join("\n");
}

export interface WriteToolInput extends RunBasics {
  task: string;
  /** The tool to rewrite: its code, and example calls it must still pass. */
  current?: { name: string; code: string; examples: string[] };
  /** Tools that do something similar; if one does the task, it is used instead. */
  similar: OfferedTool[];
  callable: OfferedTool[];
  failed?: { draft: string; problem: string };
}

/** The tool that shows the form; like every tool, it must pass its own examples. */
export const EXAMPLE_TOOL = `/**
 * Body mass index of a person.
 * @param mass Mass in kg, more than 0.
 * @param height Height in m, more than 0.
 * @returns the index in kg/m²
 * @example body_mass_index(80, 2) => 20
 * @example body_mass_index(80, 0) => throws
 */
function body_mass_index(mass: number, height: number): number {
  if (!(mass > 0 && height > 0)) {
    throw new Error(\`mass and height must be more than 0, not \${mass} and \${height}\`);
  }
  return mass / height ** 2;
}`;

/**
 * Asks for the code of a new tool, or of a new version of one (Tulip Agent: AutoTulip). The reply is plain text with
 * the function in one fenced block, or the line `USE: name` for a tool that already does the task. An unusable draft is
 * shown again with its faults and their places; the reference showed neither, so mistakes could recur.
 */
export const writeToolQuestion: Question<"writeTool", WriteToolInput, string> = {
  stage: "writeTool",
  once: true,
  instructions: ({ current, similar, callable }) => [
    "Write a TypeScript function for an agent to call as a tool, in this form:",
    fenced(EXAMPLE_TOOL),
    rulesText(callable.length > 0),
    callable.length > 0 && callableText(callable),
    current ? CHANGING : NAMING,
    similar.length > 0
      ? "If a similar tool does the task, reply only `USE: name`; otherwise the whole function in one ```ts block."
      : "Reply with the whole function in one ```ts block.",
  ],
  task: ({ request, earlierTurns, task, current, similar, failed }) => [
    earlierTurnsText(earlierTurns),
    request !== task && `The request that needs the tool: ${request}`,
    ...(current ? changeParagraphs(task, current) : [`Write a tool for this: ${task}`]),
    similar.length > 0 &&
      listed(
        "Similar tools of the library, which may or may not do it:",
        similar.map((tool) => `${signatureText(tool)}: ${tool.description}`),
      ),
    ...(failed ? draftParagraphs(failed) : []),
  ],
  read: ({ text }) => ({ value: text }),
};

function rulesText(mayCall: boolean): string {
  return [
    "Rules:",
    "- One exported function declaration, with helpers and constants inside; only types may stand beside it.",
    "- Explicit JSON types (string, number, boolean, null, arrays, objects) for parameters and result.",
    "- Standard ES2023 only: no imports, console, timers, network, files, process or DOM. The same call always gives the same result; times and random values are parameters.",
    "- General and short: every value of the task is a parameter.",
    "- Bad input throws an Error that says what was expected and what was given.",
    "- TSDoc: a first sentence that says what it does, an @param line per parameter with unit and range, and @returns.",
    "- At least two lines `@example call => result`, in literals. They are run and must give these results to nine digits, so be certain of each; write `throws` for an error.",
    `- No other tags${mayCall ? " but @calls" : ""}.`,
  ].join("\n");
}

const NAMING =
  "Name it for what it does in general, with no task values or version: snake_case, at most 64 characters.";

const CHANGING =
  "Keep the tool's name. Its example calls must still hold; where the change asks for another result, state the call in an @example line with the new one.";

function callableText(callable: WriteToolInput["callable"]): string {
  return [
    "The function may call only these tools. It is then async, lists them in a TSDoc line `@calls name, name`, and awaits the global callTool with a literal name. An example that depends on a call may have the result `runs`, for no error.",
    fenced(callable.map((tool) => callSignatureText(tool)).join("\n")),
  ].join("\n");
}

function changeParagraphs(
  task: string,
  { name, code, examples }: NonNullable<WriteToolInput["current"]>,
): Paragraphs {
  return [
    `Change the tool ${name} as follows: ${task}`,
    ["Its code:", fenced(code)].join("\n"),
    examples.length > 0 && ["Its example calls:", ...examples.map((one) => `- ${one}`)].join("\n"),
  ];
}

function draftParagraphs({ draft, problem }: NonNullable<WriteToolInput["failed"]>): Paragraphs {
  return [
    draft.trim() ? ["Your last reply:", fenced(draft)].join("\n") : "Your last reply was empty.",
    ["What is wrong with it (lines count from the first line of the code):", problem].join("\n"),
    "Fix it, keep what is right, and reply with the whole function.",
  ];
}

function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}ts\n${code.trim()}\n${fence}`;
}

/**
 * Asks a model to write the tool the current edit wants, or to fix its last draft. `editLibrary` judges the
 * result. (In the reference, a model asked again saw neither its code nor the error.)
 */
export function writeTool() {
  return stage({ ends: true, lines: linesOfWriteTool }, async (state, config) => {
    const edit = needed(state.edit, { stage: "writeTool", what: "an edit" });
    const settings = readSettings(config, state);
    const input = await writeToolInput(state, settings, edit);
    const answer = await askFor(writeToolQuestion, { state, settings, config, input });
    if ("end" in answer) return answer.end;
    return { edit: { ...edit, draft: answer.value }, ...answer.asked };
  });
}

async function writeToolInput(state: GraphState, settings: Settings, edit: Edit) {
  const library = await runWorkspace().library(settings);
  const { draft, problem, task, similar } = edit;
  return {
    ...runBasics(state, settings),
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

function currentCode(library: LibraryView, { tool }: Edit): Pick<WriteToolInput, "current"> {
  const record = library.get(tool);
  if (record?.source.kind !== "generated") return {};
  const { name, source, examples = [] } = record;
  return { current: { name, code: source.code, examples } };
}

/** By id, because that is how a made tool calls another. */
function shown(library: LibraryView, ids: readonly string[]): OfferedTool[] {
  return ids.flatMap((id) => {
    const tool = library.get(id);
    return tool ? [toolView([id, tool])] : [];
  });
}

function linesOfWriteTool({ before }: StageChange): Line[] {
  const failures = before.edit?.failures ?? 0;
  return [failures > 0 ? `writes draft ${failures + 1}` : "writes the tool"];
}
