import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { shortened } from "../../common/bounds.js";
import { canonicalJson, sha256 } from "../../tools/library/hash.js";
import { type Asked, type McpAnswer, type McpRequest, canAsk, failure } from "./session.js";

/** A call that a person has to approve. */
export interface HeldCall {
  tool: string;
  args: Record<string, unknown>;
  /** Tells equal calls of a plan apart. */
  place?: string;
}

/** Characters shown of the arguments of each call. */
const ARGUMENTS_SHOWN = 1000;

/** Identifies a call that was approved. */
export function callKey({ tool, args, place }: HeldCall): string {
  return sha256(canonicalJson({ tool, args, place }));
}

/**
 * Asks a person about calls. The request comes again with the answer; what it shows then has to be what the person
 * was shown.
 *
 * @param options.note what else the person should know
 * @returns what to answer the request with, or the calls that are approved by now
 */
export async function approve(options: {
  request: McpRequest;
  asked: Asked;
  calls: readonly HeldCall[];
  note?: string;
}): Promise<{ answer: McpAnswer } | { asked: Asked }> {
  const { request, asked, calls, note } = options;
  const names = [...new Set(calls.map(({ tool }) => tool))].join(", ");
  const keys = calls.map(callKey);
  const shown = sha256(keys.join(" "));
  if (asked.shown === shown) {
    const said = inputResponse(request.ctx.mcpReq.inputResponses, QUESTION);
    const yes = said.kind === "elicit" && said.action === "accept" && said.content?.["approve"];
    // The answer holds once: what is asked later in the same request is another question.
    if (yes === true)
      return { asked: { ...asked, shown: "", approved: [...asked.approved, ...keys] } };
    return { answer: failure(`a person has not approved ${names}: not called. Do not repeat it`) };
  }
  if (!canAsk(request)) {
    const problem = `${names} needs a person's approval, and this client cannot ask for it (it has no elicitation): not called. Use a client that can, or start the server with --allow-writes`;
    return { answer: failure(problem) };
  }
  const lines = calls.map(
    ({ tool, args }) => `${tool} ${shortened(JSON.stringify(args), ARGUMENTS_SHOWN)}`,
  );
  const message = ["These calls change something:", ...lines, ...(note ? [note] : [])].join("\n");
  const requestedSchema = {
    type: "object" as const,
    properties: { approve: { type: "boolean" as const, title: "Make these calls" } },
    required: ["approve"],
  };
  const answer = inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema }) },
    requestState: await request.session.codec.mint({ ...asked, shown }),
  });
  return { answer };
}

const QUESTION = "approval";
