import { Command, type StateSnapshot } from "@langchain/langgraph";
import { z } from "zod";
import { LONGEST_REQUEST } from "../../common/bounds.js";
import { compileGraph } from "../../graphs/compile.js";
import { DEFAULT_GRAPH, loadGraph } from "../../graphs/index.js";
import type { ReviewRequest } from "../../nodes/shared/askDecisions.js";
import type { GraphState } from "../../state/state.js";
import { type HeldCall, approve } from "./approve.js";
import {
  type McpAnswer,
  type McpRequest,
  askedBefore,
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
    const waiting = waitingCalls(state);
    if (!waiting) return answerOf(state, thread);
    if ("other" in waiting)
      return failure(`${waiting.other}; then go on with: tulipgraph resume ${thread}`);
    const approved = await approve({ request, asked, calls: waiting.calls });
    if ("answer" in approved) return approved.answer;
    ({ asked } = approved);
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

/** The calls that a run waits to have approved, with the decisions that approve them; `other`: what else it waits for. */
function waitingCalls({
  tasks,
}: StateSnapshot): { calls: HeldCall[]; decisions: object[] } | { other: string } | undefined {
  const [value] = tasks.flatMap(({ interrupts }) =>
    interrupts.map((each) => each.value as unknown),
  );
  if (value === undefined) return undefined;
  const {
    kind,
    actionRequests,
    connect = [],
  } = value as ReviewRequest & {
    connect?: { source: string }[];
  };
  if (kind === "connect") {
    const logins = connect.map(({ source }) => `tulipgraph tools login ${source}`);
    return { other: `a person has to connect first: ${logins.join(", ")}` };
  }
  if (kind !== "approval" && kind !== "writes") return { other: "a person has to decide" };
  return {
    calls: actionRequests.map(({ name, args }) => ({ tool: name, args })),
    decisions: actionRequests.map(() => ({ type: "approve" })),
  };
}
