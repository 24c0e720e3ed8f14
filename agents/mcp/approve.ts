import { shortened } from "../../common/text.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import { ask } from "./ask.js";
import { type Asked, type McpAnswer, type McpRequest, canAsk, failure } from "./session.js";

/** A call that a person must approve. */
export interface HeldCall {
  tool: string;
  args: Record<string, unknown>;
  /** Distinguishes equal calls of a plan. */
  place?: string;
}

/** Characters shown of the arguments of each call. */
const ARGUMENTS_SHOWN = 1000;

/** Identifies an approved call. */
function callKey({ tool, args, place }: HeldCall): string {
  return sha256(canonicalJson({ tool, args, place }));
}

/** Whether a person has approved a call. */
export function isApproved({ approved }: Asked): (call: HeldCall) => boolean {
  return (call) => approved.includes(callKey(call));
}

/**
 * Asks a person about calls.
 *
 * @param options.note anything else the person should know
 * @returns the answer to the request, or the calls that are now approved
 */
export async function approve(options: {
  request: McpRequest;
  asked: Asked;
  calls: readonly HeldCall[];
  note?: string;
}): Promise<{ answer: McpAnswer } | { asked: Asked }> {
  const { request, asked, calls, note } = options;
  const names = [...new Set(calls.map(({ tool }) => tool))].join(", ");
  if (!canAsk(request) && !request.session.onPage) {
    const problem = `${names} needs a person's approval, and this client cannot ask for it (it does not support elicitation), so nothing was called. Use a client that can, or start the server with --allow-writes`;
    return { answer: failure(problem) };
  }
  const keys = calls.map(callKey);
  const lines = calls.map(
    ({ tool, args }) => `${tool} ${shortened(JSON.stringify(args), ARGUMENTS_SHOWN)}`,
  );
  const message = ["These calls change something:", ...lines, ...(note ? [note] : [])].join("\n");
  const question = { source: "tulipgraph", tool: names, callId: asked.id, message, schema: FORM };
  const actions = calls.map(({ tool, args }) => ({ name: tool, args, allowed: ALLOWED }));
  const questions = [{ ...question, id: sha256(keys.join(" ")), actions }];
  const said = await ask(request, asked, questions);
  if ("answer" in said) return said;
  if (said.answers[0]?.content?.["approve"] === true)
    return { asked: { ...said.asked, approved: [...asked.approved, ...keys] } };
  return {
    answer: failure(`a person has not approved ${names}, so it was not called. Do not repeat it`),
  };
}

const ALLOWED = ["approve", "reject"] as const;

const FORM = {
  type: "object",
  properties: { approve: { type: "boolean", title: "Make these calls" } },
  required: ["approve"],
};
