import { MemorySaver } from "@langchain/langgraph";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PastState, stagesOf } from "../../../eval/runs/stageVisits.js";
import { type AgentGraph, compileGraph } from "../../../graphs/compile.js";
import { allGraphs } from "../../../graphs/index.js";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { NOTHING_USED, type Usage } from "../../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";

const graphs = await allGraphs();

const COT_STAGES = "intake decompose phraseSearch search act execute act respond".split(" ");

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

describe("the stages of a run", () => {
  it("are the nodes in their order, each with the model calls and tokens of its own", async () => {
    const { graph, thread } = newThread();
    await graph.invoke({ request: "Double 21" }, { ...thread, context: settings(solving) });
    const stages = stagesOf(await historyOf({ graph, thread }));
    expect(stages.map(({ stage }) => stage)).toEqual(COT_STAGES);
    const asking = stages.filter(({ modelCalls }) => modelCalls > 0);
    expect(asking.map(({ stage }) => stage)).toEqual(["decompose", "phraseSearch", "act", "act"]);
    expect(asking).toMatchObject(
      Array.from({ length: 4 }, () => ({ modelCalls: 1, inputTokens: 10 })),
    );
    expect(stages.filter((visit) => visit.embeddingTokens > 0)).toMatchObject([
      { stage: "search" },
    ]);
  });

  it("are shown once each when the run was broken off and continued", async () => {
    const { graph, thread } = newThread();
    let failures = 1;
    const failingOnce = (question: Question): Reply =>
      question.stage === "act" && failures-- > 0 ? new Error("out of order") : solving(question);
    const config = { ...thread, context: settings(failingOnce) };
    await expect(graph.invoke({ request: "Double 21" }, config)).rejects.toThrow(/out of order/);
    const brokenOff = stagesOf(await historyOf({ graph, thread }));
    expect(brokenOff.map(({ stage }) => stage)).toEqual(COT_STAGES.slice(0, 4));
    await graph.invoke(null, config);
    const whole = stagesOf(await historyOf({ graph, thread }));
    expect(whole.map(({ stage }) => stage)).toEqual(COT_STAGES);
  });

  it("are those of the branch that was taken last when the thread was forked", async () => {
    const { graph, thread } = newThread();
    const config = { ...thread, context: settings(solving) };
    await graph.invoke({ request: "Double 21" }, config);
    const history = await historyOf({ graph, thread });
    const beforeAct = history.find(({ next }) => next.includes("act"));
    await graph.invoke(null, { ...config, ...beforeAct?.config });
    const { values } = await graph.getState(thread);
    const forked = await historyOf({ graph, thread });
    expect(forked.length).toBeGreaterThan(history.length);
    const stages = stagesOf(forked);
    expect(stages.map(({ stage }) => stage)).toEqual(COT_STAGES);
    expect(sum(stages)).toEqual(plain((values as { usage: Usage }).usage));
  });

  it("are those of the last request of a thread", async () => {
    const { graph, thread } = newThread();
    const config = { ...thread, context: settings(solving) };
    await graph.invoke({ request: "Double 21" }, config);
    await graph.invoke({ request: "Double 21 again" }, config);
    const stages = stagesOf(await historyOf({ graph, thread }));
    expect(stages.map(({ stage }) => stage)).toEqual(COT_STAGES);
    expect(stages[0]).toMatchObject({ stage: "intake", modelCalls: 0, inputTokens: 0 });
  });

  it("leave out changes that were made by hand", () => {
    const usage = { ...NOTHING_USED, modelCalls: 1 };
    const history = [
      { values: {}, next: ["intake"], metadata: { source: "loop" } },
      { values: { usage: NOTHING_USED }, next: ["act"], metadata: { source: "loop" } },
      { values: { usage: NOTHING_USED }, next: ["act"], metadata: { source: "update" } },
      { values: { usage }, next: [], metadata: { source: "loop" } },
    ];
    expect(stagesOf(history).map(({ stage }) => stage)).toEqual(["intake", "act"]);
  });

  it("are none where nothing has run", () => {
    expect(stagesOf([])).toEqual([]);
    expect(stagesOf([{ values: {}, next: ["__start__"] }])).toEqual([]);
  });

  it("have used together what the last checkpoint shows", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(5_000)), { minLength: 1 }), (used) => {
        const history: PastState[] = [{ values: {}, next: ["intake"] }];
        let usage: Usage = NOTHING_USED;
        history.push({ values: { usage }, next: ["act"] });
        for (const [calls, tokens] of used) {
          const { modelCalls, inputTokens } = usage;
          usage = { ...usage, modelCalls: modelCalls + calls, inputTokens: inputTokens + tokens };
          history.push({ values: { usage }, next: ["act"] });
        }
        const stages = stagesOf(history);
        expect(stages).toHaveLength(used.length + 1);
        expect(sum(stages)).toEqual(plain(usage));
      }),
    );
  });
});

function newThread(): { graph: AgentGraph; thread: { configurable: { thread_id: string } } } {
  const { wiring } = graphs.cot_tulip;
  const graph = compileGraph(wiring, { name: "cot_tulip", checkpointer: new MemorySaver() });
  return { graph, thread: { configurable: { thread_id: "thread" } } };
}

function settings(script: (question: Question) => Reply): Record<string, unknown> {
  return { ...TEST_LIBRARY, model: scriptedModel(script).spec };
}

function solving({ stage, messages }: Question): Reply {
  if (stage === "decompose") return { subtasks: ["double a number"] };
  if (stage === "phraseSearch") return { searches: [{ subtask: 1, phrase: "double a number" }] };
  const answered = messages.at(-1)?.type === "tool";
  if (answered) return { stop: "It is 42." };
  return { calls: [{ name: "double_number", args: { value: 21 } }] };
}

async function historyOf(options: {
  graph: AgentGraph;
  thread: { configurable: { thread_id: string } };
}): Promise<PastState[]> {
  const history: PastState[] = [];
  for await (const past of options.graph.getStateHistory(options.thread)) history.unshift(past);
  return history;
}

function sum(stages: ReturnType<typeof stagesOf>): Usage {
  return stages.reduce(
    (total, visit) => ({
      modelCalls: total.modelCalls + visit.modelCalls,
      inputTokens: total.inputTokens + visit.inputTokens,
      outputTokens: total.outputTokens + visit.outputTokens,
      embeddingTokens: total.embeddingTokens + visit.embeddingTokens,
      ms: 0,
    }),
    NOTHING_USED,
  );
}

/** Times are sums of fractions and may differ in the last digit. */
function plain(usage: Usage): Usage {
  return { ...usage, ms: 0 };
}
