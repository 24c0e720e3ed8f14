import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readRequests } from "../../../eval/retrieval/labelledRequests.js";
import { DEMONSTRATION_LINES } from "../../../memory/demonstrations/demonstrationFile.js";
import { readLine } from "../../../memory/jsonLinesFile.js";
import { verifyPlan } from "../../../plans/steps/verifyPlan.js";
import { closeWorkspaces, openWorkspace } from "../../../nodes/workspace/workspace.js";
import { shippedWorld } from "../../../tools/catalogs/work/world.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";
import { playPlan } from "../benchmarks/work/playPlan.js";
import { openDatabase } from "../../../storage/sqlite.js";
import { catalogTools } from "../../tools/catalogs/support.js";
import { generate, joinSteps, linesIn } from "./support.js";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-pairs-"));
  file = join(folder, "pairs.jsonl");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});
afterAll(closeWorkspaces);

function threadsLeft(): unknown {
  const db = openDatabase({ file: join(openWorkspace().home, "checkpoints.db") });
  const left = db.prepare("SELECT count(*) AS count FROM checkpoints").get();
  db.close();
  return left;
}

describe("pairs of the method flow", () => {
  it("have plans that type-check, and run to the recorded results and answers.", async () => {
    const model = scriptedModel(joinSteps).spec;
    const tools = new Map((await catalogTools("work")).map((tool) => [tool.id, tool]));
    await generate({ file, model, count: 2, library: "work" });
    const lines = linesIn(file);
    expect(lines).toHaveLength(2);
    for (const { plan, calls, answer } of lines) {
      const checked = verifyPlan({ plan, tools: [...tools.values()] });
      expect(checked).toEqual({ plan, repairs: [], issues: [] });
      const played = await playPlan({ plan, tools, definition: shippedWorld });
      expect(calls.map(({ tool, args }) => ({ tool, args }))).toEqual(played.calls);
      expect(calls.map(({ result }) => result)).toEqual(played.outputs);
      expect(answer).toBe(played.answer);
    }
  });

  it("are resumed at the interrupted stage, without repeating answered questions.", async () => {
    const controller = new AbortController();
    const model = scriptedModel((question, at) => {
      if (at !== 1) return joinSteps(question);
      controller.abort();
      return { text: "" };
    });
    const { signal } = controller;
    const whole = join(folder, "whole.jsonl");
    await generate({ file: whole, model: scriptedModel(joinSteps).spec, count: 2 });
    await generate({ file, model: model.spec, count: 2, signal });
    expect(linesIn(file)).toHaveLength(1);
    await generate({ file, model: model.spec, count: 2 });
    expect(readFileSync(file, "utf8")).toBe(readFileSync(whole, "utf8"));
    expect(threadsLeft()).toEqual({ count: 0 });
  });

  it("continue after a half-written line.", async () => {
    const model = scriptedModel(joinSteps).spec;
    await generate({ file, model, count: 2 });
    const two = readFileSync(file, "utf8");
    appendFileSync(file, '{"library":"math","ta');
    expect(await generate({ file, model, count: 2 })).toMatchObject({ added: 0, count: 2 });
    expect(readFileSync(file, "utf8")).toBe(two);
  });

  it("are dropped if the request still lacks a value of the plan after a second question.", async () => {
    const model = scriptedModel((question, at) =>
      at < 2 ? { text: '{"request": "Do something"}' } : joinSteps(question),
    );
    const { dropped } = await generate({ file, model: model.spec, count: 1 });
    expect(dropped["whose request lacks values"]).toBe(1);
    const [, again] = model.questions;
    expect(again?.messages.at(-1)?.text).toMatch(/does not say.*\d/);
  });

  it("come with a reason if a library allows no more of them.", async () => {
    const model = scriptedModel(joinSteps).spec;
    const settings = { toolIds: ["add"] };
    const { status, reason, count } = await generate({ file, model, count: 2, settings });
    expect({ status, reason, count }).toEqual({
      status: "unsolved",
      reason: "None of 60 draws has led to another pair: 60 without a new flow.",
      count: 1,
    });
  });

  it("never have a tool that writes outside a world, nor one that fails.", async () => {
    await importTestLibrary();
    const model = scriptedModel(joinSteps).spec;
    const settings = { toolIds: ["break_down", "double_number", "halve_number", "write_line"] };
    await generate({ file, model, library: TEST_LIBRARY.library, count: 3, settings });
    const tools = new Set(linesIn(file).flatMap((line) => line.tools));
    expect(tools.has("break_down") || tools.has("write_line")).toBe(false);
  });

  it("are dropped at once if a tool does not end in time.", async () => {
    await importTestLibrary();
    const model = scriptedModel(joinSteps).spec;
    const settings = { toolIds: ["double_number", "spin"], toolTimeoutMs: 200 };
    const options = { file, model, library: TEST_LIBRARY.library, settings };
    // A seed that soon draws the tool that never ends, and then one that does.
    const { dropped } = await generate({ ...options, count: 1, seed: 11 });
    expect(dropped).toMatchObject({ "with a call that takes too long": expect.any(Number) });
  });

  it("can be read as demonstrations, and as requests for training a retriever.", async () => {
    const model = scriptedModel(joinSteps).spec;
    await generate({ file, model, count: 3 });
    const lines = linesIn(file);
    for (const line of lines) {
      const { task, calls, answer } = line;
      expect(readLine({ kind: DEMONSTRATION_LINES, row: { ...line }, at: 0 })).toEqual({
        library: "math",
        task,
        calls,
        answer,
        level: "subtask",
        source: "generated",
        at: 0,
      });
    }
    const tools: ToolDefinition[] = await catalogTools("math");
    const { requests } = await readRequests({ setting: "pairs", name: "math", file, tools });
    expect(requests).toEqual(lines.map(({ query, tools }) => ({ query, tools })));
  });
});

