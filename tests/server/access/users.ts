import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import type { DataPlace } from "../../../storage/database.js";
import { AUDIENCE, ISSUER, type Pair, newPair, sign, startIssuer } from "../../fakes/issuer.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { EMBEDDINGS } from "../../tools/sources/mcp/support.js";
import { serveHere } from "../support.js";

/** What the model is to call first; then it repeats what it got. */
export function calling(tool: string, args: object = {}) {
  return scriptedModel(({ messages, tools }) => {
    const last = messages.at(-1);
    if (last?.type === "tool") return { stop: last.text };
    const name = tools.find((each) => each.endsWith(tool));
    return { calls: [{ name: name ?? tool, args, id: `call-${tool}` }] };
  }).spec;
}

const GRAPH = "minimal_tulip";

interface Waiting {
  kind: string;
  connect: { source: string; way: string; fields: string[]; path: string; message: string }[];
}

interface Values {
  answer?: string;
  __interrupt__?: { value: Waiting }[];
}

export const waits = (values: unknown) => (values as Values).__interrupt__?.[0]?.value;
export const answer = (values: unknown) => (values as Values).answer;

/** What connecting is answered with. */
export interface Connected {
  connected?: boolean;
  open?: string;
  runs?: { thread_id: string; run_id: string }[];
  message?: string;
}

export type User = Awaited<ReturnType<Awaited<ReturnType<typeof serveUsers>>["as"]>>;

/** A server for whoever has a token, with the library `team` for all. */
export async function serveUsers(place: DataPlace, policy: object = {}) {
  const pair = await newPair("one");
  const { jwks } = await startIssuer(pair);
  const policyFile = join(place.home, "serve.json");
  const jwt = { jwks, issuer: ISSUER, audience: AUDIENCE };
  writeFileSync(policyFile, JSON.stringify({ jwt, libraries: { shared: ["team"] }, ...policy }));
  const serve = async () => {
    const { url, close } = await serveHere(place, { policyFile });
    return { url, close, as: userOf(url, pair) };
  };
  return {
    ...(await serve()),
    again: serve,
    asAt: (url: string) => userOf(url, pair),
    place,
    policyFile,
  };
}

/** Of a run on the library. */
const settings = (model: string) => ({
  library: "team",
  embeddings: EMBEDDINGS,
  threshold: 4,
  model,
});

/** Gives users of a server, with tokens of their own. */
function userOf(url: string, pair: Pair) {
  return async (sub: string, scope = "run read", claims: object = {}) => {
    const token = await sign(pair, { sub, scope, ...claims });
    const authorization = `Bearer ${token}`;
    const callerOptions = { maxRetries: 0 };
    const client = new Client({ apiUrl: url, defaultHeaders: { authorization }, callerOptions });
    const send = (method: string, path: string, body?: object) =>
      fetch(`${url}${path}`, {
        method,
        headers: { authorization, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
    const connect = async (source: string, values: object = {}) => {
      const response = await send("POST", `/connections/${source}`, values);
      return { status: response.status, ...((await response.json()) as Connected) };
    };
    const ask = async (thread: string, model: string): Promise<unknown> =>
      await client.runs.wait(thread, GRAPH, {
        input: { request: "Tell who I am" },
        context: settings(model),
      });
    const resume = async (thread: string, model: string, decisions: object[]): Promise<unknown> =>
      await client.runs.wait(thread, GRAPH, {
        command: { resume: { decisions } },
        context: settings(model),
      });
    return { client, token, settings, send, connect, ask, resume };
  };
}

/** A user whose run waits for a connection. */
export async function waiting(
  { as }: Pick<Awaited<ReturnType<typeof serveUsers>>, "as">,
  sub: string,
  tool: string,
  args: object = {},
) {
  const user = await as(sub);
  const { thread_id } = await user.client.threads.create();
  const model = calling(tool, args);
  return { user, thread_id, model, first: await user.ask(thread_id, model) };
}

/** What the runs answer that go on after somebody has connected. */
export async function gone({ client }: User, { runs = [] }: Connected) {
  return await Promise.all(
    runs.map(async ({ thread_id, run_id }) => answer(await client.runs.join(thread_id, run_id))),
  );
}

/** What a browser brings back whose user agrees to everything. */
export async function agreed(open: string | undefined): Promise<URL> {
  const response = await fetch(String(open), { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "");
}

/** Finishes a login as the page does. */
export async function send(user: User, back: URL) {
  const body = { answer: back.search.slice(1) };
  const response = await user.send("POST", "/connected", body);
  return { status: response.status, ...((await response.json()) as Connected) };
}
