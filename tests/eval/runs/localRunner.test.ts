import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { localRunner } from "../../../eval/runs/localRunner.js";
import { AttemptLost, type RunRequest } from "../../../eval/runs/runner.js";
import { openDatabase } from "../../../storage/sqlite/sqlite.js";
import { importTools } from "../../../home/libraries.js";
import { openWorkspace } from "../../../home/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";

/** The data of a process that is killed after this number of checkpoints of a thread. */
function cutBehind(threadId: string, checkpoints: number, options: { results: boolean }): void {
  const db = openDatabase({ file: join(openWorkspace().home, "checkpoints.db") });
  const ids = db
    .prepare("SELECT checkpoint_id FROM checkpoints WHERE thread_id = ? ORDER BY checkpoint_id")
    .pluck()
    .all(threadId) as string[];
  const last = ids[checkpoints - 1] ?? "";
  db.prepare("DELETE FROM checkpoints WHERE thread_id = ? AND checkpoint_id > ?").run(
    threadId,
    last,
  );
  const from = options.results ? ">" : ">=";
  db.prepare(`DELETE FROM writes WHERE thread_id = ? AND checkpoint_id ${from} ?`).run(
    threadId,
    last,
  );
  db.close();
}

/** A run of two calls that depends only on what it has seen, so that any process can resume it. */
async function requestFor(threadKey: string): Promise<RunRequest> {
  await importTestLibrary();
  const { spec } = scriptedModel((question) => {
    if (question.stage !== "act") return { text: "" };
    const seen = question.input.observations.length;
    return seen < 2
      ? { calls: [{ name: "double_number", args: { value: seen + 1 }, id: `call-${seen}` }] }
      : { stop: "Doubled twice, to two and four." };
  });
  return {
    graph: "naive_tool",
    threadKey,
    request: "Double 1, then 2",
    settings: { ...TEST_LIBRARY, model: spec },
    signal: new AbortController().signal,
  };
}

describe("a run in this process", () => {
  it("counts a call that was only recorded, because tools of benchmarks often have no code", async () => {
    const file = join(openWorkspace().home, "described.jsonl");
    writeFileSync(file, JSON.stringify({ name: "send_parcel", description: "Send a parcel." }));
    const { settings, ...request } = await requestFor("recorded");
    const described = { ...TEST_LIBRARY, library: "described" };
    await importTools({ store: openWorkspace().store, settings: described, file });
    const { spec } = scriptedModel(({ stage, input }) => {
      if (stage !== "act") return { text: "" };
      const isCalled = input.observations.length > 0;
      return isCalled ? { stop: "Sent." } : { calls: [{ name: "send_parcel", args: {} }] };
    });
    const { values } = await localRunner().run({
      ...request,
      settings: { ...settings, ...described, model: spec },
    });
    expect(values).toMatchObject({ status: "solved" });
  });

  it("gives the state of its end and the stages that it took", async () => {
    const state = await localRunner().run(await requestFor("whole"));
    expect(state).toMatchObject({
      resumed: false,
      threadId: "whole",
      waiting: false,
      values: { status: "solved", answer: "Doubled twice, to two and four." },
    });
    expect(state.failure).toBeUndefined();
    expect(state.stages.map(({ stage, modelCalls }) => `${stage} ${modelCalls}`).join(", ")).toBe(
      "intake 0, search 0, act 1, execute 0, act 1, execute 0, act 1, respond 0",
    );
    const inputTokens = state.stages.reduce((sum, visit) => sum + visit.inputTokens, 0);
    expect(inputTokens).toBe(state.values.usage?.inputTokens);
  });

  // Ten in all: one for the input, one when it was taken, one behind each stage. Behind the last there is no more to do.
  for (let checkpoints = 1; checkpoints <= 9; checkpoints += 1) {
    for (const results of [true, false]) {
      const kept = results ? "with the result of the next stage" : "and no more";
      it(`ends alike when its process died behind ${checkpoints} checkpoints ${kept}`, async () => {
        const request = await requestFor(`cut ${checkpoints} ${results}`);
        const whole = await localRunner().run(request);
        cutBehind(request.threadKey, checkpoints, { results });
        const again = await localRunner().run(request);
        expect(again.resumed).toBe(true);
        const { status, answer, calls, usage } = again.values;
        expect({ status, answer, calls: calls?.length, modelCalls: usage?.modelCalls }).toEqual({
          status: whole.values.status,
          answer: whole.values.answer,
          calls: 2,
          modelCalls: 3,
        });
        expect(again.stages.map(({ stage }) => stage)).toEqual(
          whole.stages.map(({ stage }) => stage),
        );
      });
    }
  }

  it("is not continued where a write was under way when its process died", async () => {
    const request = await requestFor("write");
    await localRunner().run(request);
    cutBehind("write", 4, { results: false });
    const { journal } = openWorkspace().runtime;
    const claim = await journal.begin({
      threadId: "write",
      callId: "call-9",
      tool: "send_mail",
      args: {},
      effects: "write",
    });
    if (claim.kind === "execute") await journal.start(claim);
    await expect(localRunner().run(request)).rejects.toThrow(AttemptLost);
  });

  it("gives back what broke it off, with what it had used by then", async () => {
    const request = await requestFor("broken");
    const { spec } = scriptedModel([
      { calls: [{ name: "double_number", args: { value: 1 } }] },
      new Error("out of order"),
    ]);
    const state = await localRunner().run({
      ...request,
      settings: { ...request.settings, model: spec },
    });
    expect(String(state.failure)).toContain("out of order");
    expect(state.values.usage).toMatchObject({ modelCalls: 1 });
    expect(state.values.calls).toHaveLength(1);
  });
});
