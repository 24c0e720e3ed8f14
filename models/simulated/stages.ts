import { InvalidSetting } from "../../common/errors.js";
import type { DecomposeInput } from "../../nodes/finding/decompose.js";
import type { PhraseSearchInput } from "../../nodes/finding/phraseSearch.js";
import type { JudgeInput } from "../../nodes/acting/judge.js";
import type { SummarizeInput } from "../../nodes/searching-steps/summarize.js";
import type { VoteInput } from "../../nodes/searching-steps/vote.js";
import type { AggregateInput } from "../../nodes/shared/askResult.js";
import type { Stage, StageInputs } from "../../nodes/shared/stageInputs.js";
import { SEARCH_TOOLS } from "../../tools/control.js";
import { answerText, nextStep } from "./act.js";
import { drawsIn } from "./draws.js";
import { findingFor, readingsIn } from "./findings.js";
import type { SimulatedReply } from "./message.js";
import { type PolicyTraits, SIMULATED_POLICY } from "./parameters.js";
import { codeIn, readNeeds, speaksOf } from "./reading.js";

/** What tells one policy from another. */
export interface PolicySettings {
  seed: number;
  traits: PolicyTraits;
}

/** What the policy replies at a stage. */
export function replyTo<S extends Stage>(
  stage: S,
  input: StageInputs[S],
  settings: PolicySettings,
): SimulatedReply {
  const decide = REPLIES[stage];
  if (decide) return decide(input, settings);
  // What errors a model makes there is nothing that the simulated world knows of.
  throw new InvalidSetting({
    setting: `model ${SIMULATED_POLICY}`,
    problem: `it was asked at ${stage}, which is not simulated`,
    hint: "Use a graph that does not ask there, such as react, or a language model",
  });
}

/** What is simulated. */
const REPLIES: {
  [S in Stage]?: (input: StageInputs[S], settings: PolicySettings) => SimulatedReply;
} = {
  decompose: replyToDecompose,
  phraseSearch: replyToPhraseSearch,
  act: nextStep,
  judge: replyToJudge,
  vote: replyToVote,
  summarize: replyToSummarize,
  paraphrase: ({ task }) => json({ task }),
  aggregate: replyToAggregate,
};

/** One subtask for each need; a subtask that was missed has no parts. */
function replyToDecompose({ task, depth }: DecomposeInput): SimulatedReply {
  const subtasks = depth > 0 ? [] : readNeeds(task).map(({ text }) => `look up ${text}`);
  return json({ subtasks });
}

/** Each subtask in its own words, once. */
function replyToPhraseSearch({ subtasks, tried }: PhraseSearchInput): SimulatedReply {
  const searches = subtasks
    .map((phrase, at) => ({ subtask: at + 1, phrase }))
    .filter(({ phrase }) => !tried.includes(phrase));
  return { text: "", call: { name: SEARCH_TOOLS.name, args: { searches } } };
}

/** A call helped that told a code about something that was asked for. */
function replyToJudge(input: JudgeInput, { seed, traits }: PolicySettings): SimulatedReply {
  const { request, result, tool, args } = input;
  const told = codeIn(result, request) !== undefined;
  const isHelpful = told && readNeeds(request).some((need) => speaksOf(result, need));
  const draws = drawsIn([seed, request, tool.name, args, result]);
  const helpful = draws("judge") < traits.judgesRight ? isHelpful : !isHelpful;
  const reason = helpful
    ? "It tells something that was asked for."
    : "It does not tell what was asked.";
  return json({ reason, helpful });
}

/** The continuation that told more of what was asked for, unless the policy errs; a tie is drawn. */
function replyToVote(input: VoteInput, { seed, traits }: PolicySettings): SimulatedReply {
  const { request, history, first, second } = input;
  const before = history.flatMap(readingsIn);
  const [a, b] = [first, second].map((each) => {
    const readings = [...before, ...readingsIn(each)];
    return readNeeds(request).filter((need) => findingFor({ need, readings, request })).length;
  });
  const draws = drawsIn([seed, request, history, first, second]);
  const isRight = draws("vote") < traits.votesRight;
  const isFirst = a === b ? draws("tie") < 0.5 : (a ?? 0) > (b ?? 0) === isRight;
  return json({ reason: "It has told more of what was asked.", better: isFirst ? "A" : "B" });
}

/** All facts that any call has told. */
function replyToSummarize({ request, findings, draft }: SummarizeInput): SimulatedReply {
  const readings = findings.flatMap(({ tool, calls }) =>
    calls.map(({ result, error }) => ({
      tool: tool.name,
      text: error ?? (typeof result === "string" ? result : (JSON.stringify(result) ?? "")),
      failed: error !== undefined,
    })),
  );
  const sought = readNeeds(request).map((need) => ({
    need,
    found: findingFor({ need, readings, request }),
  }));
  const isEmpty = sought.every(({ found }) => found === undefined);
  return json({ answer: isEmpty && draft ? draft : answerText(sought) });
}

/** What the parts have told, as it stands. */
function replyToAggregate({ results }: AggregateInput): SimulatedReply {
  const told = results.filter(({ result }) => result.trim() !== "");
  const result = told.map((one) => one.result).join("; ");
  return json({ result, solved: told.length > 0 && told.length === results.length });
}

function json(value: unknown): SimulatedReply {
  return { text: JSON.stringify(value) };
}
