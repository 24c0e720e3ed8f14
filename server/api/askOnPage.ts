import { setTimeout as sleep } from "node:timers/promises";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import type { AgentGraph } from "../../graphs/compile.js";
import { addOwnGraph } from "../../graphs/projects.js";
import { askCalls, askInput } from "../../nodes/acting/askInput.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import type { InputAnswer, InputRequest } from "../../tools/remote.js";
import type { Caller } from "../access/caller.js";
import { orderOf, type RunRow, threadRow } from "../runs/runRow.js";
import { ON_PAGE } from "./assistantRows.js";
import { type Served, createRun } from "./createRun.js";
import { runForm } from "./runForm.js";

/** How often it is looked whether somebody has decided, and how long a decision counts, in milliseconds. */
const LOOK_MS = 500;
const COUNTS_MS = 3_600_000;

const State = Annotation.Root({
  question: Annotation<InputRequest>,
  answer: Annotation<InputAnswer>,
});

/** Makes the graph known whose runs wait for a person on the page, as an agent's do. */
export function openPageQuestions(): void {
  const graph = new StateGraph(State)
    .addNode("ask", ({ question }) => ({ answer: answerTo(question) }))
    .addEdge(START, "ask")
    .addEdge("ask", END)
    .compile();
  addOwnGraph(ON_PAGE, graph as unknown as AgentGraph, "Waits for a person on the page");
}

function answerTo(question: InputRequest): InputAnswer | undefined {
  return (question.calls ? askCalls([question]) : askInput([question]))[0];
}

/**
 * Asks a caller's people on the page, and waits for the answer. If nobody answers in time, the question stays open: the
 * same one, asked within the hour, gets the answer given meanwhile, once.
 *
 * @param options.ms how long to wait
 * @returns undefined if nobody has answered
 */
export async function askOnPage(options: {
  server: Served;
  caller: Caller;
  question: InputRequest;
  ms: number;
  signal: AbortSignal;
}): Promise<InputAnswer | undefined> {
  const { server, question, ms, signal } = options;
  const run = await asking(options);
  const until = Date.now() + ms;
  while (Date.now() < until && !signal.aborted) {
    const answer = await answerOf(server, run);
    if (answer && (await isUsed(server, run))) return { ...answer, id: question.id };
    if (answer) return await askOnPage(options);
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** The run that asks it: one that has not been used, or a new one. */
export async function asking(options: {
  server: Served;
  caller: Caller;
  question: InputRequest;
}): Promise<RunRow> {
  const { server, caller, question } = options;
  const asked = subjectOf(question);
  const key = sha256(canonicalJson([caller.owner, caller.id, asked]));
  const { db } = server.data;
  const since = (await server.data.now()) - COUNTS_MS;
  const known = await db
    .selectFrom("runs")
    .selectAll()
    .where("owner", "=", caller.owner)
    .where("caller", "=", caller.id)
    .where("created_at", ">", since)
    .where("metadata", "=", JSON.stringify({ asks: key }))
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  // Whoever starts a run may say anything of it, so what it asks is looked at, too.
  const { graph_id, input } = known ? orderOf(known) : {};
  const { question: before } = Object(input) as { question?: InputRequest };
  const isSame =
    graph_id === ON_PAGE &&
    before !== undefined &&
    canonicalJson(subjectOf(before)) === canonicalJson(asked);
  if (known && isSame) return known;
  const form = runForm.parse({
    assistant_id: ON_PAGE,
    input: { question },
    metadata: { asks: key },
    on_completion: "keep",
  });
  return await createRun({ server, caller, form, isStreamed: false });
}

/** What a question is about, whichever request asks it. */
function subjectOf({ id: _id, callId: _call, ...asked }: InputRequest) {
  return asked;
}

/** What a person has answered on the run's thread. */
async function answerOf(server: Served, run: RunRow): Promise<InputAnswer | undefined> {
  const thread = await threadRow(server.data, run.thread_id);
  if (!thread) throw new Error("the question was deleted on the page, so nothing was called");
  if (thread.status !== "idle") return undefined;
  const graph = await server.runs.graphs.open(ON_PAGE);
  const state = await graph.getState({ configurable: { thread_id: run.thread_id } });
  return (state.values as typeof State.State).answer;
}

/** Uses the answer up, unless somebody else has. */
async function isUsed(server: Served, run: RunRow): Promise<boolean> {
  const { numUpdatedRows } = await server.data.db
    .updateTable("runs")
    .set({ metadata: "{}" })
    .where("run_id", "=", run.run_id)
    .where("metadata", "=", run.metadata)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
