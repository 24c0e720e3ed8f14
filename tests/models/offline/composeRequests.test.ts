import { describe, expect, it } from "vitest";
import { replyTo } from "../../../models/offline/stages.js";
import { textOf } from "./composeInputs.js";

const NOTHING_KNOWN = { request: "", earlierTurns: [], taken: [] };

describe("writing requests without a language model", () => {
  it("asks for given calls in plain sentences", async () => {
    const steps = ["multiply 3 by 4", "Add 5 to it."];
    const input = { ...NOTHING_KNOWN, persona: "a teacher", steps, tools: [], facts: [] };
    expect(JSON.parse(await textOf("writeQuery", input))).toEqual({
      request: "Multiply 3 by 4. Add 5 to it.",
    });
  });

  it("refuses to think of a request, and to say one in other words", async () => {
    const input = { ...NOTHING_KNOWN, persona: "a teacher", steps: [], tools: [], facts: [] };
    expect(await replyTo("writeQuery", input)).toMatchObject({ refusal: true });
    expect(await replyTo("rewrite", { ...NOTHING_KNOWN, request: "Add 2 and 3." })).toMatchObject({
      text: expect.stringMatching(/language model/) as string,
      refusal: true,
    });
  });
});
