import { InvalidSetting } from "../../common/errors.js";
import { RuleModel, type RuleReply } from "../../models/chat/ruleModel.js";
import type { Stage, StageInputs } from "../../nodes/kit/stageInputs.js";
import { answerText, nextStep } from "./act.js";
import {
  DEFAULT_SEED,
  drawsIn,
  POLICY_TRAITS,
  type PolicyTraits,
  SIMULATED_POLICY,
} from "./policyParameters.js";
import { codeIn, findingFor, readingsIn, readNeeds, resultText, speaksOf } from "./findings.js";

/**
 * A stand-in for an imperfect language model, to compare graphs in a simulated world (the benchmark `priced`) without a
 * model. It picks tools by their descriptions and errs as often as {@link POLICY_TRAITS} say. It reads only what a model
 * is shown. The same seed and situation give the same reply, apart from call ids.
 */
export function simulatedPolicy({
  seed = DEFAULT_SEED,
  traits = POLICY_TRAITS,
}: Partial<PolicySettings> = {}): RuleModel {
  return new RuleModel(SIMULATED_POLICY, async ({ stage, input }) =>
    replyTo(stage as Stage, input as StageInputs[Stage], { seed, traits }),
  );
}

/** Settings of a policy. */
export interface PolicySettings {
  seed: number;
  traits: PolicyTraits;
}

/** The policy's reply at a stage. */
export function replyTo<S extends Stage>(
  stage: S,
  input: StageInputs[S],
  settings: PolicySettings,
): RuleReply {
  const reply = REPLIES[stage];
  if (reply) return reply(input, settings);
  throw new InvalidSetting({
    setting: `model ${SIMULATED_POLICY}`,
    problem: `it was asked at the stage ${stage}, which is not simulated`,
    hint: "Use a graph that does not ask for that, such as react, or a language model",
  });
}

/** The simulated world does not model errors at other stages. */
const REPLIES: {
  [K in Stage]?: (input: StageInputs[K], settings: PolicySettings) => RuleReply;
} = {
  act: nextStep,
  judge: replyToJudge,
  vote: replyToVote,
  summarize: replyToSummarize,
};

/** A call helped if it returned a code for something that was asked for. */
function replyToJudge(input: StageInputs["judge"], { seed, traits }: PolicySettings): RuleReply {
  const { request, result, tool, args } = input;
  const told = codeIn(result, request) !== undefined;
  const isHelpful = told && readNeeds(request).some((need) => speaksOf(result, need));
  const draws = drawsIn([seed, request, tool.name, args, result]);
  const helpful = draws("judge") < traits.judgesRight ? isHelpful : !isHelpful;
  const reason = helpful
    ? "It tells something that was asked for."
    : "It does not tell what was asked.";
  return jsonReply({ reason, helpful });
}

/** Prefers the continuation that found more of what was asked for, unless the policy errs; ties are drawn. */
function replyToVote(input: StageInputs["vote"], { seed, traits }: PolicySettings): RuleReply {
  const { request, history, first, second } = input;
  const before = history.flatMap(readingsIn);
  const [a, b] = [first, second].map((each) => {
    const readings = [...before, ...readingsIn(each)];
    return readNeeds(request).filter((need) => findingFor({ need, readings, request })).length;
  });
  const draws = drawsIn([seed, request, history, first, second]);
  const isRight = draws("vote") < traits.votesRight;
  const isFirst = a === b ? draws("tie") < 0.5 : (a ?? 0) > (b ?? 0) === isRight;
  return jsonReply({ reason: "It has told more of what was asked.", better: isFirst ? "A" : "B" });
}

/** All facts that any call returned. */
function replyToSummarize({ request, findings, draft }: StageInputs["summarize"]): RuleReply {
  const readings = findings.flatMap(({ tool, calls }) =>
    calls.map(({ result, error }) => ({
      tool: tool.name,
      text: resultText({ result, error }),
      failed: error !== undefined,
    })),
  );
  const sought = readNeeds(request).map((need) => ({
    need,
    found: findingFor({ need, readings, request }),
  }));
  const isEmpty = sought.every(({ found }) => found === undefined);
  return jsonReply({ answer: isEmpty && draft ? draft : answerText(sought) });
}

function jsonReply(value: unknown): RuleReply {
  return { text: JSON.stringify(value) };
}
