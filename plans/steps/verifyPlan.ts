import { isDeepStrictEqual } from "node:util";
import { UnknownName } from "../../common/errors.js";
import { fitStep } from "./fitStep.js";
import { fitValue, isType, outputTypes, type Problem } from "./fitValue.js";
import { sameName } from "./nameArguments.js";
import type { CheckedPlan, Plan, PlanIssue, PlanStep, PlanTool } from "./plan.js";
import { hasBrokenReference, partsOf, referencesIn, renumbered, writeParts } from "./references.js";
import { ANY } from "./schemaTypes.js";

/** What models call a step without a tool ("AI Agent 007"). */
const NO_TOOL = /^(no[\s_-]?tool|none)$/i;

/**
 * Checks a plan against its tools and fixes what needs no model (the graph-based type checking of "AI Agent
 * 007", keyed by argument): every reference leads to an existing part of an earlier step's output, and every
 * argument exists and has its type. Checking the result again changes nothing.
 *
 * @param options.mergeReads whether equal reads without a write in between become one; not if the plan is
 * compared as written
 */
export function verifyPlan(options: {
  plan: Plan;
  tools: PlanTool[];
  mergeReads?: boolean;
}): CheckedPlan {
  const { plan, mergeReads = true } = options;
  const tools = new Map(options.tools.map((tool) => [tool.id, tool]));
  const named = nameTools({ plan, repairs: [], issues: [] }, tools);
  const fitted = fitSteps(dropEmptySteps(named, tools), tools);
  const checked = mergeReads ? mergeEqualReads(fitted, tools) : fitted;
  return { ...checked, issues: [...checked.issues, ...answerIssues(checked.plan, tools)] };
}

function nameTools(checked: CheckedPlan, tools: ReadonlyMap<string, PlanTool>): CheckedPlan {
  const repairs: string[] = [];
  const steps = checked.plan.steps.map((step, at) => {
    if (tools.has(step.tool) || NO_TOOL.test(step.tool)) return step;
    const meant = sameName(step.tool, [...tools.keys()]);
    if (meant === undefined) return step;
    repairs.push(`step ${at}: unknown tool ${step.tool} was taken for ${meant}`);
    return { ...step, tool: meant };
  });
  return { ...checked, plan: { ...checked.plan, steps }, repairs };
}

/** Drops steps without a tool, unless another step uses their missing output, which the model must fix. */
function dropEmptySteps(checked: CheckedPlan, tools: ReadonlyMap<string, PlanTool>): CheckedPlan {
  const { steps, answer } = checked.plan;
  const isEmpty = ({ tool }: PlanStep) => NO_TOOL.test(tool) && !tools.has(tool);
  const used = new Set(
    [
      ...steps.filter((step) => !isEmpty(step)).flatMap(({ args }) => referencesIn(args)),
      ...partsOf(answer).filter((part) => typeof part !== "string"),
    ].map(({ $prev }) => $prev),
  );
  const dropped = [...steps.entries()].flatMap(([at, step]) =>
    isEmpty(step) && !used.has(at) ? [at] : [],
  );
  const left = new Map(dropped.map((at) => [at, undefined]));
  const plan = leaveOut(checked.plan, left);
  const repairs = dropped.map((at) => `step ${at} needs no tool and was dropped`);
  return { ...checked, plan, repairs: [...checked.repairs, ...repairs] };
}

function fitSteps(checked: CheckedPlan, tools: ReadonlyMap<string, PlanTool>): CheckedPlan {
  const { steps } = checked.plan;
  const fits = steps.map((step, at) => {
    const typeOf = outputTypes(steps, tools, at);
    const tool = tools.get(step.tool);
    if (tool) return fitStep(step, tool, typeOf);
    const { issues } = fitValue({ value: step.args, wanted: ANY, typeOf });
    const available = [...tools.keys()];
    const { message } = new UnknownName({ kind: "tool", wanted: step.tool, available });
    const unknown: Problem = { kind: "unknown tool", problem: message };
    return { step, repairs: [], issues: [unknown, ...issues] };
  });
  return {
    plan: { ...checked.plan, steps: fits.map(({ step }) => step) },
    repairs: [
      ...checked.repairs,
      ...fits.flatMap(({ repairs }, at) => repairs.map((repair) => `step ${at}: ${repair}`)),
    ],
    issues: [
      ...checked.issues,
      ...fits.flatMap(({ issues }, at) =>
        issues.map((issue) => ({
          ...issue,
          step: at,
          problem: `step ${at}: ${issue.argument === undefined ? "" : `${issue.argument}: `}${issue.problem}`,
        })),
      ),
    ],
  };
}

function answerIssues({ answer, steps }: Plan, tools: ReadonlyMap<string, PlanTool>): PlanIssue[] {
  const typeOf = outputTypes(steps, tools, steps.length);
  return partsOf(answer).flatMap((part): PlanIssue[] => {
    if (typeof part !== "string") {
      const found = typeOf(part);
      return isType(found) ? [] : [{ kind: "answer", problem: `answer: ${found.problem}` }];
    }
    if (!hasBrokenReference(part)) return [];
    const problem =
      "answer: it refers to outputs in a form that cannot be read; write $$PREV[0].name";
    return [{ kind: "answer", problem }];
  });
}

/**
 * Leaves out calls that repeat an earlier read without a write in between. A plan with issues keeps its steps,
 * because issues refer to their numbers.
 */
function mergeEqualReads(checked: CheckedPlan, tools: ReadonlyMap<string, PlanTool>): CheckedPlan {
  if (checked.issues.length > 0) return checked;
  const left = equalReads(checked.plan.steps, tools);
  const repairs = [...left].map(([at, earlier]) => `step ${at} reads the same as step ${earlier}`);
  return {
    ...checked,
    plan: leaveOut(checked.plan, left),
    repairs: [...checked.repairs, ...repairs],
  };
}

/** Positions of superfluous steps, each with the equal earlier step. */
function equalReads(steps: PlanStep[], tools: ReadonlyMap<string, PlanTool>): Map<number, number> {
  const left = new Map<number, number>();
  let reads: { at: number; step: PlanStep }[] = [];
  for (const [at, written] of steps.entries()) {
    if (tools.get(written.tool)?.effects !== "read") {
      reads = [];
      continue;
    }
    // Merging two equal steps can make their users equal.
    const args = renumbered(written.args, (step) => left.get(step) ?? step);
    const step = { ...written, args };
    const earlier = reads.find((read) => isDeepStrictEqual(read.step, step));
    if (earlier) left.set(at, earlier.at);
    else reads.push({ at, step });
  }
  return left;
}

/**
 * A plan without some of its steps; references are renumbered.
 *
 * @param left positions of the steps to leave out, each with the step whose output replaces its own;
 * undefined if no other step refers to it
 */
function leaveOut(plan: Plan, left: ReadonlyMap<number, number | undefined>): Plan {
  if (left.size === 0) return plan;
  const kept = [...plan.steps.keys()].filter((at) => !left.has(at));
  const numberOf = (step: number) => {
    const at = kept.indexOf(left.get(step) ?? step);
    // References beyond the plan stay beyond it.
    return at >= 0 ? at : step - left.size;
  };
  const steps = plan.steps
    .filter((_, at) => !left.has(at))
    .map((step) => ({ ...step, args: renumbered(step.args, numberOf) }));
  const answer = partsOf(plan.answer).map((part) =>
    typeof part === "string" ? part : { ...part, $prev: numberOf(part.$prev) },
  );
  return { ...plan, steps, answer: writeParts(answer) };
}
