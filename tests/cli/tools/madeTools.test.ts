import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { SQUARE_ROOT } from "../../fakes/drafts.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { run, runJson } from "../support.js";

const SCRIPT: Reply[] = [
  { calls: [{ name: "create_tool", args: { task_description: "Square root" } }] },
  { text: SQUARE_ROOT },
  { stop: "Made." },
];

let library: string;
let thread: string;
let count = 0;

afterAll(closeWorkspaces);

beforeEach(async () => {
  library = `kept${++count}`;
  thread = `home/work ${count}`;
  await run("tools", "add", "--library", library);
  await solve(SCRIPT, thread);
});

async function solve(script: Reply[], threadId: string, ...more: string[]) {
  const place = ["--library", library, "--graph", "auto_tulip", "--thread", threadId];
  return await runJson("solve", "Do it", ...place, "--model", scriptedModel(script).spec, ...more);
}

const list = async (...options: string[]) => {
  const { json } = await runJson("tools", "list", ...options);
  return (json as { id: string }[]).map(({ id }) => id);
};

describe("the tools that a thread has made", () => {
  it("are listed and shown for the thread, and are not in the library", async () => {
    expect(await list("--library", library)).toEqual([]);
    expect(await list("--thread", thread)).toEqual(["square_root"]);
    const shown = await run("tools", "list", "square_root", "--thread", thread);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("Math.sqrt") });
    const { json } = await runJson("tools", "history", "square_root", "--thread", thread);
    expect(json).toMatchObject([{ version: 1, note: { threadId: thread } }]);
    const none = await run("tools", "list", "--thread", "another", "--library", library);
    expect(none).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "thread another has made no tools\n",
    });
  });

  it("are announced when they are made, with how to keep one for everybody", async () => {
    const place = ["--library", library, "--graph", "auto_tulip"];
    const model = ["--model", scriptedModel(SCRIPT).spec];
    const own = await run("solve", "Do it", ...place, ...model, "--thread", "told");
    expect(own.stdout.replaceAll(/\s+/g, " ")).toContain("tools add square_root --thread told");
    const everybodys = ["--set", "madeTools=library"];
    const shared = scriptedModel(SCRIPT).spec;
    const printed = await run("solve", "Do it", ...place, "--model", shared, ...everybodys);
    expect(printed.stdout).not.toContain("tools add");
  });
});

describe("tools add --thread", () => {
  it("moves a tool into the library, with who made it", async () => {
    expect(await run("tools", "add", "square_root", "--thread", thread)).toMatchObject({
      code: 0,
      stdout: `library ${library}: square_root, version 1, from thread ${thread}\n`,
    });
    expect(await list("--library", library)).toEqual(["square_root"]);
    const options = ["--library", library];
    const { json } = await runJson("tools", "history", "square_root", ...options);
    expect(json).toMatchObject([{ version: 1, note: { threadId: thread, why: "Square root" } }]);
    const root: Reply = { calls: [{ name: "square_root", args: { value: 16 } }] };
    const search: Reply = {
      calls: [{ name: "search_tools", args: { action_descriptions: ["square root"] } }],
    };
    const other = await solve([search, root, { stop: "4" }], `other ${count}`);
    expect(other.json).toMatchObject({ calls: [{ tool: "square_root", result: 4 }] });
  });
});
