import { existsSync } from "node:fs";
import { join } from "node:path";
import { AIMessage } from "@langchain/core/messages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import { temporaryFolder } from "../cli/support.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

const graphs = await allGraphs();

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

const ASKING = 'stop("Shall I write it?");';

/** A file that must not be written, with a program and a call that would. */
function draftOfWrite() {
  const file = join(temporaryFolder(), "log.txt");
  const args = { file, line: "draft" };
  const code = `await write_line(${JSON.stringify(args)});\nreturn "Written.";`;
  return { file, code, call: { name: "write_line", args }, block: block(code) };
}

function block(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}

describe("a draft of a program", () => {
  it.each<[string, (draft: string) => string]>([
    ["thoughts before a question", (draft) => `<think>\n${draft}\nNo.\n</think>\n${block(ASKING)}`],
    ["thoughts without a first mark", (draft) => `${draft}\nNo.\n</think>\n${block(ASKING)}`],
    ["thoughts before a bare program", (draft) => `<think>${draft}\nNo.</think>\n${ASKING}`],
    [
      "an analysis in harmony",
      (draft) =>
        `<|channel|>analysis<|message|>${draft}<|end|><|start|>assistant<|channel|>final<|message|>${block(ASKING)}`,
    ],
    ["prose before a question", (draft) => `First:\n${draft}\nNo, ask:\n${block(ASKING)}`],
  ])("is not run, and the question is shown: %s", async (_, written) => {
    const { file, block: draft } = draftOfWrite();
    const { result } = await solve("tulip", [{ text: written(draft) }]);
    expect(result).toMatchObject({ status: "unsolved", answer: "Shall I write it?", calls: [] });
    expect(existsSync(file)).toBe(false);
  });

  it.each<[string, (draft: string) => string]>([
    [
      "thoughts before a question in prose",
      (draft) => `<think>${draft}</think>\nShall I write it?`,
    ],
    ["thoughts that do not end", (draft) => `<think>\n${draft}\nBut`],
    ["a program before a question in prose", (draft) => `${draft}\nShould I really write this?`],
    [
      "a program that is not to be written",
      (draft) => `${block(ASKING)}\nDo not write this, it asks nobody:\n${draft}`,
    ],
  ])("is not run, and the model is asked again: %s", async (_, written) => {
    const { file, block: draft } = draftOfWrite();
    const { result, stages } = await solve("tulip", [{ text: written(draft) }, { text: ASKING }]);
    expect(stages).toEqual(["writeProgram", "writeProgram"]);
    expect(result).toMatchObject({ answer: "Shall I write it?", calls: [] });
    expect(existsSync(file)).toBe(false);
  });
});

describe("thoughts", () => {
  it("are no answer to look()", async () => {
    const { file, code } = draftOfWrite();
    const asking = `const hello = await greet({ person: "Ada" });\nconst said = await look(hello, "Is it so?");\nif (!said.includes("yes")) stop("It is not so.");\n${code}`;
    const { result } = await solve("tulip", ({ stage }) =>
      stage === "look" ? { text: "<think>yes, were it not for b</think>\nNo" } : { text: asking },
    );
    expect(result.answer).toBe("It is not so.");
    expect(existsSync(file)).toBe(false);
  });

  it("are no part of an answer, nor of the conversation", async () => {
    const { result } = await solve("base", [{ text: "<think>A greeting.</think>\n\nHello!" }]);
    expect(result.answer).toBe("Hello!");
    expect(JSON.stringify(result.messages)).not.toContain("greeting");
  });

  it("are no JSON reply", async () => {
    const { stages } = await solve("cot_tulip", ({ stage }) => {
      if (stage === "decompose")
        return { text: '<think>{"subtasks": ["x"]}</think>{"subtasks": ["double a number"]}' };
      return stage === "act" ? { stop: "No.", solved: false } : { text: "" };
    });
    expect(stages.filter((stage) => stage === "decompose")).toHaveLength(1);
  });
});

describe("an unfinished reply", () => {
  it.each<[string, GraphId]>([
    ["a program", "tulip"],
    ["calls", "naive_tool"],
    ["calls of a search over steps", "react"],
    ["a plan", "iit_main"],
  ])("has nothing done, and the model is told so: %s", async (_, id) => {
    const { file, code, call } = draftOfWrite();
    const { result, questions } = await solve(id, () => cut(code, call));
    expect(existsSync(file)).toBe(false);
    expect(result).toMatchObject({ status: "limit", calls: [] });
    expect(questions.at(1)?.messages.at(-1)?.text).toMatch(/cut off after 12 tokens/);
    expect(result.answer).toMatch(/12 tokens.*maxOutputTokens \(now 4096\)/);
  });

  it("has no answer, and may be followed by a whole one", async () => {
    const { result } = await solve("base", [cut("It is 2"), { text: "It is 24." }]);
    expect(result).toMatchObject({ status: "answered", answer: "It is 24." });
  });

  it.each(["content_filter", "error"])("has another reason than its length: %s", async (reason) => {
    const { result, questions } = await solve("base", () => cut("It is", undefined, reason));
    expect(result.status).toBe("error");
    expect(result.answer).not.toContain("maxOutputTokens");
    expect(questions).toHaveLength(3);
  });
});

function cut(content: string, call?: { name: string; args: object }, reason = "length"): Reply {
  return new AIMessage({
    content: call ? "" : content,
    tool_calls: call ? [{ id: "c", name: call.name, args: { ...call.args } }] : [],
    response_metadata: { finish_reason: reason },
    usage_metadata: { input_tokens: 10, output_tokens: 12, total_tokens: 22 },
  });
}

async function solve(id: GraphId, replies: Reply[] | ((question: Question) => Reply)) {
  const model = scriptedModel(replies);
  const context = { ...TEST_LIBRARY, model: model.spec };
  const request = "Double the number 21 and write a line into a log file";
  const result = (await graphs[id].graph.invoke({ request }, { context })) as GraphState;
  const { questions } = model;
  return { result, questions, stages: questions.map(({ stage }) => stage) };
}
