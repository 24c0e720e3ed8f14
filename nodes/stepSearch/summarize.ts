import { z } from "zod";
import { readSettings, type Settings } from "../../state/settings.js";
import { cutObservation } from "../../state/calls.js";
import type { Call, GraphState, StateUpdate } from "../../state/state.js";
import { runWorkspace } from "../../home/workspace.js";
import { doubtsAbout, doubtsText, knownTo } from "../policy/grounding.js";
import { earlierTurnsText } from "../kit/promptTexts.js";
import { needed, type Line, type StageChange, stage, wholeResult } from "../kit/stage.js";
import { type Question, askFor, promptOf } from "../kit/question.js";
import { problemAt, repairOrEnd } from "../kit/askModel.js";
import { replyForm } from "../kit/replyForm.js";
import { resultsInWords } from "../policy/callTexts.js";
import { runBasics } from "../kit/runBasics.js";
import type { Observation, OfferedTool, RunBasics } from "../kit/stageInputs.js";

export interface SummarizeInput extends RunBasics {
  findings: {
    tool: Pick<OfferedTool, "name" | "description">;
    calls: Omit<Observation, "tool">[];
  }[];
  /** What the search itself said when it ended without an answer. */
  draft: string;
}

const answerForm = replyForm(
  z.object({ answer: z.string().trim().min(1).describe("The complete final answer for the user") }),
);

/**
 * Asks for the final answer from all results of a run, including those of abandoned branches (BTP), if no
 * branch reached an answer. A reply without one is not asked for again.
 */
const summarizeQuestion: Question<"summarize", SummarizeInput, string | undefined> = {
  stage: "summarize",
  once: true,
  form: answerForm,
  instructions: () => [
    "Write the answer to a request from the results of an agent's calls.",
    "Use only facts from the results, with their values unchanged. Answer every part in detail, and nothing else; mention no tools or calls. If a part is unresolved, say which and, as far as the results show, why.",
  ],
  task: ({ request, earlierTurns, findings }) => [
    earlierTurnsText(earlierTurns),
    `Request: ${request}`,
    ...findings.map(findingText),
  ],
  read: ({ text }) => {
    const reading = answerForm.read(text);
    return { value: "value" in reading ? reading.value.answer : undefined };
  },
  byRules: async ({ findings, draft }) => {
    const found = findings.flatMap(({ tool, calls }) =>
      calls.map(({ result, error }) => `${tool.name}: ${error ?? resultText(result)}.`),
    );
    return { text: JSON.stringify({ answer: draft.trim() || found.join(" ") }) };
  },
};

function findingText({ tool, calls }: SummarizeInput["findings"][number]): string {
  return [
    `Tool: ${[tool.name, tool.description].filter(Boolean).join(": ")}`,
    ...calls.map(
      ({ args, result, error }) =>
        `Arguments: ${JSON.stringify(args)}\n${error === undefined ? `Result: ${resultText(result)}` : `Error: ${cutObservation(error)}`}`,
    ),
  ].join("\n");
}

function resultText(result: unknown): string {
  const text = typeof result === "string" ? result : JSON.stringify(result);
  return text ? cutObservation(text) : "(none)";
}

/** A prompt this long, in characters, is not sent, as published (BTP). */
const TOO_LONG = 25_000;

/**
 * Puts into words what a step search found, if no branch reached an answer (as published, BTP also replaces the
 * answers of branches, unseen). The run's status stays. The search's own words and results stay too if there is too
 * much to summarize, the reply is unusable, or it still has unsupported values after the model was told once.
 */
export function summarize() {
  return stage({ repairs: true, lines }, async (state, config) => {
    const settings = readSettings(config);
    const input = await summarizeInput(state, settings);
    needed(input.findings[0], { stage: "summarize", what: "a call that was made" });
    const told = problemAt(state, "summarize");
    if (lengthOf({ input, problem: told }) >= TOO_LONG) return withoutSummary(state);
    const answered = await askFor(summarizeQuestion, { state, settings, config, input });
    // A limit or a refusal comes too late to change how the run has ended; what it used still counts.
    if ("end" in answered) {
      const { usage } = answered.end;
      return { ...withoutSummary(state), ...(usage ? { usage } : {}) };
    }
    const { value: answer, reply, asked } = answered;
    const doubts = answer ? doubtsAbout(answer, knownTo(state, settings)) : [];
    if (answer && doubts.length === 0) return { answer, ...asked };
    const { usage } = asked;
    if (!answer || told) return { ...withoutSummary(state), usage };
    const problem = doubtsText(doubts, "Leave out what they do not give.");
    return repairOrEnd({ state, stage: "summarize", problem, reply, usage });
  });
}

/** A search without an answer still reports what its calls found. */
function withoutSummary(state: GraphState): StateUpdate {
  const answer = [state.answer, resultsInWords(state)].filter(Boolean).join(" ");
  return { answer, repair: null };
}

function lengthOf(asked: { input: SummarizeInput; problem?: string }): number {
  const { messages } = promptOf(summarizeQuestion, asked);
  return messages.reduce((sum, { text }) => sum + text.length, 0);
}

async function summarizeInput(state: GraphState, settings: Settings): Promise<SummarizeInput> {
  const executed = state.calls.filter(({ refused }) => !refused);
  const library = await runWorkspace().library(settings);
  return {
    ...runBasics(state, settings),
    draft: state.answer,
    findings: [...new Set(executed.map(({ tool }) => tool))].map((id) => {
      // A tool that was removed while the run was under way is known by its id alone.
      const { name, description } = library.get(id) ?? { name: id, description: "" };
      const calls = executed.filter(({ tool }) => tool === id);
      return { tool: { name, description }, calls: calls.map(found) };
    }),
  };
}

function found(call: Call): SummarizeInput["findings"][number]["calls"][number] {
  const { args, error } = call;
  return error === undefined ? { args, result: wholeResult(call) } : { args, error };
}

function lines({ change: { answer } }: StageChange): Line[] {
  return answer ? ["writes the answer from the results"] : [];
}
