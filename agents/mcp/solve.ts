import { Command, type StateSnapshot } from "@langchain/langgraph";
import { z } from "zod";
import { LONGEST_REQUEST } from "../../common/bounds.js";
import { compileGraph } from "../../graphs/compile.js";
import { DEFAULT_GRAPH, loadGraph } from "../../graphs/index.js";
import type { ReviewRequest } from "../../nodes/shared/askDecisions.js";
import type { GraphState } from "../../state/state.js";
import { type WantedConnection, isConnectable } from "../../tools/runtime/calls/callOutcome.js";
import { type HeldCall, approve } from "./approve.js";
import { connect } from "./connect.js";
import {
  type Asked,
  type McpAnswer,
  type McpRequest,
  askedBefore,
  canOpen,
  failure,
  progressOf,
  resultOf,
} from "./session.js";

export const solveArguments = z.object({
  request: z.string().trim().min(1).max(LONGEST_REQUEST).describe("What to do, in plain words"),
});

export const solvedForm = z.object({
  answer: z.string(),
  status: z.string(),
  thread: z.string().describe("For tulipgraph threads, and resume"),
});

/**
 * Answers `solve`: runs the default graph on a thread of its own. If the run waits for a person, the request is
 * answered with the question, and the run goes on when the request comes again.
 */
export async function solve(
  { request: text }: z.infer<typeof solveArguments>,
  request: McpRequest,
): Promise<McpAnswer> {
  const isNew = request.ctx.mcpReq.requestState() === undefined;
  let asked = askedBefore(request);
  const thread = asked.id;
  const run = await runOn(thread, request);
  if (isNew) await run.follow({ request: text });
  while (true) {
    const state = await run.state();
    const waiting = waitingFor(state);
    if (!waiting) return answerOf(state, thread);
    const decided = await decidedOn(waiting, { request, asked });
    if ("answer" in decided) return decided.answer;
    ({ asked } = decided);
    await run.follow(new Command({ resume: { decisions: waiting.decisions } }));
  }
}

async function runOn(thread: string, { session, ctx }: McpRequest) {
  const { toolbox, allowWrites, model } = session;
  const { workspace, settings } = toolbox;
  const { wiring } = await loadGraph(DEFAULT_GRAPH);
  const checkpointer = workspace.checkpoints().saver;
  const graph = compileGraph(wiring, { name: DEFAULT_GRAPH, checkpointer, workspace });
  const { library, embeddings } = settings;
  const config = {
    configurable: { thread_id: thread },
    context: { library, embeddings, model, approval: allowWrites ? "none" : "plan" },
    signal: ctx.mcpReq.signal,
  };
  return {
    state: () => graph.getState(config),
    async follow(input: Command | { request: string }) {
      const progress = progressOf(ctx);
      try {
        const updates = await graph.stream(input, { ...config, streamMode: "updates" });
        for await (const update of updates) progress.tell(Object.keys(update).join(", "));
      } finally {
        progress.stop();
      }
    },
  };
}

/** Whoever reads the text alone must not take the answer for something that was done. */
const ANSWERED = "(No tool was called, and nothing was done.)";

function answerOf({ values }: StateSnapshot, thread: string): McpAnswer {
  const { answer, status } = values as GraphState;
  if (status === "answered") return resultOf({ answer, status, thread }, `${ANSWERED} ${answer}`);
  if (status !== "solved" && status !== "planned") return failure(`${status}: ${answer}`);
  return resultOf({ answer, status, thread }, answer);
}

/** What a run waits for, with the decisions with which it goes on once a person agrees. */
interface Waiting extends Pick<ReviewRequest, "kind"> {
  calls: HeldCall[];
  connects: (Pick<WantedConnection, "way"> & { source: string; message: string })[];
  decisions: object[];
}

function waitingFor({ tasks }: StateSnapshot): Waiting | undefined {
  const [value] = tasks.flatMap(({ interrupts }) =>
    interrupts.map((each) => each.value as ReviewRequest & { connect?: Waiting["connects"] }),
  );
  if (value === undefined) return undefined;
  const { kind, actionRequests, connect: connects = [] } = value;
  const calls = actionRequests.map(({ name, args }) => ({ tool: name, args }));
  const decisions = actionRequests.map((action) =>
    kind === "connect" ? { type: "edit", editedAction: action } : { type: "approve" },
  );
  return { kind, calls, connects, decisions };
}

/** Asks a person what the client can ask. */
async function decidedOn(
  { kind, calls, connects }: Waiting,
  given: { request: McpRequest; asked: Asked },
): Promise<{ answer: McpAnswer } | { asked: Asked }> {
  if (kind === "approval" || kind === "writes") return await approve({ ...given, calls });
  const wanted = connects.find(isConnectable);
  if (wanted && canOpen(given.request)) return await connect({ ...given, wanted });
  const logins = connects.map(({ source }) => `tulipgraph tools login ${source}`);
  const first =
    kind === "connect"
      ? `a person has to connect first: ${logins.join(", ")}`
      : "a person has to decide";
  const later = `then go on with: tulipgraph resume ${given.asked.id}`;
  return { answer: failure(`${first}; ${later}`) };
}
