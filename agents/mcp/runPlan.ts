import type { z } from "zod";
import { MOST_PLAN_CALLS } from "../../state/settings.js";
import { todayOf } from "../../nodes/shared/runBasics.js";
import {
  faultText,
  type Outcome,
  type PlannedCall,
  type Progress,
} from "../../plans/language/progress.js";
import { interpretProgram } from "../../plans/language/run/interpretProgram.js";
import { type Plan, planCall, type planArguments, planOf } from "../plan.js";
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

/**
 * Answers `run_plan`: checks the program, runs it with the interpreter of the plan language, and asks about its writes
 * before the first is made. When the request comes again with the answer, earlier calls are answered from the journal.
 */
export async function runPlan(
  { program: code }: z.infer<typeof planArguments>,
  request: McpRequest,
): Promise<McpAnswer> {
  const { session, ctx } = request;
  const { signal } = ctx.mcpReq;
  const plan = await planOf(code, { toolbox: session.toolbox, signal });
  if ("problem" in plan) return failure(plan.problem);
  const progress = progressOf(ctx);
  try {
    return await follow({ ...plan, request, progress });
  } finally {
    progress.stop();
  }
}

/** A plan that is being run. */
interface Following extends Plan {
  request: McpRequest;
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
function endOf({ fault, end }: Progress): McpAnswer | undefined {
  if (fault) return failure(faultText(fault));
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
  const { signal } = request.ctx.mcpReq;
  const callId = `${id}/${call.place}`;
  return await planCall({ tool, args: call.args, threadId, callId, signal }, toolbox);
}
