import { MOST_PLAN_CALLS } from "../../state/settings.js";
import { z } from "zod";
import { checkedProgram } from "../../nodes/programs/checkProgram.js";
import { todayOf } from "../../nodes/shared/runBasics.js";
import { fittedArguments } from "../../plans/steps/fitStep.js";
import {
  faultText,
  issueLine,
  type Outcome,
  type PlannedCall,
  type Progress,
} from "../../plans/language/progress.js";
import type { Program } from "../../plans/language/program.js";
import { interpretProgram } from "../../plans/language/run/interpretProgram.js";
import { resultProblem } from "../../tools/runtime/calls/schemaCheck.js";
import type { ToolRecord } from "../../tools/tool.js";
import type { Toolbox } from "../toolbox.js";
import { approve, callKey } from "./approve.js";
import {
  type Asked,
  type CallProgress,
  type McpAnswer,
  type McpRequest,
  askedBefore,
  failure,
  progressOf,
  resultOf,
} from "./session.js";

export const planArguments = z.object({
  program: z
    .string()
    .min(1)
    .describe(
      "Lines of plain TypeScript that call the functions of find_tools with one object of arguments each and end with return: const a = find_user({ name: “Ada” }); return send_mail({ to: a.email, text: “Hi” });",
    ),
});

/**
 * Answers `run_plan`: checks the program, runs it with the interpreter of the plan language, and asks about its writes
 * before the first is made. When the request comes again with the answer, earlier calls are answered from the journal.
 */
export async function runPlan(
  { program: code }: z.infer<typeof planArguments>,
  request: McpRequest,
): Promise<McpAnswer> {
  const { session, ctx } = request;
  const functions = functionsIn(code, session.toolbox);
  const { signal } = ctx.mcpReq;
  const { program, tools, issues } = await checkedProgram({ code, functions, signal });
  if (!program || issues.length > 0) return failure(issues.map(issueLine).join("; "));
  const progress = progressOf(ctx);
  try {
    return await follow({ request, program, tools, progress });
  } finally {
    progress.stop();
  }
}

/** A plan that is being run. */
interface Following {
  request: McpRequest;
  program: Program;
  /** By the names that the program uses. */
  tools: ReadonlyMap<string, ToolRecord>;
  progress: CallProgress;
}

async function follow(following: Following): Promise<McpAnswer> {
  const { request, program, tools, progress } = following;
  const { settings } = request.session.toolbox;
  const outcomes = new Map<string, Outcome>();
  const inputs = {
    outcomes,
    looks: new Map<string, string>(),
    today: todayOf(settings),
    tools: [...tools].map(([name, { id, effects }]) => ({ name, id, effects })),
  };
  let asked = askedBefore(request);
  while (true) {
    request.ctx.mcpReq.signal.throwIfAborted();
    const step = interpretProgram(program, inputs, { calls: MOST_PLAN_CALLS });
    const end = endOf(step);
    if (end) return end;
    const approved = await approveWrites(request, step, asked);
    if ("answer" in approved) return approved.answer;
    ({ asked } = approved);
    const id = asked.id;
    const made = await Promise.all(step.calls.map((call) => makeCall(call, following, id)));
    for (const [at, { place }] of step.calls.entries()) {
      const outcome = made[at];
      if (outcome) outcomes.set(place, outcome);
    }
    progress.tell(`${outcomes.size} calls made`);
  }
}

/** The answer to the request, once the program has ended. */
function endOf({ fault, look, need, end }: Progress): McpAnswer | undefined {
  if (fault) return failure(faultText(fault));
  if (look) return failure("look() asks a model, and run_plan has none: write the rule instead");
  if (need) {
    return failure(`line ${need.line}: search with find_tools for “${need.phrase}”, and call that`);
  }
  if (!end) return undefined;
  if (end.failed) return failure(end.text || "the program says that it has not done its work");
  return resultOf({ result: end.value }, end.text || "done, without a result");
}

/** Asks about all writes known so far, before the first of them. */
async function approveWrites(
  request: McpRequest,
  step: Progress,
  asked: Asked,
): Promise<{ answer: McpAnswer } | { asked: Asked }> {
  const isApproved = (call: PlannedCall) => asked.approved.includes(callKey(heldCall(call)));
  const isDue = step.calls.some((call) => call.tool.effects === "write" && !isApproved(call));
  if (request.session.allowWrites || !isDue) return { asked };
  const calls = step.writes.filter((call) => !isApproved(call)).map(heldCall);
  const note = step.complete ? {} : { note: "More may follow, which will be asked about." };
  return await approve({ request, asked, calls, ...note });
}

function heldCall({ place, tool, args }: PlannedCall) {
  return { place, tool: tool.id, args };
}

async function makeCall(call: PlannedCall, following: Following, id: string): Promise<Outcome> {
  const { tools, request } = following;
  const { toolbox, threadId } = request.session;
  const tool = tools.get(call.tool.name);
  if (!tool) throw new Error(`The program calls ${call.tool.name}, which it was not opened with.`);
  const outcome = await toolbox.call({
    tool,
    args: fittedArguments(tool, call.args),
    threadId,
    callId: `${id}/${call.place}`,
    signal: request.ctx.mcpReq.signal,
  });
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
