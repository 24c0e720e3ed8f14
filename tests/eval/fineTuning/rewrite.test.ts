import { AIMessage } from "@langchain/core/messages";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lostLiterals, rewriteTasks } from "../../../eval/fineTuning/rewrite.js";
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

/** Rewrites both tasks with a model that replies in this order. */
async function rewritten(replies: Reply[], count: number, settings: Record<string, unknown> = {}) {
  const { spec: model, questions } = scriptedModel(replies);
  const demonstrations = [DOUBLE, HALVE];
  const parsed = parseSettings({ model, background: "Today is Monday.", ...settings });
  return { ...(await rewriteTasks({ demonstrations, count, settings: parsed })), questions };
}

const FOUR = ["Twice 21?", "21 times two.", "Half of 8?", "8 by two."].map(said);

describe("rewording of tasks", () => {
  it("asks for one wording at a time, with the existing ones", async () => {
    const { rewrites, figures, questions } = await rewritten(FOUR, 2);
    expect([...rewrites]).toEqual([
      [DOUBLE, ["Twice 21?", "21 times two."]],
      [HALVE, ["Half of 8?", "8 by two."]],
    ]);
    expect(questions.map(({ stage, input }) => [stage, input])).toMatchObject([
      ["rewrite", { request: "Double 21.", taken: ["Double 21."] }],
      ["rewrite", { request: "Double 21.", taken: ["Double 21.", "Twice 21?"] }],
      ["rewrite", { request: "Halve 8.", taken: ["Halve 8."] }],
      ["rewrite", { request: "Halve 8.", taken: ["Halve 8.", "Half of 8?"] }],
    ]);
    const [system, asked] = questions[1]?.messages ?? [];
    expect(system?.text).toMatch(/Today is Monday\.$/);
    expect(asked?.text).toBe("Request: Double 21.\n\nWordings that exist:\n- Twice 21?");
    expect(figures).toMatchObject({
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
      said("Half of 8."),
    ];
    const { rewrites, figures } = await rewritten(replies, 6);
    expect(rewrites.get(DOUBLE)).toEqual(["Twice 21."]);
    expect(rewrites.get(HALVE)).toEqual(["Half of 8."]);
    expect(figures).toMatchObject({
      made: 2,
      // The last reply is repeated.
      dropped: { duplicate: 2 + 5, lostLiteral: 1, unusable: 2, limit: 0 },
      usage: { modelCalls: 12 },
    });
  });

  it("ends at the limit of a run, task by task", async () => {
    const { figures, questions } = await rewritten(FOUR, 5, { maxModelCalls: 2 });
    expect(questions).toHaveLength(4);
    expect(figures).toMatchObject({ made: 4, dropped: { limit: 6 } });
  });
});

/** The argument values of one call that a wording has lost. */
function lost(request: string, wording: string, args: Record<string, unknown>) {
  return lostLiterals({ task: request, calls: [{ args }] }, wording);
}

describe("values of calls that another wording has lost", () => {
  it.each([
    ["a number", "Double 21.", "Twice 12, please.", { value: 21 }, [21]],
    ["an id with more behind it", "Close TKT-2.", "Close TKT-21.", { id: "TKT-2" }, ["TKT-2"]],
    ["capitals", "Ask Ada Byron.", "ask ada byron", { who: "Ada Byron" }, ["Ada Byron"]],
    ["order", 'Say "this now".', 'Tell them "now this".', { text: "this now" }, ["this now"]],
    ["another form", "It is in review.", "It waits.", { s: "in_review" }, ["in_review"]],
    ["a value within a value", "Add 3 to x.", "Add it to x.", { at: { by: [3, "x"] } }, [3]],
    ["not: a number in words", "Double 7.", "Twice seven.", { value: 7 }, []],
    ["not: the beginning", "Take the blocker.", "Blocker: take it.", { p: "blocker" }, []],
    ["not: in other words", "It is in review.", "Review it is in.", { s: "in_review" }, []],
    ["not: never said", "Mine?", "Whose is mine?", { user: "USER-1", most: 50 }, []],
    ["not: truth values and blanks", "Go on.", "Continue.", { a: true, b: null, c: " " }, []],
  ])("are found: %s", (_what, request, wording, args, expected) => {
    expect(lost(request, wording, args)).toEqual(expected);
  });

  it("are none if the wording contains the request, and all if it is empty", () => {
    const words = fc.array(fc.stringMatching(/^[A-Z][a-z]{1,8}-\d{1,3}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, (ids) => {
        const request = `Look at ${ids.join(" and ")}.`;
        expect(lost(request, `Please: ${request} Thanks!`, { ids })).toEqual([]);
        expect(lost(request, "Please look.", { ids })).toEqual([...new Set(ids)]);
      }),
    );
  });
});
