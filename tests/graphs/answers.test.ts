import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AIMessage } from "@langchain/core/messages";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

const graphs = await allGraphs();

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

const DOUBLE = { name: "double_number", args: { value: 21 } };

describe("an answer that twice contains values from nowhere", () => {
  it("is replaced by the one result", async () => {
    const { result } = await solve("naive_tool", [{ calls: [DOUBLE] }, { stop: "It is 24 cm." }]);
    expect(result).toMatchObject({ status: "solved", answer: "The result is 42." });
  });

  it("is not solved with the one result if a number of the request went into no call", async () => {
    const replies: Reply[] = [{ calls: [DOUBLE] }, { stop: "It is 24." }];
    const { result } = await solve("naive_tool", replies, "Double 21 and add 865");
    expect(result.status).toBe("unsolved");
    expect(result.answer).toMatch(/\b42\b/);
  });

  it("gets the results added if it says nothing of them", async () => {
    const promise = { stop: "I will now compute the result." };
    const { result, stages } = await solve("naive_tool", [{ calls: [DOUBLE] }, promise]);
    expect(stages).toEqual(["act", "act", "act"]);
    expect(result.answer).toMatch(/\b42\b/);
  });

  it("does not matter if there are no tools at all", async () => {
    const { result, stages } = await solve("base", [{ text: "It is 24." }]);
    expect(result).toMatchObject({ status: "answered", answer: "It is 24." });
    expect(stages).toEqual(["act"]);
  });
});

it.each(["naive_tool", "dfsdt"] as const)(
  "%s does not take words that only promise for the end of its work, and tells what was done instead",
  async (id) => {
    const file = join(mkdtempSync(join(tmpdir(), "answers-")), "log");
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    const write = { name: "write_line", args: { file, line: "closed" } };
    const promise = { text: "I will now close the issue." };
    const replies = ({ stage, input }: Question): Reply => {
      if (stage === "summarize") return { text: '{"answer": "closed was written."}' };
      const isDone = stage === "act" && input.observations.length > 0;
      return isDone ? promise : { calls: [write] };
    };
    const { result } = await solve(id, replies, "Write a line into a log file");
    expect(result.status).toBe("unsolved");
    expect(result.answer).toContain("closed");
    expect(result.answer).not.toContain("will");
  },
);

const both = (message: string, value = 21) => ({
  calls: [
    { name: "double_number", args: { value } },
    { name: "stop", args: { message, solved: true } },
  ],
});

describe("a model that calls again what it has called, beside its answer,", () => {
  it("has answered, because the result is known", async () => {
    const replies = [both("Twice 21 is 42."), both("Twice 21 is 42.")];
    const { result, stages } = await solve("naive_tool", replies);
    expect(result).toMatchObject({ status: "solved", answer: "Twice 21 is 42." });
    expect(stages).toEqual(["act", "act"]);
    expect(result.calls).toHaveLength(1);
  });

  it("has not where one of the calls is another", async () => {
    const replies = [both("Twice 21 is 42."), both("Twice 22 is 44.", 22), { stop: "It is 44." }];
    const { result, stages } = await solve("naive_tool", replies, "Double 21, then 22");
    expect(stages).toEqual(["act", "act", "act"]);
    expect(result.calls).toHaveLength(2);
  });
});

describe("a model that makes the same look-up again and again", () => {
  it.each(["naive_tool", "react", "dfs_tulip"] as const)(
    "%s ends soon and unsolved, with the results",
    async (id) => {
      const { result, stages } = await solve(id, circling(DOUBLE));
      expect(result.status).toBe("unsolved");
      expect(result.answer).toContain("42");
      expect(stages.filter((stage) => stage === "act").length).toBeLessThan(20);
    },
  );

  it("leads a search to its other branches, and is not an answer there", async () => {
    const request = "Double the number 21, and then halve the number 84";
    const { result, questions } = await solve("dfsdt", circling(DOUBLE), request);
    expect(result.status).not.toBe("solved");
    const attempts = questions.map(({ stage, input }) =>
      stage === "act" ? (input.search?.attempts.length ?? 0) : 0,
    );
    expect(Math.max(...attempts)).toBeGreaterThan(0);
  });

  it("may only answer in the last reply before it is ended", async () => {
    const { result, questions } = await solve("naive_tool", (question) =>
      question.tools.includes("double_number") ? { calls: [DOUBLE] } : { stop: "Twice 21 is 42." },
    );
    expect(questions.at(-1)?.tools).toEqual(["stop"]);
    expect(questions.length).toBeLessThan(7);
    expect(result).toMatchObject({ status: "solved", answer: "Twice 21 is 42." });
  });
});

