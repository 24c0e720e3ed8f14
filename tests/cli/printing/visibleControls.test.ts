import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { importTestLibrary } from "../../fakes/testLibrary.js";
import { LIBRARY_OPTIONS, run, runJson } from "../support.js";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

/** Colours, clears the screen, sets the title, rings, goes back, reverses the text. */
const HOSTILE = [
  "\u001b[31mred\u001b[0m",
  "\u001b[1mbold",
  "\u001b[2J\u001b[H",
  "\u001b]0;title\u0007",
  "\u009b31m",
  "over\rwritten",
  "a\bb\u007f",
  "\u202egpj.exe\u2066",
].join(" ");

const OBEYED = /(?![\n\t])\p{Cc}|[\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;

function solving(answer: string): string[] {
  const replies = [
    { subtasks: [`Double ${HOSTILE}`] },
    { searches: [{ subtask: 1, phrase: `double a number ${HOSTILE}` }] },
    { calls: [{ name: "double_number", args: { value: 21, [HOSTILE]: HOSTILE } }] },
    { calls: [{ name: "double_number", args: { value: 21 } }] },
    { stop: answer },
  ];
  const { spec } = scriptedModel(replies);
  return ["--graph", "cot_tulip", ...LIBRARY_OPTIONS, "--model", spec];
}

describe("What comes from outside", () => {
  it("is shown by a run and not obeyed, in its stages, calls and answer", async () => {
    const { stdout, stderr } = await run("solve", "Double 21", ...solving(`42 ${HOSTILE}`));
    expect(stdout + stderr).not.toMatch(OBEYED);
    expect(stdout).toContain("\\u001b[31mred");
  });

  it("is shown in errors, whose words the user or a file has given", async () => {
    const { code, stderr } = await run("solve", "x y", "--graph", HOSTILE);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(OBEYED);
    expect(stderr).toContain("red");
  });

  it("is the same value in JSON", async () => {
    const { stdout, json } = await runJson("solve", "Double 21", ...solving(`42 ${HOSTILE}`));
    expect(stdout).not.toMatch(OBEYED);
    expect(json).toMatchObject({ subtasks: [{ text: `Double ${HOSTILE}` }] });
  });
});
