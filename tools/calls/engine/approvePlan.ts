import type { Outcome, PlannedCall } from "../../../plans/language/progress.js";
import { type DueCalls, PlanStopped } from "../../../plans/language/saved/carryOut.js";
import { fittedArguments } from "../../../plans/steps/fitStep.js";
import { canonicalJson, sha256 } from "../../library/records/hash.js";
import { shortened } from "../../../common/text.js";
import type { InputAnswer } from "../../remote.js";
import type { Invocation } from "./callScope.js";
import { type OpenedPlan, isSavedPlan, toolOf } from "./savedPlan.js";

/**
 * Asks a person about the calls of a saved plan before the first of them is made: each with its values, after all reads
 * that can be made. The approval holds for exactly these; a call that turns out different, or that only becomes known
 * later, is asked about then, together with all that are left. A plan that the plan calls asks for itself.
 *
 * @param read makes a read in advance, under a name of its own
 * @returns what is to be done before calls are made; undefined if nobody is asked
 */
export function planApproval(
  invocation: Invocation,
  opened: OpenedPlan,
  read: (call: PlannedCall, name: string) => Promise<Outcome>,
): ((due: DueCalls) => Promise<void>) | undefined {
  const { scope, call, wait } = invocation;
  const asks = scope.plans?.asks;
  if (!asks) return undefined;
  const needsApproval = (planned: PlannedCall) => {
    const tool = toolOf(planned, opened);
    const isNeeded = scope.library?.needsApproval?.(tool) ?? tool.approval === true;
    return !isSavedPlan(tool) && (isNeeded || (asks === "writes" && tool.effects === "write"));
  };
  const keyOf = (planned: PlannedCall) => {
    const tool = toolOf(planned, opened);
    const args = fittedArguments(tool, planned.args);
    return canonicalJson([planned.place, tool.id, tool.hash, args]);
  };
  let approved: ReadonlySet<string> = new Set();
  let round = 0;
  return async ({ calls, known }) => {
    const due = calls.filter(needsApproval);
    if (due.every((each) => approved.has(keyOf(each)))) return;
    // Each time anew, because by then they may give something else.
    const prefix = `ahead${round}:`;
    const { writes, complete } = await known(async (each) =>
      needsApproval(each) ? undefined : await read(each, prefix + each.place).catch(unlessStopped),
    );
    const places = new Set(due.map(({ place }) => place));
    const rest = writes.filter((each) => !places.has(each.place) && needsApproval(each));
    const shown = [...due, ...rest];
    const keys = shown.map(keyOf);
    const planned = shown.map((each) => {
      const tool = toolOf(each, opened);
      const { id, hash } = tool;
      return { tool: { id, hash }, args: fittedArguments(tool, each.args) };
    });
    const lines = planned.map(
      ({ tool, args }) => `${tool.id} ${shortened(JSON.stringify(args), ARGUMENTS_SHOWN)}`,
    );
    const isComplete = complete && !writes.some((each) => isSavedPlan(toolOf(each, opened)));
    const more = isComplete ? [] : ["More may follow, which will be asked about."];
    const question = {
      id: `${call.id} ${sha256(canonicalJson([round, ...keys]))}`,
      source: "tulipgraph",
      tool: call.record.id,
      callId: call.id,
      message: [`May ${call.record.id} make these calls?`, ...lines, ...more].join("\n"),
      schema: FORM,
      calls: {
        code: opened.program.code,
        planned,
        complete: isComplete,
      },
    };
    if (!call.answers) {
      const tools = new Set(shown.map(({ tool }) => tool.id));
      throw new PlanStopped(`${NOBODY}: ${[...tools].join(", ")}`);
    }
    const answer = call.answers.find(({ id }) => id === question.id);
    if (!answer) wait(question);
    else if (answer.action !== "accept" || answer.content?.["approve"] === false)
      throw new PlanStopped(rejectedText(answer));
    round += 1;
    approved = new Set(keys);
  };
}

/** Characters shown of the arguments of each call in a message. */
const ARGUMENTS_SHOWN = 1000;

/** The answer of whoever is asked with a form. */
const FORM = {
  type: "object",
  properties: { approve: { type: "boolean", title: "Make these calls" } },
  required: ["approve"],
};

/** In its turn, after the writes before it, the read may well succeed. */
function unlessStopped(error: unknown): undefined {
  if (error instanceof PlanStopped) return undefined;
  throw error;
}

const NOBODY = "a person has to approve its calls, and nobody can be asked here";

function rejectedText({ content }: InputAnswer): string {
  const reason = content?.["message"];
  return `a person has rejected its calls, which are not approved${reason ? `: ${String(reason)}` : ""}. Do not repeat it`;
}
