import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { estimateTokens, usageOf } from "../../models/modelTokens.js";
import { actQuestion, decomposeQuestion, someTools } from "./support.js";

describe("estimateTokens", () => {
  it("takes four characters for a token and rounds up", () => {
    expect(["", "a", "abcd", "abcde"].map(estimateTokens)).toEqual([0, 1, 1, 2]);
  });
});

describe("usageOf", () => {
  const reported = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };

  it("is what the provider reports", () => {
    const reply = new AIMessage({ content: "5", usage_metadata: reported });
    const used = usageOf({ reply, question: actQuestion() });
    expect(used).toEqual({ inputTokens: 100, outputTokens: 20 });
  });

  it("is marked if the model itself only estimates", () => {
    const reply = new AIMessage({
      content: "5",
      usage_metadata: reported,
      response_metadata: { estimatedUsage: true },
    });
    expect(usageOf({ reply, question: actQuestion() })).toMatchObject({ estimated: true });
  });

  it("is estimated from all that was sent if nothing is reported", () => {
    const reply = new AIMessage("5");
    const inputOf = (question: Parameters<typeof usageOf>[0]["question"]) =>
      usageOf({ reply, question }).inputTokens ?? 0;
    const plain = inputOf(actQuestion());
    expect(inputOf(actQuestion({}, { tools: someTools(5) }))).toBeGreaterThan(plain + 50);
    const longer = actQuestion();
    longer.prompt.messages.push(new HumanMessage("x".repeat(400)));
    expect(inputOf(longer)).toBeGreaterThanOrEqual(plain + 100);
    const calling = actQuestion();
    calling.prompt.messages.push(
      new AIMessage({ content: "", tool_calls: [{ name: "f", args: { text: "x".repeat(400) } }] }),
    );
    expect(inputOf(calling)).toBeGreaterThanOrEqual(plain + 100);
    const unstructured = decomposeQuestion();
    unstructured.prompt = { ...unstructured.prompt, schema: undefined };
    expect(inputOf(decomposeQuestion())).toBeGreaterThan(inputOf(unstructured));
  });

  it("counts the calls of a reply as output", () => {
    const args = { text: "x".repeat(400) };
    const reply = new AIMessage({ content: "", tool_calls: [{ name: "f", args }] });
    const used = usageOf({ reply, question: actQuestion() });
    expect(used.outputTokens).toBeGreaterThanOrEqual(100);
    expect(used.estimated).toBe(true);
  });
});
