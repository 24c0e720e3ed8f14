import { describe, expect, it } from "vitest";
import { CALCULATOR, type TestTool, number, tool } from "./libraries.js";
import { keep } from "./keep.js";

const SQUARE_ROOT = tool({
  name: "square_root",
  description:
    "Square root of a number. Of a negative number it is imaginary and given as text with i.",
  properties: { value: number("The number") },
  run: ({ value }) => {
    const root = Math.sqrt(Math.abs(Number(value)));
    return Number(value) < 0 ? `${root}i` : root;
  },
});

const CUBE_ROOT = tool({
  name: "cube_root",
  description: "Cube root of a number.",
  properties: { value: number("The number") },
});

const ROOTS = { "square root of a number": SQUARE_ROOT, "square root": SQUARE_ROOT };
const NO_CODE = "The offline planner cannot write code; use a language model with --model.";

function calculator(name: string): TestTool {
  return CALCULATOR.find((one) => one.name === name) ?? SQUARE_ROOT;
}

describe("the offline planner with a library that it keeps itself", () => {
  it.each([
    ["What is the square root of -200?", -200, "14.142135623730951i"],
    ["What is the square root of −200?", -200, "14.142135623730951i"],
    ["What is the square root of 23456789?", 23456789, "4843.220932396126"],
  ])("searches, calls what was found, and answers: %s", async (request, value, root) => {
    const kept = await keep({ request, finds: ROOTS });
    expect(kept.calls).toEqual(["search_tools", "square_root", "stop"]);
    expect(kept.searched).toEqual(["square root of a number"]);
    expect(kept.observations[0]?.args).toEqual({ value });
    expect(kept).toMatchObject({ solved: true, message: `The result is ${root}.` });
  });

  it("searches for all steps at once, and follows them", async () => {
    const request = "Subtract 3 from 10, then multiply the result by 2.";
    const finds = {
      "subtract two numbers": calculator("minus"),
      "multiply two numbers": calculator("times"),
    };
    const kept = await keep({ request, finds });
    expect(kept.calls).toEqual(["search_tools", "minus", "times", "stop"]);
    expect(kept).toMatchObject({ solved: true, message: "The result is 14." });
  });

  it("does not search if the offered tools do all of it", async () => {
    const kept = await keep({ request: "What is 6 * 7?", finds: {}, atHand: CALCULATOR });
    expect(kept.calls).toEqual(["times", "stop"]);
  });

  it("searches for a part that the offered tools do not do", async () => {
    const request = "What is the square root of 49?";
    const kept = await keep({ request, finds: ROOTS, atHand: [calculator("times")] });
    expect(kept.calls).toEqual(["search_tools", "square_root", "stop"]);
  });

  it("ends unsolved if nothing is found, names the part, and says that it cannot write code", async () => {
    const kept = await keep({ request: "What is the square root of -200?", finds: {} });
    expect(kept.calls).toEqual(["search_tools", "stop"]);
    expect(kept.solved).toBe(false);
    expect(kept.message).toMatch(/square root of -200/);
    expect(kept.message).toContain(NO_CODE);
  });

  it("reports what it found if only a part has a tool", async () => {
    const request = "Multiply 6 by 7, then translate the result into French.";
    const kept = await keep({ request, finds: { "multiply two numbers": calculator("times") } });
    expect(kept.calls).toEqual(["search_tools", "times", "stop"]);
    expect(kept.solved).toBe(false);
    expect(kept.message).toMatch(/translate .* could not be done.*42/);
    expect(kept.message).toContain(NO_CODE);
  });

  it.each([
    "Create a tool that computes square roots.",
    "Please write me a function for the area of a rhombus.",
    "Make it work for negative numbers.",
    "Make the square root tool work for negative numbers, too.",
    "Update the square_root function so that it handles negative numbers.",
    "Can you build a new tool for reversing a text?",
  ])("says at once that it cannot write code: %s", async (request) => {
    const kept = await keep({ request, finds: ROOTS, atHand: [SQUARE_ROOT] });
    expect(kept).toMatchObject({ calls: ["stop"], solved: false, message: NO_CODE });
  });

  it.each(["Make a list of the tools.", "What is the square root of 16?"])(
    "does not take for a wish to write code: %s",
    async (request) => {
      const { message } = await keep({ request, finds: ROOTS });
      expect(message).not.toBe(NO_CODE);
    },
  );
});

