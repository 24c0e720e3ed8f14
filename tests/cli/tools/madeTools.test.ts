import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { SQUARE_ROOT } from "../../fakes/drafts.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { run, runJson, temporaryFolder } from "../support.js";

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

it("solve continues with a library whose file is gone, says so once, and calls say why they fail", async () => {
  const folder = temporaryFolder();
  const write = (name: string) => {
    const file = join(folder, `${name}.ts`);
    const text = `/** ${name} a number.\n * @param x - the number\n */\nexport function ${name}(x: number): number { return x; }\n`;
    writeFileSync(file, text);
    return file;
  };
  const files = [write("keep"), write("drop")];
  await run("tools", "import", ...files, "--library", library);
  rmSync(files[1] ?? "");
  const script: Reply[] = [
    {
      calls: [
        { name: "search_tools", args: { action_descriptions: ["keep a number", "drop a number"] } },
      ],
    },
    {
      calls: [
        { name: "drop", args: { x: 1 } },
        { name: "keep", args: { x: 2 } },
      ],
    },
    { stop: "Done." },
  ];
  const { stderr, json } = await solve(script, `gone ${count}`, "--set", "threshold=0");
  expect(stderr.match(/drop\.ts/g)?.length).toBeGreaterThan(0);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(json).toMatchObject({
    calls: [
      { tool: "drop", error: expect.stringMatching(/drop\.ts .*is gone/) },
      { tool: "keep", result: 2 },
    ],
  });
}, 60_000);
