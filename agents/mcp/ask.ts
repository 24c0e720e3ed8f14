import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { checkedAnswer } from "../../nodes/acting/askInput.js";
import { connectByKey } from "../../tools/sources/credentials/connect.js";
import { listenForBrowser } from "../../tools/sources/credentials/listenForBrowser.js";
import { withLogin } from "../../tools/sources/credentials/own.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import { type CallOutcome } from "../../tools/calls/engine/callOutcome.js";
import {
  type InputAnswer,
  type InputRequest,
  isConnectable,
  LOCAL,
  type ConnectedSource,
} from "../../tools/remote.js";
import { wantedFrom } from "../../tools/sources/kinds.js";
import { withinTime } from "../../tools/sources/mcp/connection.js";
import { LOGIN_MS, login } from "../../tools/sources/mcp/login.js";
import type { ToolboxCall } from "../toolbox.js";
import {
  type Asked,
  type McpAnswer,
  type McpRequest,
  type McpSession,
  canAsk,
  canOpen,
} from "./session.js";

/** A connection that a person is making in a browser. */
export interface Connecting {
  open: Promise<URL>;
  done: Promise<void>;
}

/** Makes a call. It may wait for a person (status "input") if the client can ask them all that it waits for. */
export async function callOrAsk(call: ToolboxCall, request: McpRequest): Promise<CallOutcome> {
  const { toolbox } = request.session;
  const outcome = await toolbox.call(call);
  const isAskable = (outcome.input ?? []).every(({ url, connect }) => {
    if (connect) return isConnectable(connect) && canOpen(request);
    return url === undefined ? canAsk(request) : canOpen(request);
  });
  // Without answers, nobody is asked.
  return isAskable ? outcome : await toolbox.call({ ...call, answers: undefined });
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
export async function ask(options: {
  request: McpRequest;
  asked: Asked;
  questions: readonly InputRequest[];
}): Promise<{ answer: McpAnswer } | Answered> {
  const { request, asked, questions } = options;
  const { session } = request;
  const shown = sha256(canonicalJson(questions.map(({ id }) => id)));
  if (asked.shown === shown) {
    const answers = await Promise.all(questions.map((question) => answerTo(question, request)));
    const approved = questions.flatMap(({ id, calls }) =>
      calls && answers.some((each) => each.id === id && each.content?.["approve"] === true)
        ? id
        : [],
    );
    // The answers count once: whatever is asked later in the same request is another question.
    return { asked: { ...asked, shown: "", approved: [...asked.approved, ...approved] }, answers };
  }
  const forms = questions.map(async (each) => [keyOf(each), await formOf(each, session)] as const);
  const answer = inputRequired({
    inputRequests: Object.fromEntries(await Promise.all(forms)),
    requestState: await session.codec.mint({ ...asked, shown }),
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
  const begun = connect && (session.connecting.get(source) ?? begin(source, session));
  const url = begun ? (await begun.open).href : question.url;
  if (url !== undefined) return inputRequired.elicitUrl({ message, url });
  const requestedSchema = { properties: {}, ...schema, type: "object" } as ElicitForm;
  return inputRequired.elicit({ message, requestedSchema });
}

type ElicitForm = Parameters<typeof inputRequired.elicit>[0]["requestedSchema"];

/** What a client does not bring counts as declined. A connection is waited for. */
async function answerTo(question: InputRequest, request: McpRequest): Promise<InputAnswer> {
  const { id, source, connect } = question;
  const said = inputResponse(request.ctx.mcpReq.inputResponses, keyOf(question));
  if (said.kind !== "elicit" || said.action !== "accept") return { id, action: "decline" };
  if (connect) await request.session.connecting.get(source)?.done;
  const content = said.content as InputAnswer["content"];
  const checked = checkedAnswer({ id, action: "accept", content }, [question]);
  if ("answer" in checked) return checked.answer;
  throw new Error(checked.problem);
}

/** Begins to connect whoever uses this machine. Requests that want the same connection wait for the same page. */
function begin(name: string, { toolbox, connecting }: McpSession): Connecting {
  let done: Promise<void> = Promise.resolve();
  const open = new Promise<URL>((show, fail) => {
    done = connectHere(name, toolbox.workspace, show).finally(() => connecting.delete(name));
    done.then(() => fail(new Error(`${name} wants no login`)), fail);
  });
  // Whoever waits for it learns of it.
  open.catch(() => undefined);
  const begun = { open, done };
  connecting.set(name, begun);
  return begun;
}

async function connectHere(
  name: string,
  { store: { sources }, connections }: McpSession["toolbox"]["workspace"],
  show: (page: URL) => void,
): Promise<void> {
  const source = await sources.get(name);
  if (!source) throw new Error(`${name} is no longer imported`);
  const { way, fields, places } = await wantedFrom(source);
  const { owner } = LOCAL;
  const store = await connections();
  if (way === "key") {
    const values = await typedValues(source, fields, show);
    return await connectByKey({ store, source, owner, values });
  }
  const made = await login({ source, show });
  if (made) await store.keep({ owner, source: name, kind: "login", places, ...withLogin(made) });
}

/** Values for fields, which a person types in a page of this process. */
async function typedValues(
  { name }: ConnectedSource,
  fields: readonly string[],
  show: (page: URL) => void,
): Promise<Record<string, string>> {
  const back = await listenForBrowser({ form: { title: `Connect to ${name}`, fields } });
  try {
    show(new URL(back.url));
    return Object.fromEntries(await withinTime(LOGIN_MS, () => back.answer));
  } finally {
    back.close();
  }
}