describe("the offline planner that is asked to delete a tool", () => {
  it.each([
    "Delete the square root tool.",
    "Please remove the function square_root from my library.",
    "delete the tool `square_root` again",
    "Could you delete the tool for square roots?",
  ])("searches for it, deletes it, and confirms: %s", async (request) => {
    const finds = { ...ROOTS, "square roots": SQUARE_ROOT };
    const kept = await keep({ request, finds });
    expect(kept.calls).toEqual(["search_tools", "delete_tool", "stop"]);
    expect(kept.edits).toMatchObject([{ tool: "square_root" }]);
    expect(kept).toMatchObject({ solved: true, message: "The tool square_root was deleted." });
  });

  it("does not search for a tool that is offered under that name", async () => {
    const request = "Delete the square root tool.";
    const kept = await keep({ request, finds: {}, atHand: [SQUARE_ROOT, CUBE_ROOT] });
    expect(kept.calls).toEqual(["delete_tool", "stop"]);
  });

  it.each([
    ["rejected", /was not deleted: a person has rejected it/],
    ["failed", /was not deleted: the change was refused/],
  ] as const)("does not claim a deletion that was %s", async (outcome, said) => {
    const request = "Delete the square root tool.";
    const kept = await keep({ request, finds: ROOTS, outcome });
    expect(kept.solved).toBe(false);
    expect(kept.message).toMatch(said);
  });

  it("deletes nothing if the name fits no tool, whatever else is found", async () => {
    const finds = { "reverse text": CUBE_ROOT };
    const kept = await keep({ request: "Delete the reverse text tool.", finds });
    expect(kept.calls).toEqual(["search_tools", "stop"]);
    expect(kept).toMatchObject({ solved: false, edits: [] });
    expect(kept.message).toMatch(/No tool was found that is called reverse text/);
  });

  it("deletes nothing if the name fits several tools equally", async () => {
    const kept = await keep({
      request: "Delete the root tool.",
      finds: {},
      atHand: [SQUARE_ROOT, CUBE_ROOT],
    });
    expect(kept).toMatchObject({ solved: false, edits: [] });
    expect(kept.message).toMatch(/not clear .*square_root, cube_root/);
  });

  it("deletes several tools that are named together", async () => {
    const kept = await keep({
      request: "Delete the functions square_root and cube_root.",
      finds: {},
      atHand: [SQUARE_ROOT, CUBE_ROOT],
    });
    expect(kept.edits.map((edit) => edit.tool)).toEqual(["square_root", "cube_root"]);
    expect(kept.solved).toBe(true);
  });

  it("takes “the tool” for the one that the last turn was about", async () => {
    const earlierTurns = [
      { role: "user" as const, text: "What is the square root of -200?" },
      { role: "assistant" as const, text: "The result is 14.142135623730951i." },
    ];
    const kept = await keep({ request: "Now delete that tool.", finds: ROOTS, earlierTurns });
    expect(kept.edits).toMatchObject([{ tool: "square_root" }]);
  });

  it("first does the rest of the request", async () => {
    const request = "What is the square root of 16? Then delete the square root tool.";
    const kept = await keep({ request, finds: ROOTS });
    expect(kept.calls).toEqual(["search_tools", "square_root", "delete_tool", "stop"]);
    expect(kept.message).toBe("The result is 4. The tool square_root was deleted.");
  });

  it("deletes nothing if the rest of the request cannot be done", async () => {
    const request = "Translate the letter. Then delete the square root tool.";
    const kept = await keep({ request, finds: ROOTS, atHand: [SQUARE_ROOT] });
    expect(kept).toMatchObject({ edits: [], solved: false });
    expect(kept.message).toMatch(/translate the letter/i);
    expect(kept.message).toMatch(/deleted nothing/);
  });

  it("leaves the library alone if something else is to be deleted", async () => {
    const event = tool({
      name: "delete_event",
      description: "Delete an event from the calendar.",
      properties: { event_id: { type: "string", description: "Id of the event" } },
    });
    const kept = await keep({ request: "Delete the event ev1", finds: {}, atHand: [event] });
    expect(kept.calls).toEqual(["delete_event", "stop"]);
  });
});
