import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { registerOracle } from "../../../eval/oracle/oracleModel.js";
import { o200kTokens } from "../../../eval/oracle/countTokens.js";
import { openChatModel } from "../../../models/chat.js";
import { SUM } from "./support.js";

describe("tokens of the comparison", () => {
  it("are those of the tokenizer, and names of special tokens are text", async () => {
    const count = await o200kTokens();
    expect(["", "hello world", "hello world"].map(count)).toEqual([0, 2, 2]);
    expect(count("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("include the messages to the oracle and its replies", async () => {
    const count = await o200kTokens();
    const spec = registerOracle({ name: "counted", tasks: [SUM] });
    const { chat } = await openChatModel(spec, { maxOutputTokens: 100 });
    const { query } = SUM.task;
    const input = { request: query, earlierTurns: [], style: "plain", task: query, depth: 0 };
    const options = { stage: "decompose", input } as object;
    const reply = await chat.invoke([new HumanMessage("Split extraordinarily.")], options);
    expect(reply.usage_metadata).toMatchObject({
      input_tokens: count("Human: Split extraordinarily."),
      output_tokens: count(reply.text),
    });
  });
});
