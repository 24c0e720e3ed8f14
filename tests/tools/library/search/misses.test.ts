import { afterEach, describe, expect, it } from "vitest";
import { SentenceEncoder } from "../../../../models/embeddings/encoder.js";
import { LOCAL_EMBEDDINGS } from "../../../../state/settings.js";
import { tool, workshop } from "../support.js";

const shop = workshop();
afterEach(shop.clear);

const DESCRIPTIONS: Record<string, string> = {
  create_event: "Creates a new event in the calendar.",
  delete_event: "Deletes an event from the calendar.",
  send_email: "Sends an email to a recipient.",
  search_emails: "Finds emails by words in the subject or the body.",
  list_customers: "Lists the customers assigned to a sales person.",
};

async function office() {
  const embeddings = new SentenceEncoder();
  const library = await shop.openLibrary({ embeddings, embeddingModel: LOCAL_EMBEDDINGS });
  const tools = Object.entries(DESCRIPTIONS).map(([id, description]) => tool(id, { description }));
  await library.sync({ origin: "office", fingerprint: "1", tools });
  return library;
}

const FITTING = ["add an event to my calendar", "write an email to Ann", "which customers has Bob"];
const FOREIGN = ["how do volcanoes erupt", "bake a chocolate cake", "who was Cleopatra"];

describe("what is near enough", () => {
  it.each(["meaning", "both"] as const)(
    "keeps all that is found for phrases that fit, and lets others find nothing, by %s",
    async (ranking) => {
      const library = await office();
      const phrases = [...FITTING, ...FOREIGN];
      const { results } = await library.search({ phrases, topK: 5, nearOnly: true, ranking });
      expect(results.map(({ hits }) => hits.length)).toEqual([5, 5, 5, 0, 0, 0]);
      for (const { misses = [] } of results.slice(FITTING.length)) {
        expect(misses).toHaveLength(5);
        for (const { distance, needed } of misses) expect(distance).toBeGreaterThanOrEqual(needed);
      }
    },
  );

  it("gives way to a threshold", async () => {
    const library = await office();
    const found = async (threshold: number) => {
      const question = { phrases: FOREIGN.slice(0, 1), topK: 9, nearOnly: true, threshold };
      return (await library.search(question)).results[0]?.hits.length;
    };
    expect(await found(0)).toBe(5);
    expect(await found(0.01)).toBe(0);
  });

  it.each(["", "   ", "email", "отправить письмо", "发送电子邮件", "?!", "email ".repeat(20_000)])(
    "is said of any phrase: %.20s",
    async (phrase) => {
      const library = await office();
      const { results } = await library.search({ phrases: [phrase], topK: 2, nearOnly: true });
      const [{ hits, abstained }] = results as [(typeof results)[number]];
      expect(abstained).toBe(hits.length === 0);
    },
    60_000,
  );
});
