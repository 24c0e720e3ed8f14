import { z } from "zod";
import { MOST_SUBTASKS } from "../../common/bounds.js";
import { counted } from "../../common/text.js";
import { oneLine } from "../../common/errors.js";
import { jsonInText, parseJson } from "../../common/jsonInText.js";
import { listedLines } from "../../common/listedLines.js";
import { type Settings, readSettings } from "../../state/settings.js";
import { type GraphState, changeSubtask, openSubtask } from "../../state/state.js";
import type { FailedPlan, TaskResult } from "../../state/taskTree.js";
import { runWorkspace } from "../../home/workspace.js";
import { earlierTurnsText, earlierResultsText } from "../kit/promptTexts.js";
import { askFor, formQuestion } from "../kit/question.js";
import { type ReplyForm, replyForm } from "../kit/replyForm.js";
import { runBasics } from "../kit/runBasics.js";
import { type Line, type StageChange, askingStage } from "../kit/stage.js";
import type { RunBasics } from "../kit/stageInputs.js";

/** What a model is told besides the task; one for each published method (Tulip Agent). */
type DecomposeStyle = "plain" | "informed" | "primed" | "oneShot" | "tree";

export interface DecomposeInput extends RunBasics {
  style: DecomposeStyle;
  /** What to split: the request itself, or a subtask for which no tool was found. */
  task: string;
  /** 0 for the request; n + 1 for parts of a subtask missed at depth n. */
  depth: number;
  /** Style `informed`: what the tool library is about. */
  libraryDescription?: string;
  /** Styles `primed` and `tree`: names of tools that may help. */
  toolNames?: string[];
  /** Style `tree`: results of the tasks before this one, oldest first. */
  earlierResults?: TaskResult[];
  /** Style `tree`: plans for this task that have failed. */
  failedPlans?: FailedPlan[];
}

const texts = z.array(z.string());

const form = replyForm(z.object({ subtasks: texts.describe("The subtasks in their order") }), {
  mended: (text) => ({ subtasks: subtasksIn(text) }),
});

/** A reply of ordered subtasks, possibly none. */
export const subtasksForm: ReplyForm<string[]> = {
  ...form,
  read: (text) => {
    const reading = form.read(text);
    if ("problem" in reading) return reading;
    const subtasks = reading.value.subtasks.map((one) => one.trim()).filter(Boolean);
    if (subtasks.length <= MOST_SUBTASKS) return { value: subtasks };
    return {
      problem: `Your last reply had ${counted(subtasks.length)} subtasks, and a task is split into at most ${MOST_SUBTASKS}. Reply with fewer, larger ones.`,
    };
  },
};

export const decomposeQuestion = formQuestion({
  stage: "decompose",
  form: subtasksForm,
  instructions: (input: DecomposeInput) => [
    "Split the task into the fewest subtasks, in order, that one call of a small tool can each do.",
    "A known formula (a rectangle's perimeter) is one operation, as is one operation on several results; operations that build on each other are separate. State each in plain, general words with every value and unit it needs; refer to earlier results by what they are (the rectangle's area). A value that is given needs no subtask. Do not do the subtasks, name tools, or add steps to report or check results.",
    wholeTask(input),
    ...styleParagraphs(input),
  ],
  task: (input) => {
    const { style, request, task, depth, earlierTurns, earlierResults } = input;
    const isPart = (style === "tree" || depth > 0) && request !== task;
    return [
      earlierTurnsText(earlierTurns),
      isPart && `The request as a whole: ${request}`,
      earlierResultsText(earlierResults),
      `Task: ${task}`,
      failedPlansText(input),
    ];
  },
  byRules: async (input) =>
    (await import("../../models/offline/replies.js")).replyToDecompose(input),
});

/** What to reply for a task without parts. */
function wholeTask({ style, depth }: DecomposeInput): string {
  if (style === "tree")
    return "If one tool call may do the whole task, return an empty list, never the task itself or reworded. Use earlier results: do not plan to find them again, unless one is clearly not a result.";
  return depth === 0
    ? "A single operation is its own only subtask."
    : "No tool was found for the task itself, so never return it, not even reworded. If it is a single operation, return an empty list.";
}

