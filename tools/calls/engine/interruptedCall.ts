import { clipped } from "../../../common/text.js";
import { jsonOrNothing } from "../../../common/jsonInText.js";
import { oneLine } from "../../../common/errors.js";
import type { InputAnswer, InputRequest } from "../../remote.js";
import { type CheckedCall, toolIn } from "./callScope.js";
import { resultProblem } from "./schemaCheck.js";

/** Most characters of the arguments in a question. */
const LONGEST_ARGUMENTS = 1_000;

/** Whether a write was made, and what it gave as JSON. */
interface Verdict {
  made: boolean;
  resultJson?: string;
}

/**
 * Finds out what became of a write that was under way when its process ended: from the read that the tool names for
 * it (`check`), else from a person.
 *
 * @returns "settled" once the journal knows it, or what a person is to be asked; undefined if nobody can tell
 */
export async function interruptedCall(
  checked: CheckedCall,
  ref: string,
): Promise<"settled" | InputRequest | undefined> {
  const { scope, call } = checked;
  const { threadId, hold } = scope;
  const id = `outcome_${ref}`;
  const answer = call.answers?.find((each) => each.id === id);
  const verdict = answer ? verdictIn(answer) : await checkedVerdict(checked, ref);
  if (!verdict) return call.answers && !answer ? questionAbout(checked, id) : undefined;
  const { made, resultJson } = verdict;
  const end = { status: "done", resultJson, ms: 0, cost: call.record.cost ?? 0 } as const;
  await scope.journal.settle({ threadId, hold, ref }, made ? end : undefined);
  return "settled";
}

function verdictIn({ action, content = {} }: InputAnswer): Verdict | undefined {
  if (action !== "accept") return undefined;
  const { made, result } = content;
  return {
    made: made === true,
    ...(result !== undefined && { resultJson: asJson(String(result)) }),
  };
}

/** People write texts without quotation marks. */
function asJson(result: string): string {
  return JSON.stringify(jsonOrNothing(result, result));
}

async function checkedVerdict(checked: CheckedCall, ref: string): Promise<Verdict | undefined> {
  const { scope, call, args } = checked;
  const { record, depth } = call;
  const tool = record.check === undefined ? undefined : toolIn(scope.library, record.check);
  // A call on a world would wait for this one.
  if (tool?.effects !== "read" || scope.worldOf(tool) !== undefined) return undefined;
  const taken = Object.entries(args).filter(([name]) =>
    Object.hasOwn(tool.parameters.properties, name),
  );
  const { status, resultJson = "null" } = await scope.run(scope, {
    ...call,
    id: `${call.id}/check_${ref}`,
    record: tool,
    args: Object.fromEntries(taken),
    depth: depth + 1,
    since: Date.now(),
    answers: undefined,
  });
  if (status !== "done") return undefined;
  const found: unknown = JSON.parse(resultJson);
  const made = Array.isArray(found) ? found.length > 0 : Boolean(found);
  return resultProblem(record, found) === undefined ? { made, resultJson } : { made };
}

function questionAbout({ call, args }: CheckedCall, id: string): InputRequest {
  const given = clipped(oneLine(JSON.stringify(args)), LONGEST_ARGUMENTS);
  return {
    id,
    source: "tulipgraph",
    tool: call.record.name,
    callId: call.id,
    isOutcome: true,
    message: `Was ${call.record.name} ${given} made? It was under way when its process ended. If it was not, it is made now; if you decline, the model is told that nobody knows`,
    schema: {
      type: "object",
      properties: {
        made: { type: "boolean", description: "Whether it was made" },
        result: { type: "string", description: "What it gave if it was made, as JSON or text" },
      },
      required: ["made"],
    },
  };
}
