import { describe, expect, it } from "vitest";
import { localRunner } from "../../../eval/runs/localRunner.js";
import { AttemptLost, type RunRequest } from "../../../eval/runs/runner.js";
import { openWorkspace } from "../../../nodes/workspace/workspace.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";

const CALL: Reply = { calls: [{ name: "double_number", args: { value: 1 }, id: "call-1" }] };

async function requestFor(threadKey: string, replies: Reply[]): Promise<RunRequest> {
  await importTestLibrary();
  return {
    graph: "naive_tool",
    threadKey,
    request: "Double 1",
    settings: { ...TEST_LIBRARY, model: scriptedModel(replies).spec },
    signal: new AbortController().signal,
  };
}

describe("a run without checkpoints", () => {
  const runner = localRunner({ checkpoints: "none" });

  it("has the end, the stages and the usage of one with checkpoints, and leaves none", async () => {
    const replies: Reply[] = [CALL, { stop: "Doubled, to two." }];
    const saved = await localRunner().run(await requestFor("saved", replies));
    const unsaved = await runner.run(await requestFor("unsaved", replies));
    const comparable = ({ values, stages }: typeof saved) => ({
      status: values.status,
      answer: values.answer,
      calls: values.calls?.map(({ ms: _ms, ...call }) => call),
      stages: stages.map(({ ms: _ms, ...stage }) => stage),
    });
    expect(comparable(unsaved)).toEqual(comparable(saved));
    expect(unsaved.stages).toHaveLength(6);
    const { saver } = openWorkspace().checkpoints();
    const at = (thread_id: string) => saver.getTuple({ configurable: { thread_id } });
    expect(await at("unsaved")).toBeUndefined();
    expect(await at("saved")).toBeDefined();
  });

  it("is lost where it was broken off behind a call, and made anew where before", async () => {
    await runner.run(await requestFor("begun", [CALL, new Error("out of order")]));
    const again = await requestFor("begun", [CALL, { stop: "Doubled, to two." }]);
    await expect(runner.run(again)).rejects.toThrow(AttemptLost);
    await runner.run(await requestFor("not begun", [new Error("out of order")]));
    const anew = await runner.run(
      await requestFor("not begun", [CALL, { stop: "Doubled, to two." }]),
    );
    expect(anew.values).toMatchObject({ status: "solved", usage: { modelCalls: 2 } });
  });

  it("gives back what broke it off, with what it had used by then", async () => {
    const request = await requestFor("broken", [CALL, new Error("out of order")]);
    const { failure, values, stages } = await runner.run(request);
    expect(String(failure)).toContain("out of order");
    expect(values.usage).toMatchObject({ modelCalls: 1 });
    expect(stages.map(({ stage }) => stage).join(" ")).toBe("intake search act execute");
  });

  it("ends with the reason of its signal", async () => {
    const controller = new AbortController();
    const request = await requestFor("stopped", [CALL]);
    controller.abort(new Error("enough"));
    await expect(runner.run({ ...request, signal: controller.signal })).rejects.toThrow("enough");
  });
});
