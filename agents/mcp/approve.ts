import { shortened } from "../../common/text.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import { ALLOWED, TO_APPROVE, ask } from "./ask.js";
import { type Asked, type McpAnswer, type McpRequest, canAsk, failure } from "./session.js";

/** A call that a person must approve. */
export interface HeldCall {
  tool: string;
  args: Record<string, unknown>;
}

/** Characters shown of the arguments of each call. */
const ARGUMENTS_SHOWN = 1000;

/**
 * Asks a person about a call, unless they have approved it.
 *
 * @returns the answer to the request, or that the call is now approved
 */
export async function approve(options: {
  request: McpRequest;
  asked: Asked;
  call: HeldCall;
}): Promise<{ answer: McpAnswer } | { asked: Asked }> {
  const { request, asked, call } = options;
  const { tool, args } = call;
  const id = sha256(canonicalJson(call));
  if (asked.approved.includes(id)) return { asked };
  if (!canAsk(request) && !request.session.onPage) {
    const problem = `${tool} needs a person's approval, and this client cannot ask for it, so nothing was called. ${TO_APPROVE}`;
    return { answer: failure(problem) };
  }
  const given = shortened(JSON.stringify(args), ARGUMENTS_SHOWN);
  const message = `This call changes something:\n${tool} ${given}`;
  const question = { id, source: "tulipgraph", tool, callId: asked.id, message, schema: FORM };
  const said = await ask(request, asked, [
    { ...question, actions: [{ name: tool, args, allowed: ALLOWED }] },
  ]);
  if ("answer" in said) return said;
  if (said.answers[0]?.content?.["approve"] === true)
    return { asked: { ...said.asked, approved: [...asked.approved, id] } };
  return {
    answer: failure(`a person has not approved ${tool}, so it was not called. Do not repeat it`),
  };
}

const FORM = {
  type: "object",
  properties: { approve: { type: "boolean", title: "Make these calls" } },
  required: ["approve"],
};
