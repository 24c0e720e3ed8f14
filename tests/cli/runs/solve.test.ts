import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { runReport } from "../../../cli/runs/printRun.js";
import { closeWorkspaces } from "../../../home/workspace.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { importTestLibrary } from "../../fakes/testLibrary.js";
import { LIBRARY_OPTIONS, run, runJson } from "../support.js";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

const REQUEST = "Double the number 21";

const PLAN: Reply[] = [
  { subtasks: ["Double the number 21 once"] },
  { searches: [{ subtask: 1, phrase: "double a number" }] },
];
const CALL: Reply = { calls: [{ name: "double_number", args: { value: 21 } }] };

/** A graph that asks a model at each of its stages. */
const STAGES = ["--graph", "cot_tulip"];

/** Options for a run with a model that gives these replies. */
function replying(...replies: Reply[]): string[] {
  return [...STAGES, ...LIBRARY_OPTIONS, "--model", scriptedModel(replies).spec];
}

function solving(): string[] {
  return replying(...PLAN, CALL, { stop: "It is 42." });
}

describe("solve --json", () => {
  it("prints one object with everything that a run did, and nothing else", async () => {
    const printed = await runJson("solve", REQUEST, ...solving());
    expect(printed).toMatchObject({ code: 0, stderr: "" });
    expect(printed.json).toEqual({
      graph: "cot_tulip",
      status: "solved",
      answer: "It is 42.",
      subtasks: [
        {
          id: "1",
          text: "Double the number 21 once",
          depth: 0,
          status: "found",
          phrases: ["double a number"],
        },
      ],
      searches: [{ phrase: "double a number", depth: 0, hits: expect.any(Array) }],
      calls: [
        {
          tool: "double_number",
          args: { value: 21 },
          result: 42,
          ms: expect.any(Number),
          cost: 0,
        },
      ],
      deeds: expect.objectContaining({ made: [], failed: [] }),
      usage: {
        modelCalls: 4,
        inputTokens: 40,
        outputTokens: 8,
        embeddingTokens: expect.any(Number),
        ms: expect.any(Number),
      },
      threadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect((printed.json as ReturnType<typeof runReport>).searches[0]?.hits[0]).toEqual({
      tool: "double_number",
      distance: expect.any(Number),
      score: expect.any(Number),
    });
  });
});

describe("solve", () => {
  it("says what it runs on, shows each stage as it happens, and ends with the answer", async () => {
    const { code, stdout } = await run("solve", REQUEST, ...solving(), "--thread", "shown");
    expect(code).toBe(0);
    const [header, ...lines] = stdout.split("\n");
    expect(header).toMatch(/^cot_tulip · library test, 6 tools · model fake:/);
    expect(lines).toEqual([
      "decompose      1. Double the number 21 once",
      "phraseSearch   1 search phrase",
      expect.stringMatching(/^search {9}“double a number” → double_number/),
      "act            calls double_number",
      expect.stringMatching(/^execute {8}double_number\(value=21\) = 42 \d+ ms$/),
      "act            answers",
      "",
      "It is 42.",
      "Read: double_number (value: 21): 42.",
      expect.stringMatching(/^4 model calls · 40 tokens in, 8 out · \d+\.\d s · thread shown$/),
      "",
    ]);
  });

  it("prints only the answer with --no-stream", async () => {
    const printed = await run("solve", REQUEST, ...solving(), "--no-stream");
    expect(printed).toEqual({ code: 0, stdout: "It is 42.\n", stderr: "" });
  });

  it("is meant by a request without a command, and by options without one", async () => {
    const first = await run(REQUEST, ...solving(), "--no-stream");
    expect(first.stdout).toBe("It is 42.\n");
    const second = await run("--no-stream", ...solving(), REQUEST);
    expect(second.stdout).toBe("It is 42.\n");
  });

  it("reports what was wrong with a reply or a call, and continues", async () => {
    const options = replying(
      { text: "nonsense" },
      ...PLAN,
      {
        calls: [
          { name: "break_down", args: { reason: "it\nis late" } },
          { name: "nope", args: {} },
        ],
      },
      { stop: "No.", solved: false },
    );
    const { code, stdout } = await run("solve", REQUEST, ...options);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^decompose {6}unusable reply, asking again: Your last reply/m);
    expect(stdout).toMatch(/^execute {8}break_down\(reason="it\\nis late"\) failed: /m);
    expect(stdout).toMatch(/^ {15}nope\(\) failed: unknown tool "nope"/m);
    expect(stdout).toMatch(/^unsolved: No\.$/m);
  });

  it("exits with 1 when the limit of calls is reached, and says what it has so far", async () => {
    const options = replying(...PLAN, CALL);
    const { code, stdout, stderr } = await run(
      "solve",
      REQUEST,
      ...options,
      "--set",
      "maxModelCalls=3",
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(/^act {12}Stopped by the limit of 3 model calls/m);
    expect(stdout).toMatch(/^limit: Stopped by .* Results so far: double_number.*: 42\.$/m);
  });
});

describe("solve --thread", () => {
  it("continues a conversation with fresh limits", async () => {
    const first = await runJson("solve", REQUEST, ...solving(), "--thread", "talk");
    const model = scriptedModel([...PLAN, CALL, { stop: "Still 42." }]);
    const options = [...STAGES, ...LIBRARY_OPTIONS, "--model", model.spec, "--thread", "talk"];
    const second = await runJson("solve", "And again", ...options, "--set", "maxModelCalls=4");
    expect(first.json).toMatchObject({ status: "solved", threadId: "talk" });
    expect(second.json).toMatchObject({
      status: "solved",
      answer: "Still 42.",
      usage: { modelCalls: 4 },
      threadId: "talk",
    });
    expect(model.questions[0]?.input.earlierTurns).toEqual([
      { role: "user", text: REQUEST },
      { role: "assistant", text: "It is 42." },
    ]);
  });
});
