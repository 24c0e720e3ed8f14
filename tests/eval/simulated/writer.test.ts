import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { registerSimulated } from "../../../eval/simulated/provider.js";
import { InvalidSetting } from "../../../common/errors.js";
import { openChatModel } from "../../../models/chat.js";
import { SIMULATED_WRITER } from "../../../eval/simulated/policyParameters.js";
import { SimulatedWriter } from "../../../eval/simulated/writer.js";
import { WRITER_SCRIPTS } from "../../../eval/simulated/writerScripts.js";
import type { ActInput } from "../../../nodes/acting/actInput.js";
import type { WriteToolInput } from "../../../nodes/editing/writeTool.js";

const REQUEST = "Create a tool that writes a Roman numeral.";
const MESSAGES = [new HumanMessage("x".repeat(400))];

type Keeping = Pick<ActInput, "searched"> & Partial<NonNullable<ActInput["keepsLibrary"]>>;

function acting(request: string, { searched = [], edits = [] }: Keeping = {}): ActInput {
  return {
    request,
    earlierTurns: [],
    steps: [],
    missed: [],
    tools: [],
    observations: [],
    searched,
    keepsLibrary: { edits },
  };
}

async function callOf(input: ActInput, messages: (HumanMessage | AIMessage)[] = MESSAGES) {
  const reply = await new SimulatedWriter().invoke(messages, { stage: "act", input });
  const [call] = reply.tool_calls ?? [];
  return { name: call?.name, args: call?.args };
}

async function draftAfter(draft?: string): Promise<string> {
  const input: WriteToolInput = {
    request: REQUEST,
    earlierTurns: [],
    task: "t",
    similar: [],
    callable: [],
    ...(draft === undefined ? {} : { failed: { draft, problem: "p" } }),
  };
  const reply = await new SimulatedWriter().invoke(MESSAGES, { stage: "writeTool", input });
  return reply.text;
}

registerSimulated();

describe("SimulatedWriter", () => {
  it("is opened by its name, and says that its token counts are estimates", async () => {
    const { chat, structuredReplies } = await openChatModel(SIMULATED_WRITER, {
      maxOutputTokens: 100,
    });
    expect(structuredReplies).toBe("stage");
    const options = { stage: "act", input: acting(REQUEST) } as object;
    const { response_metadata, usage_metadata } = await chat.invoke(MESSAGES, options);
    expect(response_metadata).toEqual({ model_name: SIMULATED_WRITER, estimatedUsage: true });
    expect(usage_metadata?.input_tokens).toBeGreaterThan(50);
  });

  it("wishes for the tool, once, and ends with what has come of it", async () => {
    const wish = await callOf(acting(REQUEST));
    expect(wish).toMatchObject({ name: "create_tool" });
    const asked = new AIMessage({
      content: "",
      tool_calls: [{ id: "1", name: "create_tool", args: {} }],
    });
    expect(await callOf(acting(REQUEST), [...MESSAGES, asked])).toMatchObject({
      name: "stop",
      args: { solved: false },
    });
    const ends = await Promise.all(
      ["done", "reused", "failed"].map(async (outcome) => {
        const edits = [{ kind: "create" as const, tool: "to_roman", outcome }];
        return (await callOf(acting(REQUEST, { edits }))).args?.["solved"];
      }),
    );
    expect(ends).toEqual([true, true, false]);
  });

  it("looks for the tools that its tool is to call before it wishes for it", async () => {
    const request = "Create a tool that sums the shipping fees.";
    expect(await callOf(acting(request))).toMatchObject({ name: "search_tools" });
    const searched = ["fee for shipping a parcel"];
    expect(await callOf(acting(request, { searched }))).toMatchObject({ name: "create_tool" });
  });

  it("gives the draft after the one that failed, and the last one again and again", async () => {
    const script = WRITER_SCRIPTS.find(({ about }) => REQUEST.includes(about));
    const [first, second] = script?.drafts.map(({ reply }) => reply) ?? [];
    expect(await draftAfter()).toBe(first);
    expect(await draftAfter(first)).toBe(second);
    expect(await draftAfter(second)).toBe(second);
  });

  it("says of other requests that it is a script, and refuses stages that it does not know", async () => {
    const { args } = await callOf(acting("What is 2 + 2?"));
    expect(args).toMatchObject({
      message: expect.stringContaining("I am a script"),
      solved: false,
    });
    const input = { request: REQUEST, earlierTurns: [], subtasks: [], tried: [] };
    const writer = new SimulatedWriter();
    await expect(writer.invoke(MESSAGES, { stage: "phraseSearch", input })).rejects.toThrow(
      /only creates tools.*phraseSearch/,
    );
    await expect(writer.invoke(MESSAGES)).rejects.toThrow(InvalidSetting);
  });
});
