import { z } from "zod";
import { checkedProgram } from "../nodes/programs/checkProgram.js";
import { expressionsIn } from "../plans/language/expressionsIn.js";
import type { Program } from "../plans/language/program.js";
import { issueLine, type Outcome } from "../plans/language/progress.js";
import { fittedArguments } from "../plans/steps/fitStep.js";
import { resultProblem } from "../tools/calls/engine/schemaCheck.js";
import type { ToolRecord } from "../tools/tool.js";
import { FIND_TOOLS } from "./controlTools.js";
import type { Toolbox, ToolboxCall } from "./toolbox.js";

/** Makes several calls as a program, wherever it is offered. */
export const RUN_PLAN = "run_plan";

/** What `run_plan` takes. */
export const planArguments = z.object({
  program: z
    .string()
    .min(1)
    .describe(
      "Lines of plain TypeScript that call the functions of find_tools with one object of arguments each and end with return: const a = find_user({ name: “Ada” }); return send_mail({ to: a.email, text: “Hi” });",
    ),
});

/** A program that can be run, with its tools by the names that it uses. */
export interface Plan {
  program: Program;
  tools: ReadonlyMap<string, ToolRecord>;
}

/** Reads and checks a program. A program of `run_plan` has no model to ask. */
export async function planOf(
  code: string,
  { toolbox, signal }: { toolbox: Toolbox; signal?: AbortSignal },
): Promise<Plan | { problem: string }> {
  const functions = functionsIn(code, toolbox);
  const groups = toolbox.groups();
  const { program, tools, issues } = await checkedProgram({ code, functions, groups, signal });
  if (!program || issues.length > 0) return { problem: issues.map(issueLine).join("; ") };
  const asking = expressionsIn(program).find(({ kind }) => kind === "look" || kind === "need");
  if (!asking) return { program, tools };
  const instead = asking.kind === "look" ? "write the rule instead" : `call ${FIND_TOOLS} first`;
  return { problem: `line ${asking.line}: ${RUN_PLAN} has no ${asking.kind}(): ${instead}` };
}

/** Makes a call of a program. */
export async function planCall(call: ToolboxCall, toolbox: Toolbox): Promise<Outcome> {
  const { tool, args } = call;
  const outcome = await toolbox.call({ ...call, args: fittedArguments(tool, args) });
  const { status, resultRef, resultText } = outcome;
  if (status !== "done") return { error: resultText };
  const result =
    resultRef === undefined
      ? outcome.result
      : await toolbox.workspace.runtime.journal.result(resultRef);
  const problem = resultProblem(tool, result);
  return problem ? { error: `the result cannot be relied on: ${problem}` } : { result };
}

/** Words before a parenthesis: each may be the name of a function. */
const CALLED = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?(?=\s*\()/gu;

/** The tools that a program may refer to, by the names of their functions or their ids. */
function functionsIn(code: string, toolbox: Toolbox): Map<string, ToolRecord> {
  const { toolNamed } = toolbox.groups();
  const words = [...new Set(code.match(CALLED))];
  const ids = new Map(words.map((word) => [word, toolNamed(word) ?? word]));
  const records = toolbox.pick([...ids.values()]);
  return new Map(
    [...ids].flatMap(([word, id]): [string, ToolRecord][] => {
      const record = records.get(id);
      return record ? [[word, record]] : [];
    }),
  );
}
