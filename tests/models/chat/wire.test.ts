import { describe, expect, it } from "vitest";
import { fetchReply, UNWATCHED } from "../../../models/chat/wire.js";
import { type Completion, startChatEndpoint } from "../../fakes/chatEndpoint.js";

const TEXT = "const sum = add({ a: 1, b: 2 }); // naïve ✓";

/** The texts of a streamed reply, and how often it had something else. */
async function partsOf(
  reply: Completion,
  request: object,
): Promise<{ texts: string[]; others: number }> {
  const endpoint = await startChatEndpoint(() => reply);
  try {
    const body = JSON.stringify({
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
    });
    const url = `${endpoint.url}/chat/completions`;
    const response = await fetchReply(url, { method: "POST", body, ...request });
    const lines = (await response.text()).split("\n").filter(Boolean);
    const events = lines.map((line) => JSON.parse(line.slice("data: ".length)) as Part);
    const texts = events.map(({ choices: [choice] }) => choice?.delta.content);
    const said = texts.filter((text): text is string => Boolean(text));
    return { texts: said, others: events.length - said.length };
  } finally {
    await endpoint.close();
  }
}

interface Part {
  choices: { delta: { content?: string } }[];
}

describe("the parts of a reply", () => {
  it("stay as they are where somebody watches them arrive", async () => {
    const { texts } = await partsOf({ content: TEXT }, {});
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.join("")).toBe(TEXT);
  });

  it("are fewer where nobody does and they have arrived together", async () => {
    const { texts, others } = await partsOf({ content: TEXT }, { [UNWATCHED]: true });
    expect(texts.length).toBeLessThan(3);
    expect(texts.join("")).toBe(TEXT);
    // The role, the end and the usage.
    expect(others).toBe(3);
  });

  it("keep calls apart from the text before them", async () => {
    const calls = [{ name: "add", arguments: { a: 1 } }];
    const reply = { content: "I add.", calls };
    const watched = await partsOf(reply, {});
    const unwatched = await partsOf(reply, { [UNWATCHED]: true });
    expect(unwatched.texts.join("")).toBe("I add.");
    expect(unwatched.others).toBe(watched.others);
  });
});
