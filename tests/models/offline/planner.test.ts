import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { InvalidSetting } from "../../../common/errors.js";
import { offlinePlanner } from "../../../models/offline/planner.js";
import { replyToAct, replyToDecompose } from "../../../models/offline/replies.js";
import type { DecomposeInput } from "../../../nodes/finding/decompose.js";
import type { ActInput } from "../../../nodes/acting/actInput.js";
import { CALCULATOR, shown } from "./libraries.js";

const planner = offlinePlanner();

function decomposing(task: string) {
  const input: DecomposeInput = { style: "plain", request: task, task, depth: 0, earlierTurns: [] };
  return { stage: "decompose", input, byRules: async () => replyToDecompose(input) };
}

function acting(request: string): ActInput {
  const tools = CALCULATOR.map(shown);
  return { request, steps: [], missed: [], tools, observations: [], earlierTurns: [] };
}

/** The options of a question at `act`. */
function atAct(input: ActInput) {
  return { stage: "act", input, byRules: async () => replyToAct(input) };
}

describe("the offline planner", () => {
  it("names itself and refuses to be asked without a stage", async () => {
    expect(planner._llmType()).toBe("rules");
    await expect(planner.invoke("What is 2 + 2?")).rejects.toThrow(InvalidSetting);
    await expect(planner.invoke("What is 2 + 2?")).rejects.toThrow(/stage/);
  });

  it("answers decompose with subtasks as JSON", async () => {
    const asked = decomposing("What is 45342 * 23487 + 32478?");
    const { text } = await planner.invoke([new HumanMessage("…")], asked);
    expect(JSON.parse(text)).toEqual({
      subtasks: ["multiply 45342 by 23487", "add the result of step 1 and 32478"],
    });
  });

  it("does not read requests of any length", async () => {
    const reply = await planner.invoke([], atAct(acting("x".repeat(4001))));
    expect(reply.content).toMatch(/4,000/);
    expect(reply.additional_kwargs["refusal"]).toBe(reply.content);
  });

  it("streams the same calls that it gives at once", async () => {
    const options = atAct(acting("What is 6 * 7?"));
    const stream = await planner.stream([], options);
    let whole: Awaited<ReturnType<typeof planner.invoke>> | undefined;
    for await (const chunk of stream) whole = whole ? whole.concat(chunk) : chunk;
    expect(whole?.tool_calls?.[0]).toMatchObject({ name: "times", args: { a: 6, b: 7 } });
    expect(whole?.usage_metadata?.output_tokens).toBeGreaterThan(0);
  });
});