it("a model that makes the same change again and again ends long before its limit of calls", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "answers-")), "log");
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const write = { name: "write_line", args: { file, line: "closed" } };
  const { result, stages } = await solve("naive_tool", circling(write), "Write lines into a log");
  expect(result.status).toBe("unsolved");
  expect(stages.filter((stage) => stage === "act").length).toBeLessThan(14);
});

describe("a reply that was cut short", () => {
  it("makes none of its calls, even complete ones", async () => {
    const { result } = await solve("naive_tool", [
      cut(`${written(DOUBLE)}\n{"message": "It is `),
      { stop: "It is unknown.", solved: false },
    ]);
    expect(result).toMatchObject({ status: "unsolved", calls: [] });
  });

  it.each([
    '{"message": "The double of 21 is ',
    '```json\n{"message": "The double of 21 is ',
    '[{"note": "x"}, {"note": ',
  ])("gives the results in words instead of data: %j", async (text) => {
    const { result } = await solve("naive_tool", [{ calls: [DOUBLE] }, cut(text)]);
    expect(result.status).toBe("limit");
    expect(result.answer).toMatch(/double_number \(value: 21\): 42/);
    expect(result.answer).not.toMatch(/[{}[\]`]/);
  });
});

describe("unusable replies that are wrong in different ways in turn", () => {
  const noAnswer = { text: '```json\n{"name": "get_user", "arguments": {"id": "Ann"}}\n```' };

  it("end the run as soon as three of one kind do", async () => {
    let at = 0;
    const inTurn = () => (at++ % 2 === 0 ? noAnswer : cut("It is the"));
    const { result, stages } = await solve("naive_tool", inTurn);
    expect(stages).toEqual(["act", "act", "act"]);
    expect(result).toMatchObject({ status: "unsolved", calls: [] });
  });

  it("are replaced by what was found before", async () => {
    const replies = [{ calls: [DOUBLE] }, cut("It"), cut("It is"), noAnswer];
    const { result } = await solve("naive_tool", replies);
    expect(result.answer).toMatch(/\b42\b/);
  });
});

describe("a search over steps", () => {
  it("is not solved if its answer leaves out a part", async () => {
    const final_answer = "42; the rest cannot be done.";
    const args = { return_type: "give_answer", final_answer, solved: false };
    const { result } = await solve("react", [
      { calls: [DOUBLE] },
      { calls: [{ name: "finish", args }] },
    ]);
    expect(result).toMatchObject({ status: "unsolved", answer: final_answer });
  });

  it("has its results worded if no branch reached an answer", async () => {
    const { result, stages } = await solve("react", ({ stage, input }) => {
      if (stage === "summarize") return { text: '{"answer": "The double is 42."}' };
      const isDone = stage === "act" && input.observations.length > 0;
      return isDone ? { giveUp: "It leads nowhere." } : { calls: [DOUBLE] };
    });
    expect(result).toMatchObject({ status: "unsolved", answer: "The double is 42." });
    expect(stages.at(-1)).toBe("summarize");
  });
});

/** A model that knows but one call. */
function circling(call: { name: string; args: Record<string, unknown> }) {
  return ({ stage }: Question): Reply => {
    if (stage === "compose") return planned("Here it is.");
    if (stage === "summarize") return { text: '{"answer": "There is 42."}' };
    return stage === "act" ? { calls: [call] } : { text: "" };
  };
}

/** A call as some models write it. */
function written({ name, args }: typeof DOUBLE): string {
  return JSON.stringify({ name, arguments: args });
}

/** A reply that met maxOutputTokens. */
function cut(content: string): Reply {
  return new AIMessage({ content, response_metadata: { finish_reason: "length" } });
}

/** A plan of one call, with an answer. */
function planned(answer: string): Reply {
  const steps = [{ tool: DOUBLE.name, args: DOUBLE.args }];
  return { text: JSON.stringify({ steps, answer, lacking: [] }) };
}

async function solve(
  id: GraphId,
  replies: Reply[] | ((question: Question) => Reply),
  request = "Double the number 21",
) {
  const model = scriptedModel(replies);
  const context = { ...TEST_LIBRARY, model: model.spec };
  const result = (await graphs[id].graph.invoke({ request }, { context })) as GraphState;
  const { questions } = model;
  return { result, questions, stages: questions.map(({ stage }) => stage) };
}
