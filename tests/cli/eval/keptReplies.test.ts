import { join } from "node:path";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { errorLine, run, temporaryFolder } from "../support.js";
import { benchmarkFolder, recordsIn } from "./support.js";

afterAll(closeWorkspaces);

const folder = () => temporaryFolder();

/** A model that calls `add` and says its result. */
function adding() {
  return scriptedModel([
    { calls: [{ name: "add", args: { a: 17, b: 25 } }] },
    { stop: "It is 42." },
  ]);
}

function evaluation(benchmark: string, out: string, model: string) {
  const what = ["--benchmark", benchmark, "--task", "sum", "--graphs", "minimal_tulip"];
  return [
    "eval",
    "run",
    ...what,
    "--out",
    out,
    "--models",
    model,
    "--fail-under",
    "minimal_tulip:answerNumeric=1",
  ];
}

describe("replies of models that are kept", () => {
  it("make a gate that asks no model, and pass while prompts stay as they were", async () => {
    const place = folder();
    const [benchmark, file] = [benchmarkFolder(), join(place, "replies.jsonl")];
    const model = adding();
    await run(...evaluation(benchmark, join(place, "a"), model.spec), "--record", file);
    expect(model.questions).toHaveLength(2);
    const again = evaluation(benchmark, join(place, "b"), model.spec);
    expect(await run(...again, "--replay-model", file)).toMatchObject({ code: 0 });
    expect(model.questions).toHaveLength(2);
    const [before, now] = ["a", "b"].map((out) => recordsIn(join(place, out))[0]);
    expect([now?.answer, now?.calls.length]).toEqual([before?.answer, 1]);
    expect(now?.usage.inputTokens).toBe(before?.usage.inputTokens);
  });

  it("are refused with their line if the file holds something else", async () => {
    const file = join(folder(), "replies.jsonl");
    writeFileSync(file, '{ "id": "sum" }\n');
    const argv = evaluation(benchmarkFolder(), join(folder(), "a"), "offline:planner");
    expect(errorLine(await run(...argv, "--replay-model", file))).toMatch(
      /replies\.jsonl: line 1 is not a kept reply\. .*--record FILE/,
    );
  });

  it("fail when a prompt has changed, and say at which stage and line", async () => {
    const place = folder();
    const [benchmark, file] = [benchmarkFolder(), join(place, "replies.jsonl")];
    const model = adding();
    await run(...evaluation(benchmark, join(place, "a"), model.spec), "--record", file);
    const tools = join(benchmark, "tools.jsonl");
    writeFileSync(tools, readFileSync(tools, "utf8").replace("Add two numbers.", "Add numbers."));
    const set = ["--set", "instructions=Be brief.", "--replay-model", file];
    const changed = await run(...evaluation(benchmark, join(place, "b"), model.spec), ...set);
    expect(changed.code).toBe(1);
    expect(changed.stderr).toMatch(
      /failed: sum .*no reply at act of “Add 17 and 25\.”: line 2 of its prompt was “.*” and is “Be brief\.”.*--record/,
    );
    expect(model.questions).toHaveLength(2);
  });

  it("need no key of the model that gave them", async () => {
    const place = folder();
    const [benchmark, file] = [benchmarkFolder(), join(place, "replies.jsonl")];
    await run(...evaluation(benchmark, join(place, "a"), adding().spec), "--record", file);
    writeFileSync(
      file,
      readFileSync(file, "utf8").replaceAll(/"model":"fake:[^"]*"/g, '"model":"openai:m"'),
    );
    const argv = evaluation(benchmark, join(place, "b"), "openai:m");
    // The hash is of the model's name, too.
    const { code, stderr } = await run(...argv, "--replay-model", file);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/no reply at act/)]);
    expect(stderr).not.toMatch(/API key/);
  });

  it("are recorded or replayed, not both", async () => {
    const argv = evaluation(benchmarkFolder(), join(folder(), "out"), adding().spec);
    expect(errorLine(await run(...argv, "--record", "a", "--replay-model", "b"))).toContain(
      "--record",
    );
    expect(errorLine(await run(...argv, "--replay-model", "nowhere.jsonl"))).toContain(
      "nowhere.jsonl",
    );
    expect(errorLine(await run(...argv, "--record", "docs"))).toContain(
      "docs: cannot be written (it is a folder)",
    );
  });
});
