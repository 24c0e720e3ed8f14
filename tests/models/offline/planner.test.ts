import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { InvalidSetting } from "../../../common/errors.js";
import { offlinePlanner } from "../../../models/offline/planner.js";
import {
  replyToAct,
  replyToDecompose,
  replyToPhraseSearch,
} from "../../../models/offline/replies.js";
import type { DecomposeInput } from "../../../nodes/finding/decompose.js";
import type { ActInput } from "../../../nodes/acting/actInput.js";
import { CALCULATOR, shown } from "./libraries.js";

const planner = offlinePlanner();

function decomposing(task: string) {
  const input: DecomposeInput = { style: "plain", request: task, task, depth: 0, earlierTurns: [] };
  return { stage: "decompose", input, byRules: async () => replyToDecompose(input) };
}

async function searching(subtasks: string[], tried: string[] = []) {
  const input = { request: "…", subtasks, tried, earlierTurns: [] };
  const byRules = async () => replyToPhraseSearch(input);
  const { tool_calls } = await planner.invoke([], { stage: "phraseSearch", input, byRules });
  return tool_calls;
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

  it("searches at least once for each subtask, by number", async () => {
    const subtasks = ["multiply 2 by 3", "find the area of a circle with radius 3"];
    const calls = await searching(subtasks);
    expect(calls).toHaveLength(1);
    expect(calls?.[0]).toMatchObject({
      name: "search_tools",
      args: {
        searches: [
          { subtask: 1, phrase: "multiply two numbers" },
          { subtask: 2, phrase: "area circle radius" },
        ],
      },
    });
  });

  it("does not read requests of any length", async () => {
    const reply = await planner.invoke([], atAct(acting("x".repeat(4001))));
    expect(reply.content).toMatch(/4,000/);
    expect(reply.additional_kwargs["refusal"]).toBe(reply.content);
  });

  it("gives calls fresh ids and is otherwise the same each time", async () => {
    const options = atAct(acting("What is 6 * 7?"));
    const [one, other] = [await planner.invoke([], options), await planner.invoke([], options)];
    const call = { name: "times", args: { a: 6, b: 7 } };
    expect(one.tool_calls?.[0]).toMatchObject(call);
    expect(other.tool_calls?.[0]).toMatchObject(call);
    expect(one.tool_calls?.[0]?.id).toMatch(/^call_[0-9a-f-]{36}$/);
    expect(one.tool_calls?.[0]?.id).not.toBe(other.tool_calls?.[0]?.id);
  });

  it("estimates its tokens from messages, bound tools and reply, and marks the estimate", async () => {
    const options = decomposing("What is 6 * 7?");
    const short = await planner.invoke([new HumanMessage("x".repeat(40))], options);
    const long = await planner.invoke(
      [new SystemMessage("y".repeat(400)), new HumanMessage("x".repeat(40))],
      options,
    );
    const bound = planner.bindTools([
      { type: "function", function: { name: "f", description: "z".repeat(400), parameters: {} } },
    ]);
    const withTools = await bound.invoke([new HumanMessage("x".repeat(40))], options);
    const tokens = (message: typeof short) => message.usage_metadata?.input_tokens ?? 0;
    expect(tokens(long)).toBeGreaterThan(tokens(short) + 99);
    expect(tokens(withTools)).toBeGreaterThan(tokens(short) + 99);
    expect(short.usage_metadata?.total_tokens).toBe(
      tokens(short) + (short.usage_metadata?.output_tokens ?? 0),
    );
    expect(short.response_metadata).toMatchObject({
      model_name: "offline:planner",
      estimatedUsage: true,
    });
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
