import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { shortened } from "../../common/bounds.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
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
 * Asks a person about calls. The request comes again with the answer, and its calls must then be those that the person
 * was shown.
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
  const keys = calls.map(callKey);
  const shown = sha256(keys.join(" "));
  if (asked.shown === shown) {
    const said = inputResponse(request.ctx.mcpReq.inputResponses, QUESTION);
    const yes = said.kind === "elicit" && said.action === "accept" && said.content?.["approve"];
    // The answer counts once: anything asked later in the same request is another question.
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
