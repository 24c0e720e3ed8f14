import { describe, expect, it } from "vitest";
import { replyToLook, replyToWriteProgram } from "../../../models/offline/composing.js";
import type { WriteProgramInput } from "../../../nodes/programs/programQuestion.js";
import { numeric } from "./composeInputs.js";
import { CALCULATOR } from "./libraries.js";

const TWO_STEPS = "Subtract 3 from 10, then multiply the result by 2.";

describe("a program written by rules", () => {
  it("has the calls of the plan, and an answer that holds their result", async () => {
    const lines = (await programFor()).split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "```ts",
      "const r0 = await minus({ a: 10, b: 3 });",
      "const r1 = await times({ a: r0, b: 2 });",
    ]);
    expect(lines[3]).toMatch(/^return `.*\$\{r1\}.*`;$/);
    expect(lines.slice(4)).toEqual(["```"]);
  });

  it("ends before the faulty line", async () => {
    const failed = { plan: "", problems: ["line 2: there is no such field"], cue: "" };
    const program = await programFor({ failed });
    expect(program).toBe("```ts\nawait minus({ a: 10, b: 3 });\nreturn null;\n```");
  });

  it("says what it needs", async () => {
    const program = await programFor({ request: "Book a table for two." });
    expect(program).toMatch(/^need\("[^"]+"\);$/m);
  });

  it("ends with its answer if it was only completed with the tools found", async () => {
    const failed = { plan: 'need("subtract");', problems: [], cue: "" };
    const program = await programFor({ failed, searched: [{ phrase: "subtract", found: [] }] });
    expect(program).toMatch(/return `The result is \$\{\w+\}\.`;/);
    expect(program).not.toContain("return null");
  });
});

it("does not judge what a value means", () => {
  expect(replyToLook()).toMatchObject({ refusal: true });
});

async function programFor(more: Partial<WriteProgramInput> = {}): Promise<string> {
  const tools = numeric(CALCULATOR).map(({ name, description, parameters, returns }) => ({
    name,
    description,
    parameters,
    returns,
  }));
  const known = { earlierTurns: [], tools, demonstrations: [], missed: [], searched: [] };
  const reply = await replyToWriteProgram({ request: TWO_STEPS, ...known, ...more });
  return "text" in reply ? reply.text : "";
}
