import { allOf } from "../../memory/support.js";
import { AIMessage } from "@langchain/core/messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { saveClassifier, trainJudge } from "../../../memory/classifier.js";
import type { PastCall } from "../../../memory/experience.js";
import { namedEmbeddings } from "../../../models/embeddings/embeddings.js";
import { judge } from "../../../nodes/acting/judge.js";
import { closeWorkspaces, openWorkspace } from "../../../home/workspace.js";
import type { SettingsInput } from "../../../state/settings.js";
import type { Call, GraphState } from "../../../state/state.js";
import { emptyState } from "../../fakes/emptyState.js";
import { type ScriptedModel, scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";
import { judgedCalls } from "../../memory/pastCallFixture.js";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

const REQUEST = "Double 4";

function call(more: Partial<Call> = {}): Call {
  return {
    id: "c1",
    tool: "double_number",
    args: { value: 4 },
    result: 8,
    ms: 5,
    cost: 2,
    ...more,
  };
}

const FAILED = call({ id: "c2", tool: "break_down", result: undefined, error: "Error: broken" });
const REFUSED = call({ id: "c3", result: undefined, error: "unknown tool", refused: true, ms: 0 });

function stateWith(calls: Call[], more: Partial<GraphState> = {}): GraphState {
  return emptyState({ calls, run: { id: "run", request: REQUEST }, ...more });
}

async function visit(state: GraphState, settings: SettingsInput & { thread?: string } = {}) {
  const { thread = "thread", ...context } = settings;
  return judge()(state, {
    configurable: { thread_id: thread },
    context: { ...TEST_LIBRARY, ...context },
  });
}

async function verdictsOf(calls: Call[], settings: SettingsInput = {}) {
  const update = await visit(stateWith(calls), settings);
  return (update.calls as Call[]).map(({ helpful }) => helpful);
}

describe("judging by rule", () => {
  it("counts a call with a result as helpful, a failed one as unhelpful, a refused one as neither", async () => {
    const nothing = call({ id: "c4", result: undefined });
    expect(await verdictsOf([call(), FAILED, REFUSED, nothing])).toEqual([true, false, null, true]);
  });
});

describe("judging by a model", () => {
  it.each([
    ["false", false],
    ['"yes"', true],
    ['"No"', false],
    ['"perhaps"', null],
    ["null", null],
  ])("reads the verdict %s as %s", async (text, verdict) => {
    const { spec } = verdictModel(text);
    expect(await verdictsOf([call()], { judge: "model", model: spec })).toEqual([verdict]);
  });

  it.each([
    ["a reply that is not JSON", { text: "It was helpful." }],
    ["an empty reply", { text: "" }],
    [
      "a refusal",
      new AIMessage({ content: "", additional_kwargs: { refusal: "I will not judge this." } }),
    ],
    [
      "a verdict in a reply that was cut off",
      new AIMessage({
        content: '{"reason": "It is so.", "helpful": true}',
        response_metadata: { finish_reason: "length" },
      }),
    ],
  ])("takes %s as no verdict and continues", async (_what, reply) => {
    const model = scriptedModel([reply]);
    const update = await visit(stateWith([call()]), { judge: "model", model: model.spec });
    expect(update).toMatchObject({ calls: [{ helpful: null }], usage: { modelCalls: 1 } });
    expect(update).not.toHaveProperty("status");
    expect(update).not.toHaveProperty("repair");
  });

  it("gives no verdict, not even on a failed call, if nobody judges", async () => {
    const update = await visit(stateWith([FAILED, call()]), { judge: "none" });
    expect(update.calls?.map(({ helpful }) => helpful)).toEqual([null, null]);
  });

  it("goes on without verdicts, and keeps no experience, if the model fails", async () => {
    const model = scriptedModel([new Error("the judge is down")]);
    const settings = { judge: "model", model: model.spec, remember: true, thread: "down" } as const;
    const update = await visit(stateWith([call(), call({ id: "c9" })]), settings);
    expect(update.calls).toMatchObject([{ helpful: null }, { helpful: null }]);
    expect(update).not.toHaveProperty("status");
    expect(await remembered("down")).toEqual([]);
    expect(model.questions).toHaveLength(1);
  });

  it("ends the run at a limit, with the verdicts that need no model", async () => {
    const model = verdictModel("true");
    const used = { modelCalls: 1, inputTokens: 0, outputTokens: 0, embeddingTokens: 0, ms: 0 };
    const update = await visit(stateWith([FAILED, call()], { usage: used }), {
      judge: "model",
      model: model.spec,
      maxModelCalls: 1,
    });
    expect(update).toMatchObject({ status: "limit", calls: [{ helpful: false }, {}] });
    expect((update.calls as Call[])[1]).not.toHaveProperty("helpful");
    expect(model.questions).toEqual([]);
  });
});

describe("judging by a classifier", () => {
  it("is refused in one line if none was trained", async () => {
    await expect(verdictsOf([call()], { judge: "classifier" })).rejects.toThrow(
      /^judge: "classifier" cannot be used: no classifier .* words:hashed\. Train one with: /,
    );
  });

  it("judges all calls at once, failed ones by rule, and counts what it embeds", async () => {
    const name = TEST_LIBRARY.embeddings;
    const classifier = await trainJudge({
      pastCalls: judgedCalls(40),
      embeddings: await namedEmbeddings(name),
    });
    saveClassifier({ home: openWorkspace().home, classifier });
    const [good, bad] = judgedCalls(100).slice(-2);
    const calls = [
      call({ tool: "get_weather", args: { city: "Oslo" }, result: good?.result }),
      FAILED,
      call({ id: "c9", tool: "get_weather", args: { city: "Oslo" }, result: bad?.result }),
    ];
    const run = { id: "run", request: good?.query ?? "" };
    const update = await visit(stateWith(calls, { run }), { judge: "classifier" });
    expect((update.calls as Call[]).map(({ helpful }) => helpful)).toEqual([true, false, false]);
    expect(update.usage).toMatchObject({ modelCalls: 0, embeddingTokens: expect.any(Number) });
    expect(Object(update.usage).embeddingTokens).toBeGreaterThan(0);
  });
});

describe("calls that are to be remembered", () => {
  it("become experience once they are judged, except refused ones", async () => {
    const calls = [call(), FAILED, REFUSED, call({ id: "c10", result: { text: "Hi" } })];
    await visit(stateWith(calls), { remember: true, thread: "kept" });
    expect(await remembered("kept")).toMatchObject([
      {
        id: "kept/c1",
        library: TEST_LIBRARY.library,
        query: REQUEST,
        tool: "double_number",
        args: { value: 4 },
        result: "8",
        failed: false,
        helpful: true,
        judgedBy: "rule",
        cost: 2,
        ms: 5,
      },
      { id: "kept/c2", result: "Error: broken", failed: true, helpful: false, judgedBy: "rule" },
      { id: "kept/c10", result: '{"text":"Hi"}' },
    ]);
  });

  it("are added once, however often the visit is repeated", async () => {
    const state = stateWith([call(), FAILED]);
    await visit(state, { remember: true, thread: "twice" });
    await visit(state, { remember: true, thread: "twice" });
    expect(await remembered("twice")).toHaveLength(2);
  });
});

async function remembered(thread: string): Promise<PastCall[]> {
  const calls = await allOf((await openWorkspace().experience()).pastCalls());
  return calls.filter(({ id }) => id.startsWith(`${thread}/`));
}

function verdictModel(verdict: string): ScriptedModel {
  return scriptedModel([{ text: `{"reason": "It says so.", "helpful": ${verdict}}` }]);
}
