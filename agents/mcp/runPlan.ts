import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { messageOf } from "../../common/errors.js";
import { type Deed, type Deeds, receiptText } from "../../state/deeds.js";
import { MOST_PLAN_CALLS } from "../../state/settings.js";
import { madeDeed, nothingDone } from "../../nodes/policy/deeds.js";
import { todayOf } from "../../nodes/kit/runBasics.js";
import {
  faultText,
  type Outcome,
  type PlannedCall,
  type Progress,
} from "../../plans/language/progress.js";
import { interpretProgram } from "../../plans/language/run/interpretProgram.js";
import { stoppedText } from "../../plans/language/saved/carryOut.js";
import type { InputAnswer, InputRequest } from "../../tools/remote.js";
import { type Plan, planCall, type planArguments, planOf } from "../plan.js";
import type { ToolboxCall } from "../toolbox.js";
import { approve, isApproved } from "./approve.js";
import { isSavedPlan } from "../../tools/calls/engine/savedPlan.js";
import { ask, callOrAsk, withApprovals } from "./ask.js";
import {
  type Asked,
  type CallProgress,
  type McpAnswer,
  type McpRequest,
  askedBefore,
  failure,
  progressOf,
  resultOf,
  withNamedFiles,
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
  const written: Deed[] = [];
  try {
    const answer = await follow({ ...plan, request, progress, written });
    const couldWrite = [...plan.tools.values()].some(({ effects }) => effects === "write");
    return withReceipt(answer, { ...nothingDone(couldWrite), made: written });
  } catch (error) {
    return withReceipt(failure(messageOf(error)), { ...nothingDone(true), made: written });
  } finally {
    progress.stop();
  }
}

/** What the writes of the program have done, beside its result or the failure that ended it. */
function withReceipt(answer: McpAnswer, deeds: Deeds): McpAnswer {
  const { isError, content = [], structuredContent } = answer as Partial<CallToolResult>;
  const receipt = receiptText(deeds);
  if (isError) {
    const said = content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
    const written = deeds.made.map(({ tool }) => tool);
    const why = stoppedText(said, written).replace(/(?<![.!?…])$/, ".");
    return failure([why, ...receipt].join(" "));
  }
  if (structuredContent === undefined || receipt.length === 0) return answer;
  const told = { type: "text" as const, text: receipt.join("\n") };
  return { ...resultOf({ ...structuredContent, receipt }, ""), content: [...content, told] };
}

interface Following extends Plan {
  request: McpRequest;
  progress: CallProgress;
  written: Deed[];
}

async function follow(following: Following): Promise<McpAnswer> {
  const { request, program, tools, progress, written } = following;
  const { settings } = request.session.toolbox;
  const outcomes = new Map<string, Outcome>();
  const inputs = {
    outcomes,
    looks: new Map<string, string>(),
    today: todayOf(settings),
    tools: [...tools].map(([name, { id, effects }]) => ({ name, id, effects })),
  };
  let asked = askedBefore(request);
  let answers: InputAnswer[] = [];
  while (true) {
    request.ctx.mcpReq.signal.throwIfAborted();
    const step = interpretProgram(program, inputs, { calls: MOST_PLAN_CALLS });
    const end = endOf(step);
    if (end) return await withNamedFiles(end, request);
    const approved = await approveWrites(following, step, asked);
    if ("answer" in approved) return approved.answer;
    ({ asked } = approved);
    const { id } = asked;
    const questions: InputRequest[] = [];
    const made = await Promise.all(
      step.calls.map((call) =>
        makeCall(call, following, { id, questions, answers: withApprovals(asked, answers) }),
      ),
    );
    if (questions.length > 0) {
      const said = await ask(request, asked, questions);
      if ("answer" in said) return said.answer;
      ({ asked, answers } = said);
      continue;
    }
    for (const [at, { place, tool, args }] of step.calls.entries()) {
      const outcome = made[at];
      if (outcome) outcomes.set(place, outcome);
      const record = tools.get(tool.name);
      if (record?.effects === "write" && outcome && "result" in outcome)
        written.push(madeDeed({ id: `${id}/${place}`, args, result: outcome.result }, record));
    }
    progress.tell(`${outcomes.size} calls made`);
  }
}

/** The answer to the request, once the program has ended. */
function endOf({ fault, end }: Progress): CallToolResult | undefined {
  if (fault) return failure(faultText(fault));
  if (!end) return undefined;
  if (end.failed) return failure(end.text || "the program says that it has not done its work");
  return resultOf({ result: end.value }, end.text || "done, without a result");
}

/** Asks about all writes known so far, before the first of them. A saved plan asks about its own. */
async function approveWrites(
  { request, tools }: Following,
  step: Progress,
  asked: Asked,
): Promise<{ answer: McpAnswer } | { asked: Asked }> {
  const isPlan = ({ tool: { name } }: PlannedCall) =>
    [tools.get(name)].some((one) => one && isSavedPlan(one));
  const isOpen = (call: PlannedCall) => !isPlan(call) && !isApproved(asked)(heldCall(call));
  const isDue = step.calls.some((call) => call.tool.effects === "write" && isOpen(call));
  if (request.session.allowWrites || !isDue) return { asked };
  const calls = step.writes.filter(isOpen).map(heldCall);
  const isComplete = step.complete && !step.writes.some(isPlan);
  const note = isComplete ? {} : { note: "More may follow, which will be asked about." };
  return await approve({ request, asked, calls, ...note });
}

function heldCall({ place, tool, args }: PlannedCall) {
  return { place, tool: tool.id, args };
}

/**
 * @param options.id prefix of the call's id in the journal
 * @param options.questions collects what calls wait for
 */
async function makeCall(
  call: PlannedCall,
  { tools, request }: Following,
  {
    id,
    questions,
    answers,
  }: { id: string; questions: InputRequest[]; answers: readonly InputAnswer[] },
): Promise<Outcome> {
  const { toolbox, threadId, allowWrites } = request.session;
  const tool = tools.get(call.tool.name);
  if (!tool) throw new Error(`The program calls ${call.tool.name}, which it was not opened with.`);
  const { signal } = request.ctx.mcpReq;
  const callId = `${id}/${call.place}`;
  const calling = async (made: ToolboxCall) => {
    const outcome = await callOrAsk(made, request);
    questions.push(...(outcome.input ?? []));
    return outcome;
  };
  const asks = allowWrites ? {} : { asks: "writes" as const };
  const made = { tool, args: call.args, threadId, callId, signal, answers, ...asks };
  return await planCall(made, { ...toolbox, call: calling });
}
