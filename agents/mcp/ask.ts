import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { checkedAnswer } from "../../nodes/acting/askInput.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import { type CallOutcome } from "../../tools/calls/engine/callOutcome.js";
import { type InputAnswer, type InputRequest, isConnectable } from "../../tools/remote.js";
import type { ToolboxCall } from "../toolbox.js";
import {
  type Asked,
  type McpAnswer,
  type McpRequest,
  type McpSession,
  canAsk,
  canOpen,
} from "./session.js";

/** Makes a call. It may wait for a person (status "input") if the client can ask them all that it waits for. */
export async function callOrAsk(call: ToolboxCall, request: McpRequest): Promise<CallOutcome> {
  const { toolbox, onPage } = request.session;
  const outcome = await toolbox.call(call);
  const isAskable = (outcome.input ?? []).every(
    (question) => isAsked(question, request) || (onPage && isForPage(question)),
  );
  if (isAskable) return outcome;
  // Without answers, nobody is asked.
  const made = await toolbox.call({ ...call, answers: undefined });
  const isForApproval = outcome.input?.some(({ calls }) => calls);
  return isForApproval ? { ...made, resultText: `${made.resultText}. ${TO_APPROVE}` } : made;
}

/** What lets a client whose person cannot be asked make writes. */
const TO_APPROVE =
  "Use a client that can ask (it supports elicitation), or start the server with --allow-writes";

/** Whether the client can ask its person. */
function isAsked({ url, connect }: InputRequest, request: McpRequest): boolean {
  if (connect) return isConnectable(connect) && canOpen(request);
  return url === undefined ? canAsk(request) : canOpen(request);
}

function isForPage({ connect }: InputRequest): boolean {
  return connect === undefined || isConnectable(connect);
}

/** What a request goes on with once a person has answered. */
interface Answered {
  asked: Asked;
  answers: InputAnswer[];
}

/**
 * Has the client ask its person: with a form, or by opening a page. The request comes again with the answers, and its
 * questions must then be those that the person was shown.
 *
 * @returns the answer to the request, or what it goes on with
 * @throws Error for an answer that does not fit its question
 */
export async function ask(
  request: McpRequest,
  asked: Asked,
  questions: readonly InputRequest[],
): Promise<{ answer: McpAnswer } | Answered> {
  const { session } = request;
  const { onPage } = session;
  const isOnPage = onPage && !questions.every((question) => isAsked(question, request));
  const shown = sha256(canonicalJson(questions.map(({ id }) => id)));
  if (isOnPage || asked.shown === shown) {
    const answers = isOnPage
      ? await onPage(questions, request.ctx)
      : await Promise.all(questions.map((question) => answerTo(question, request)));
    const plans = questions.flatMap(({ id, calls }) => (calls ? id : []));
    const approved = answers.flatMap(({ id, action, content }) =>
      plans.includes(id) &&
      action === "accept" &&
      (content?.["approve"] ?? Boolean(isOnPage)) === true
        ? id
        : [],
    );
    // The answers count once: whatever is asked later in the same request is another question.
    return { asked: { ...asked, shown: "", approved: [...asked.approved, ...approved] }, answers };
  }
  const forms = questions.map(async (each) => [keyOf(each), await formOf(each, session)] as const);
  const answer = inputRequired({
    inputRequests: Object.fromEntries(await Promise.all(forms)),
    requestState: await session.codec.mint({ ...asked, shown }, request.ctx),
  });
  return { answer };
}

/** Answers together with what was approved earlier in the request: a saved plan may ask several times. */
export function withApprovals({ approved }: Asked, answers: readonly InputAnswer[]): InputAnswer[] {
  return [...approved.map((id) => ({ id, action: "accept" as const })), ...answers];
}

/** Calls that wait for the same connection ask once. */
function keyOf({ id, source, connect }: InputRequest): string {
  return connect ? `connect ${source}` : id;
}

/** A connection has a page: that of the source's login, or one of this process for values, which the client does not see. */
async function formOf(question: InputRequest, session: McpSession) {
  const { source, schema, connect } = question;
  const message = `${source} asks: ${question.message}`;
  const url = connect ? (await session.connecting.begin(question)).href : question.url;
  if (url !== undefined) return inputRequired.elicitUrl({ message, url });
  const requestedSchema = { properties: {}, ...schema, type: "object" } as ElicitForm;
  return inputRequired.elicit({ message, requestedSchema });
}

type ElicitForm = Parameters<typeof inputRequired.elicit>[0]["requestedSchema"];

/** What a client does not bring counts as declined. A connection is waited for. */
async function answerTo(question: InputRequest, request: McpRequest): Promise<InputAnswer> {
  const { id, connect } = question;
  const said = inputResponse(request.ctx.mcpReq.inputResponses, keyOf(question));
  if (said.kind !== "elicit" || said.action !== "accept") return { id, action: "decline" };
  if (connect) await request.session.connecting.done(question);
  const content = said.content as InputAnswer["content"];
  const checked = checkedAnswer({ id, action: "accept", content }, [question]);
  if ("answer" in checked) return checked.answer;
  throw new Error(checked.problem);
}
