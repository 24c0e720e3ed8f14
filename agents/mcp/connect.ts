import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { connectByKey } from "../../tools/connections/connect.js";
import { listenForBrowser } from "../../tools/connections/listenForBrowser.js";
import { withLogin } from "../../tools/connections/own.js";
import {
  type CallOutcome,
  type InputRequest,
  isConnectable,
} from "../../tools/runtime/calls/callOutcome.js";
import { LOCAL } from "../../tools/runtime/runtime.js";
import { type ConnectedSource, wantedFrom } from "../../tools/sources/connected.js";
import { withinTime } from "../../tools/sources/mcp/connection.js";
import { LOGIN_MS, login } from "../../tools/sources/mcp/login.js";
import type { ToolboxCall } from "../toolbox.js";
import {
  type Asked,
  type McpAnswer,
  type McpRequest,
  type McpSession,
  canOpen,
  failure,
} from "./session.js";

/** A connection that a person is making in a browser. */
export interface Connecting {
  open: Promise<URL>;
  done: Promise<void>;
}

/** Makes a call. If the client can open pages, it may wait for a connection (status "input"), and for nothing else. */
export async function callOrConnect(call: ToolboxCall, request: McpRequest): Promise<CallOutcome> {
  const { toolbox } = request.session;
  if (canOpen(request)) {
    const outcome = await toolbox.call({ ...call, answers: [] });
    if (outcome.status !== "input" || wantedBy(outcome)) return outcome;
  }
  return await toolbox.call(call);
}

/** The connection that a call waits for. */
export function wantedBy({ input = [] }: Pick<CallOutcome, "input">): InputRequest | undefined {
  return input.find(({ connect }) => connect && isConnectable(connect));
}

/**
 * Has the client open the page on which a person connects: the one of the server's login, or one of this process for
 * values, which the client does not see. The request comes again once the person has agreed, and waits until it is done.
 *
 * @returns the answer to the request, or what it goes on with
 */
export async function connect(options: {
  request: McpRequest;
  asked: Asked;
  wanted: Pick<InputRequest, "source" | "message">;
}): Promise<{ answer: McpAnswer } | { asked: Asked }> {
  const { request, asked, wanted } = options;
  const { source, message } = wanted;
  const { session, ctx } = request;
  const shown = `connect ${source}`;
  if (asked.shown !== shown) {
    const { href: url } = await (session.connecting.get(source) ?? begin(source, session)).open;
    const answer = inputRequired({
      inputRequests: { [QUESTION]: inputRequired.elicitUrl({ message, url }) },
      requestState: await session.codec.mint({ ...asked, shown }),
    });
    return { answer };
  }
  const said = inputResponse(ctx.mcpReq.inputResponses, QUESTION);
  if (said.kind !== "elicit" || said.action !== "accept")
    return { answer: failure(`${source}: ${message}; a person has not connected: not called`) };
  await session.connecting.get(source)?.done;
  return { asked: { ...asked, shown: "" } };
}

const QUESTION = "connect";

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
