import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import type { KeptReplies } from "../../../eval/fineTuning/keptReplies.js";
import { rewriteTasks } from "../../../eval/fineTuning/rewrite.js";
import { parseSettings } from "../../../state/settings.js";
import type { Demonstration } from "../../../memory/demonstrations/demonstrationStore.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { demonstration } from "../../memory/demonstrations/support.js";

const DOUBLE = task("Double 21.", 21);
const HALVE = task("Halve 8.", 8);

function task(text: string, value: number): Demonstration {
  return demonstration({ task: text, calls: [{ tool: "compute", args: { value }, result: 1 }] });
}

function said(request: string): Reply {
  return { text: JSON.stringify({ request }) };
}

/** Replies that are kept for as long as the test runs. */
function inMemory(): KeptReplies {
  const known = new Map<string, string>();
  return {
    find: (key) => known.get(key),
    isEmpty: () => known.size === 0,
    keep: ({ key, text }) => known.set(key, text),
    clear: () => known.clear(),
  };
}

/** Rewrites with a model that replies in this order. */
async function rewritten(options: {
  replies: Reply[];
  count: number;
  demonstrations?: Demonstration[];
  kept?: KeptReplies;
  settings?: Record<string, unknown>;
  /** Name of the model; a new one each time by default. */
  name?: string;
}) {
  const { replies, count, demonstrations = [DOUBLE, HALVE], kept = inMemory() } = options;
  const model = scriptedModel(replies, options.name);
  const settings = parseSettings({ model: model.spec, ...options.settings });
  const result = rewriteTasks({ demonstrations, count, settings, replies: kept });
  return { result: await result, questions: model.questions };
}

describe("rewording of tasks", () => {
  it("asks for one wording at a time, with the existing ones", async () => {
    const replies = ["Twice 21?", "21 times two.", "Half of 8?", "8 by two."].map(said);
    const { result, questions } = await rewritten({ replies, count: 2 });
    expect([...result.rewrites]).toEqual([
      [DOUBLE, ["Twice 21?", "21 times two."]],
      [HALVE, ["Half of 8?", "8 by two."]],
    ]);
    expect(questions.map(({ stage, input }) => [stage, input])).toMatchObject([
      ["rewrite", { request: "Double 21.", taken: ["Double 21."] }],
      ["rewrite", { request: "Double 21.", taken: ["Double 21.", "Twice 21?"] }],
      ["rewrite", { request: "Halve 8.", taken: ["Halve 8."] }],
      ["rewrite", { request: "Halve 8.", taken: ["Halve 8.", "Half of 8?"] }],
    ]);
    expect(result.figures).toMatchObject({
      made: 4,
      dropped: { duplicate: 0, lostLiteral: 0, unusable: 0, limit: 0 },
      usage: { modelCalls: 4, inputTokens: 40, outputTokens: 8 },
    });
  });

  it("drops and counts wordings that exist already, lose a value or cannot be read", async () => {
    const refusal = new AIMessage({ content: "", additional_kwargs: { refusal: "No." } });
    const replies = [
      said("double 21"),
      said("HALVE 8!"),
      said("Twice it."),
      { text: "Twice 21." },
      refusal,
      said("Twice 21."),
    ];
    const one = { replies: [...replies, said("Half of 8.")], count: 6 };
    const { result } = await rewritten(one);
    expect(result.rewrites.get(DOUBLE)).toEqual(["Twice 21."]);
    expect(result.rewrites.get(HALVE)).toEqual(["Half of 8."]);
    expect(result.figures).toMatchObject({
      made: 2,
      // The last reply is repeated.
      dropped: { duplicate: 2 + 5, lostLiteral: 1, unusable: 2, limit: 0 },
      usage: { modelCalls: 12 },
    });
  });

  it("ends at the limit of a run, task by task", async () => {
    const replies = ["Twice 21?", "21 times two.", "Half of 8?", "8 by two."].map(said);
    const settings = { maxModelCalls: 2 };
    const { result, questions } = await rewritten({ replies, count: 5, settings });
    expect(questions).toHaveLength(4);
    expect(result.figures).toMatchObject({ made: 4, dropped: { limit: 6 } });
  });

  it("continues after a failure with the kept replies, to the same result", async () => {
    const replies = ["Twice 21?", "Twice 21?", "Half of 8?", "8 by two."].map(said);
    const whole = await rewritten({ replies, count: 2 });
    const same = { count: 2, kept: inMemory(), name: "broken off" };
    const broken = [...replies.slice(0, 3), new Error("out of order")];
    await expect(rewritten({ ...same, replies: broken })).rejects.toThrow(/out of order/);
    const rest = await rewritten({ ...same, replies: replies.slice(3) });
    expect(rest.questions).toHaveLength(1);
    expect([...rest.result.rewrites]).toEqual([...whole.result.rewrites]);
    expect(rest.result.figures.dropped).toEqual(whole.result.figures.dropped);
    expect(rest.result.figures.usage.modelCalls).toBe(1);
  });

  it("does not use kept replies of another model or for another background", async () => {
    const kept = inMemory();
    const once = { replies: [said("Twice 21?")], count: 1, demonstrations: [DOUBLE], kept };
    await rewritten(once);
    for (const settings of [{}, { background: "Today is Monday." }]) {
      expect((await rewritten({ ...once, settings })).questions).toHaveLength(1);
    }
  });
});