function styleParagraphs({ style, libraryDescription, toolNames }: DecomposeInput) {
  return [
    style === "informed" &&
      libraryDescription &&
      `The library: ${libraryDescription}. What it cannot do stays a subtask of its own.`,
    (style === "primed" || style === "tree") &&
      toolNames?.length &&
      `Some of the tools, as samples; a later step finds the right ones: ${toolNames.join(", ")}.`,
    style === "oneShot" && EXAMPLE,
  ];
}

/** One worked example, as OneShotCot shows one (Tulip Agent). */
const EXAMPLE = [
  "Example. Task: How many 0.25 m² tiles does a 6 m by 4.5 m floor take, with 8 spares?",
  'Reply: {"subtasks": ["Find the area of a rectangle 6 m long and 4.5 m wide", "Divide the area of the rectangle by 0.25", "Add 8 to the number of tiles"]}',
].join("\n");

function failedPlansText({ failedPlans = [] }: DecomposeInput): string {
  if (failedPlans.length === 0) return "";
  const plans = failedPlans.map(({ subtasks, reason }) =>
    [...subtasks.map((one, at) => `${at + 1}. ${one}`), `Why it failed: ${reason}`].join("\n"),
  );
  return [
    "These plans failed. Find another with other subtasks or another order, or return an empty list.",
    ...plans,
  ].join("\n\n");
}

/** As a bare list, or line by line; undefined if there is no list. */
function subtasksIn(reply: string): string[] | undefined {
  const values = [parseJson(reply), ...jsonInText(reply).values.toReversed()];
  const found = values.map((value) => texts.safeParse(value).data).find(Boolean);
  const listed = listedLines(reply);
  return found ?? (listed.length > 0 ? listed : undefined);
}

/**
 * Asks a model to split the request, or the missed subtask in focus (Tulip Agent: CotTulip and its variants).
 * What it fails to split in three attempts stays whole.
 *
 * @param options.style what the model is told besides the task
 */
export function decompose({ style }: { style: DecomposeStyle }) {
  return askingStage({ lines }, async (state, config) => {
    const settings = readSettings(config);
    const input = await decomposeInput(state, settings, style);
    const instead = withSubtasks(state, []);
    const answer = await askFor(decomposeQuestion, { state, settings, config, input, instead });
    if ("end" in answer) return answer.end;
    return { ...withSubtasks(state, answer.value), ...answer.asked };
  });
}

async function decomposeInput(
  state: GraphState,
  settings: Settings,
  style: DecomposeStyle,
): Promise<DecomposeInput> {
  const focus = state.subtasks.find(({ id }) => id === state.focus);
  const informed = style === "informed";
  return {
    style,
    ...runBasics(state, settings),
    task: focus?.text ?? state.run.request,
    depth: focus ? focus.depth + 1 : 0,
    ...(informed
      ? { libraryDescription: (await runWorkspace().library(settings)).description }
      : {}),
    ...(style === "primed" ? { toolNames: state.hints } : {}),
  };
}

type Split = Partial<Pick<GraphState, "subtasks" | "focus">>;

function withSubtasks(state: GraphState, texts: string[]): Split {
  if (state.focus) return splitFocus(state, texts);
  // A request without subtasks is its own only subtask.
  const tasks = texts.length > 0 ? texts : [state.run.request];
  return { subtasks: tasks.map((text, at) => openSubtask({ id: `${at + 1}`, text, depth: 0 })) };
}

/** Puts the parts after the subtask they replace; a single part that says the same is ignored. */
function splitFocus(state: GraphState, texts: string[]): Split {
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

function lines({ change: { subtasks } }: StageChange): Line[] {
  return (subtasks ?? []).map(
    ({ id, text, status, reason }) =>
      `${id}. ${oneLine(text)}${status === "open" ? "" : ` (${reason ?? status})`}`,
  );
}
