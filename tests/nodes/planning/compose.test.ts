import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allGraphs } from "../../../graphs/index.js";
import { importTools } from "../../../workspace/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../../workspace/workspace.js";
import type { GraphState } from "../../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";

const graphs = await allGraphs();

const LIBRARY = { ...TEST_LIBRARY, library: "orders", threshold: 0, primingTopK: 1, topK: 1 };

beforeAll(async () => {
  await importTools({
    store: openWorkspace().store,
    context: LIBRARY,
    file: "tests/fixtures/orders/tools.ts",
    description: "Orders",
  });
});

afterAll(closeWorkspaces);

describe("a cue", () => {
  /** Beyond the budget: what to leave out is for the model to say. */
  const FAULTY = plan({ steps: [converted(1), converted(2)], answer: "x" });
  const CUE = {
    text: JSON.stringify({ accepted: false, cue: "Convert once." }),
  };
  const LACKING = plan({
    steps: [],
    answer: "",
    lacking: ["convert an amount from euros to dollars"],
  });

  it("is shown with the plan it is about, and not with the next plan", async () => {
    const { model, result } = await solve([
      FAULTY,
      CUE,
      LACKING,
      { text: "{ this is no plan" },
      plan({ steps: [converted(4)], answer: "$$PREV[0]" }),
    ]);
    expect(failedAt(model)).toEqual([undefined, "Convert once.", undefined, undefined]);
    expect(result.status).toBe("solved");
  });

  it("still counts among those that the run may have", async () => {
    const { model } = await solve([FAULTY, CUE, LACKING, FAULTY, CUE, FAULTY, { stop: "No." }]);
    expect(model.questions.map(({ stage }) => stage)).toEqual([
      "compose",
      "reflect",
      "compose",
      "compose",
      "reflect",
      "compose",
      "act",
    ]);
  });
});

it.each(["none", "None.", "nothing", "n/a", "N/A", "-", "no", "null", "[]", "nothing is lacking"])(
  "finds no gap if a plan lacks %j",
  async (nothing) => {
    const { model, result } = await solve([
      plan({
        steps: [{ tool: "list_orders", args: { customer: "Mira" } }],
        answer: "$$PREV[0][0].id",
        lacking: [nothing],
      }),
    ]);
    expect(model.questions.map(({ stage }) => stage)).toEqual(["compose"]);
    expect(result).toMatchObject({ status: "solved", plan: { lacking: [] } });
  },
);

function converted(euros: number) {
  return { tool: "euros_to_dollars", args: { euros } };
}

function plan(written: { steps: object[]; answer: string; lacking?: string[] }): Reply {
  return { text: JSON.stringify({ thought: "As planned.", lacking: [], ...written }) };
}

async function solve(replies: Reply[]) {
  const model = scriptedModel(replies);
  const request = "List the orders of the customer Mira";
  const context = { ...LIBRARY, model: model.spec, budget: 4 };
  const result = (await graphs.steps_tulip.graph.invoke({ request }, { context })) as GraphState;
  return { model, result };
}

function failedAt({ questions }: { questions: Question[] }) {
  return questions.flatMap((question) =>
    question.stage === "compose" ? [question.input.failed?.cue] : [],
  );
}
