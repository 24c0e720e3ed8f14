import { LONGEST_TEST } from "../common/bounds.js";
import { counted } from "../common/text.js";
import { fittedArguments } from "../plans/steps/fitStep.js";
import type { Program } from "../plans/language/program.js";
import type { Outcome } from "../plans/language/progress.js";
import { answersIn, expressionsIn } from "../plans/language/expressionsIn.js";
import { PROGRAM_LIMITS } from "../plans/language/run/visit.js";
import { carryOut, PlanStopped } from "../plans/language/saved/carryOut.js";
import { type WantedParameter, withParameters } from "../plans/language/saved/withParameters.js";
import { PLANS_ORIGIN } from "../tools/library/records/edits.js";
import {
  contractOf,
  openPlan,
  runOf,
  type SavedPlan,
  testProblem,
  toolOf,
} from "../tools/calls/engine/savedPlan.js";
import type { RecordedCall, RecordedRun, ToolRecord } from "../tools/tool.js";

/** A program that was run to its end, with the outcomes of its calls. */
export interface FollowedProgram {
  program: Program;
  /** Its tools, by the names it uses. */
  tools: ReadonlyMap<string, ToolRecord>;
  /** The calls made for it, by place. */
  calls: ReadonlyMap<string, Pick<RecordedCall, "result" | "error">>;
  /** The day of its run: "2026-03-01". */
  today: string;
}

export interface PlanToSave {
  name: string;
  description: string;
  parameters: readonly WantedParameter[];
}

/**
 * Makes a tool of a program that was run to its end. The tool has passed its test: with the results of the run and the
 * values in the program, it makes the same calls.
 */
export async function planTool(
  followed: FollowedProgram,
  wanted: PlanToSave,
): Promise<SavedPlan | { problem: string }> {
  const { program, tools } = followed;
  const { name, description } = wanted;
  const question = questionIn(program);
  if (question) return { problem: question };
  const code = withParameters(program, tools, wanted.parameters);
  if ("problem" in code) return code;
  const test = await recordedRun(followed, code.values);
  if ("problem" in test) return test;
  const called = [...tools.values()];
  const plan: SavedPlan = {
    id: name,
    name,
    description,
    parameters: {
      type: "object",
      properties: code.properties,
      required: Object.keys(code.properties),
      additionalProperties: false,
    },
    ...(givesText(program) ? { returns: { type: "string" } } : {}),
    effects: called.some(({ effects }) => effects === "write") ? "write" : "read",
    ...(called.some(({ approval }) => approval) ? { approval: true } : {}),
    examples: [`${name}(${JSON.stringify(code.values)})`],
    source: {
      kind: "program",
      file: PLANS_ORIGIN,
      code: code.code,
      calls: [...tools].map(([name, tool]) => ({
        name,
        tool: tool.id,
        contract: contractOf(tool),
      })),
      test,
    },
  };
  const problem = await planProblem(plan, (id) => called.find((tool) => tool.id === id));
  return problem ? { problem: `as a tool it does not pass its test: ${problem}` } : plan;
}

/** Why a saved plan is unreliable with the present tools, in one line; undefined if it repeats its recorded run. */
export async function planProblem(
  plan: SavedPlan,
  find: (toolId: string) => ToolRecord | undefined,
): Promise<string | undefined> {
  const opened = await openPlan(plan, find);
  if ("problem" in opened) return opened.problem;
  return await testProblem(opened, plan.source.test);
}

/** A question in the program, which a tool cannot ask. */
function questionIn(program: Program): string | undefined {
  const found = expressionsIn(program).find(({ kind }) => kind === "need" || kind === "look");
  return (
    found &&
    `line ${found.line} asks the model (${found.kind}), which a tool cannot: only a program without need() and look() can be saved`
  );
}

/** Runs the program again on the outcomes of its calls, and records the calls in the order of the program. */
async function recordedRun(
  followed: FollowedProgram,
  args: Record<string, unknown>,
): Promise<RecordedRun | { problem: string }> {
  const { program, tools, today } = followed;
  const opened = { program, tools };
  const calls: RecordedCall[] = [];
  try {
    const result = await carryOut({
      ...runOf(opened, {}, today),
      mostCalls: PROGRAM_LIMITS.calls,
      make: async (call): Promise<Outcome> => {
        const made = followed.calls.get(call.place);
        if (!made)
          throw new PlanStopped(
            `line ${call.line}: the call of ${call.tool.id} was not made in the run`,
          );
        const tool = toolOf(call, opened);
        const { result, error } = made;
        const outcome = error === undefined ? { result } : { error };
        calls.push({ tool: tool.id, args: fittedArguments(tool, call.args), ...outcome });
        return outcome;
      },
    });
    const test = { args, today, calls, result };
    const { length } = JSON.stringify(test);
    if (length <= LONGEST_TEST) return test;
    return {
      problem: `its run, which is stored as its test, has ${counted(length)} characters; at most ${counted(LONGEST_TEST)} are allowed`,
    };
  } catch (error) {
    if (error instanceof PlanStopped) return { problem: error.message };
    throw error;
  }
}

/** Whether all that it returns or logs are texts. */
function givesText(program: Program): boolean {
  return answersIn(program).every(
    (value) =>
      value?.kind === "template" || (value?.kind === "literal" && typeof value.value === "string"),
  );
}
