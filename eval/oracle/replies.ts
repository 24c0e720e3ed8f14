import { InvalidSetting } from "../../common/errors.js";
import { jsonReply, type SimulatedReply } from "../simulated/simulatedModel.js";
import { answerText } from "../../plans/answerText.js";
import { writtenValue } from "../../plans/solutionText.js";
import type { Stage, StageInputs } from "../../nodes/shared/stageInputs.js";
import { FINISH, SEARCH_LIBRARY, SEARCH_TOOLS, STOP } from "../../tools/control.js";
import { type Followed, follow, isDone, readySteps } from "./followSolution.js";
import type { GoldTask } from "./goldTask.js";
import { offerOf } from "./offer.js";
import { NOT_ON_OFFER, nameWords, wordsFor } from "./toolWords.js";
import { shownPlan } from "./shownPlan.js";
import { writtenProgram } from "./writtenProgram.js";

/**
 * The oracle's reply at a stage. It follows the gold plan of the request with the tools that it is shown.
 *
 * @throws InvalidSetting at a stage that no compared graph has
 */
export function oracleReply<S extends Stage>(
  gold: GoldTask,
  { stage, input }: { stage: S; input: StageInputs[S] },
): SimulatedReply {
  const reply = REPLIES[stage];
  if (reply) return reply(gold, input);
  throw new InvalidSetting({
    setting: `stage ${stage}`,
    problem: "the oracle script has no reply for it",
    hint: `Compare graphs that ask at ${Object.keys(REPLIES).join(", ")} only`,
  });
}

type Replies = {
  [K in Stage]?: (gold: GoldTask, input: StageInputs[K]) => SimulatedReply;
};

const REPLIES: Replies = {
  decompose: replyToDecompose,
  phraseSearch: replyToPhraseSearch,
  act: replyToAct,
  summarize: replyToSummarize,
  compose: replyToCompose,
  writeProgram: (gold, input) => ({
    text: writtenProgram({ ...gold, program: gold.task.program }, input),
  }),
  reflect: () =>
    jsonReply({
      accepted: false,
      cue: "Use the tools that are shown, with the arguments they have.",
    }),
  judge: () => jsonReply({ reason: "It is a call of the plan.", helpful: true }),
};

/** A subtask for each step; a missed subtask has no parts. */
function replyToDecompose(gold: GoldTask, { depth }: StageInputs["decompose"]): SimulatedReply {
  return jsonReply({ subtasks: depth > 0 ? [] : subtasksOf(gold) });
}

function subtasksOf({ plan, tools }: GoldTask): string[] {
  return plan.steps.flatMap((step) => {
    const tool = tools.get(step.tool);
    return tool ? [wordsFor({ step, tool })] : [];
  });
}

/** Each subtask in its own words; the second time without the arguments. */
function replyToPhraseSearch(
  { tools }: GoldTask,
  { subtasks, tried }: StageInputs["phraseSearch"],
): SimulatedReply {
  const names = [...tools.values()].map(nameWords);
  const searches = subtasks.map((text, at) => {
    const shorter = names.find((name) => text.startsWith(`${name}:`)) ?? text;
    return { subtask: at + 1, phrase: tried.includes(text) ? shorter : text };
  });
  return { text: "", call: { name: SEARCH_TOOLS.name, args: { searches } } };
}

/**
 * Searches for missing tools while there are new phrases for them. Then makes all calls that can be made now, or
 * one call in a step search; otherwise ends.
 */
function replyToAct(gold: GoldTask, input: StageInputs["act"]): SimulatedReply {
  const { nameOf, idOf } = offerOf(gold, input.tools);
  const made = input.observations.map((call) => ({
    ...call,
    tool: idOf.get(call.tool) ?? call.tool,
  }));
  const followed = follow(gold, made);
  const phrases = missingPhrases({ gold, followed, nameOf, searched: input.searched });
  if (phrases.length > 0) {
    const args = { action_descriptions: phrases };
    return { text: "", call: { name: SEARCH_LIBRARY.name, args } };
  }
  const ready = readySteps({ gold, followed, isOffered: (tool) => nameOf.has(tool) });
  if (ready.length === 0) return endOf({ gold, followed, input });
  const calls = ready.map(({ tool, args }) => ({ name: nameOf.get(tool) ?? tool, args }));
  return { text: "", calls: input.search ? calls.slice(0, 1) : calls };
}

/**
 * What to search for during a run: for each step whose tool is not on offer, the tool's name in words, and the
 * next time also the arguments. Nothing if both were tried, or if the graph cannot search here.
 */
function missingPhrases(options: {
  gold: GoldTask;
  followed: Followed;
  nameOf: ReadonlyMap<string, string>;
  searched?: readonly string[];
}): string[] {
  const { gold, followed, nameOf, searched } = options;
  if (!searched) return [];
  const phrases = [...gold.plan.steps.entries()].flatMap(([at, step]) => {
    const tool = gold.tools.get(step.tool);
    const isOpen = !Object.hasOwn(followed.outputs, at) && !followed.failed.has(at);
    if (!tool || !isOpen || nameOf.has(step.tool)) return [];
    const ways = [nameWords(tool), wordsFor({ step, tool })];
    return ways.find((phrase) => !searched.includes(phrase)) ?? [];
  });
  return [...new Set(phrases)];
}

/** The gold plan in the requested form. */
function replyToCompose(gold: GoldTask, input: StageInputs["compose"]): SimulatedReply {
  const plan = shownPlan(gold, input.tools);
  const steps = plan.steps.map(({ tool, args }) => {
    const written = Object.entries(args).map(([name, value]) => [name, writtenValue(value)]);
    return { tool, args: Object.fromEntries(written) as Record<string, unknown> };
  });
  return jsonReply({ ...plan, steps });
}

function endOf(options: {
  gold: GoldTask;
  followed: Followed;
  input: StageInputs["act"];
}): SimulatedReply {
  const { gold, followed, input } = options;
  const solved = isDone(gold, followed);
  const message = solved ? answerOf(gold, followed) : NOT_ON_OFFER;
  if (!input.search) return { text: "", call: { name: STOP.name, args: { message, solved } } };
  const return_type = solved ? "give_answer" : "give_up_and_restart";
  return {
    text: "",
    call: { name: FINISH.name, args: { return_type, final_answer: message } },
  };
}

function answerOf({ plan }: GoldTask, { outputs }: Followed): string {
  const answer = plan.answer || `$$PREV[${plan.steps.length - 1}]`;
  const found = answerText({ plan: { answer }, outputs });
  return "text" in found && found.text.trim() !== "" ? found.text : "Done.";
}

function replyToSummarize(
  gold: GoldTask,
  { findings, draft }: StageInputs["summarize"],
): SimulatedReply {
  const ids = new Map([...gold.tools.values()].map(({ name, id }) => [name, id]));
  const made = findings.flatMap(({ tool, calls }) =>
    calls.map((call) => ({ ...call, tool: ids.get(tool.name) ?? tool.name })),
  );
  const followed = follow(gold, made);
  return jsonReply({
    answer: isDone(gold, followed) ? answerOf(gold, followed) : draft || "Not done.",
  });
}
