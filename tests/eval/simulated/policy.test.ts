import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { registerSimulated } from "../../../eval/simulated/provider.js";
import { InvalidSetting } from "../../../common/errors.js";
import { openChatModel } from "../../../models/chat.js";
import { SIMULATED_POLICY } from "../../../eval/simulated/policyParameters.js";
import { simulatedPolicy } from "../../../eval/simulated/policy.js";
import { TOOLS, acting } from "./support.js";

const SETTINGS = { maxOutputTokens: 100 };
const MESSAGES = [new HumanMessage("x".repeat(400))];

/** Names of the tools that the policy of a seed calls first. */
async function toolsChosen(seed: number): Promise<string | undefined> {
  const { chat, structuredReplies } = await openChatModel(SIMULATED_POLICY, { ...SETTINGS, seed });
  expect(structuredReplies).toBe("stage");
  const reply = await chat.invoke(MESSAGES, { stage: "act", input: acting() } as object);
  return reply.tool_calls?.map(({ name }) => name).join();
}

registerSimulated();

describe("the simulated policy", () => {
  it("is opened by its name, with the seed of the run", async () => {
    expect(await toolsChosen(3)).toBe(await toolsChosen(3));
    const all = await Promise.all(Array.from({ length: 20 }, (_, seed) => toolsChosen(seed)));
    expect(new Set(all).size).toBeGreaterThan(1);
  });

  it("does not exist under another name", async () => {
    await expect(openChatModel("simulated:person", SETTINGS)).rejects.toThrow(
      /unknown simulated model "person".*policy/,
    );
  });

  it("refuses to be asked without a stage", async () => {
    const policy = simulatedPolicy();
    expect(policy._llmType()).toBe("rules");
    await expect(policy.invoke("What is 2 + 2?")).rejects.toThrow(InvalidSetting);
  });

  it("makes one call in a reply, with an id of its own", async () => {
    const options = { stage: "act", input: acting() } as const;
    const policy = simulatedPolicy();
    const [first, second] = [
      await policy.invoke(MESSAGES, options),
      await policy.invoke(MESSAGES, options),
    ];
    expect(first.tool_calls).toHaveLength(1);
    expect(first.tool_calls?.[0]?.name).toBe(second.tool_calls?.[0]?.name);
    expect(first.tool_calls?.[0]?.id).not.toBe(second.tool_calls?.[0]?.id);
  });

  it("estimates its tokens from messages and tools, and says that it does", async () => {
    const policy = simulatedPolicy();
    const options = { stage: "act", input: acting() } as const;
    const bare = await policy.invoke(MESSAGES, options);
    const bound = await policy.bindTools([...TOOLS]).invoke(MESSAGES, options);
    expect(bare.response_metadata["estimatedUsage"]).toBe(true);
    expect(bare.usage_metadata?.input_tokens).toBeGreaterThanOrEqual(100);
    expect(bound.usage_metadata?.input_tokens).toBeGreaterThan(
      bare.usage_metadata?.input_tokens ?? 0,
    );
    expect(bare.usage_metadata?.output_tokens).toBeGreaterThan(0);
  });
});