/** Asks for a sum, and plans it as given, with whatever tools are shown. */
function persona(planned: unknown, request = "What are 3 and 4 together?") {
  return scriptedModel(({ stage }) => ({
    text: JSON.stringify(stage === "writeQuery" ? { request } : planned),
  }));
}

describe("pairs of the method persona", () => {
  const plan = {
    steps: [
      {
        tool: "add",
        arguments: [
          { argument_name: "a", argument_value: 3 },
          { argument_name: "b", argument_value: 4 },
        ],
      },
    ],
    answer: "It is $$PREV[0].",
  };

  it("are written freely for a person and then planned with the shown tools.", async () => {
    const model = persona(plan);
    const settings = { toolIds: ["add"] };
    await generate({ file, model: model.spec, count: 1, method: "persona", settings });
    expect(linesIn(file)).toMatchObject([
      {
        task: "What are 3 and 4 together?",
        calls: [{ tool: "add", args: { a: 3, b: 4 }, result: 7 }],
        answer: "It is 7.",
      },
    ]);
    const [question] = model.questions;
    expect(question?.input).toMatchObject({ steps: [], persona: /^somebody who / });
  });

  it.each([
    ["invents a value", plan, "What is 3 and something?", "with an invented value"],
    ["has no step", { ...plan, steps: [] }, undefined, "without a plan"],
  ])("are dropped where the plan %s.", async (_what, planned, request, reason) => {
    const { questions, spec: model } = persona(planned, request);
    const settings = { toolIds: ["add"], maxModelCalls: 4 };
    const options = { file, model, count: 1, method: "persona" as const, settings };
    const { status, dropped } = await generate(options);
    expect({ status, dropped }).toEqual({ status: "limit", dropped: { [reason]: 2 } });
    expect(questions.map(({ stage }) => stage)).toEqual([
      "writeQuery",
      "compose",
      "writeQuery",
      "compose",
    ]);
  });
});
