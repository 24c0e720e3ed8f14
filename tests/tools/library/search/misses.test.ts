import { afterEach, describe, expect, it } from "vitest";
import { SentenceEncoder } from "../../../../models/encoder.js";
import { LOCAL_EMBEDDINGS } from "../../../../state/settings.js";
import { tool, workshop } from "../support.js";

const shop = workshop();
afterEach(shop.clear);

const ENCODER = { embeddings: new SentenceEncoder(), embeddingModel: LOCAL_EMBEDDINGS };

const DESCRIPTIONS: Record<string, string> = {
  create_event: "Creates a new event in the calendar.",
  delete_event: "Deletes an event from the calendar.",
  send_email: "Sends an email to a recipient.",
  search_emails: "Finds emails by words in the subject or the body.",
  list_customers: "Lists the customers assigned to a sales person.",
};

async function office(descriptions = DESCRIPTIONS) {
  const library = await shop.openLibrary(ENCODER);
  const tools = Object.entries(descriptions).map(([id, description]) => tool(id, { description }));
  await library.sync({ origin: "office", fingerprint: "1", tools });
  return library;
}

const FITTING = ["add an event to my calendar", "write an email to Ann", "which customers has Bob"];
const FOREIGN = ["how do volcanoes erupt", "bake a chocolate cake", "who was Cleopatra"];

describe("what a library takes for near enough", () => {
  it("keeps phrases that fit it, and lets others find nothing", async () => {
    const library = await office();
    const phrases = [...FITTING, ...FOREIGN];
    const { results } = await library.search({ phrases, topK: 3, keepShare: 0.95 });
    const found = results.filter(({ abstained }) => !abstained).map(({ phrase }) => phrase);
    expect(found).toEqual(FITTING);
  });

  it("tells what was nearest to a phrase that finds nothing, and what would have been near enough", async () => {
    const library = await office();
    const { results } = await library.search({ phrases: FOREIGN, topK: 2, keepShare: 0.95 });
    for (const { hits, misses = [] } of results) {
      expect(hits).toEqual([]);
      expect(misses).toHaveLength(2);
      for (const { distance, needed } of misses) expect(distance).toBeGreaterThanOrEqual(needed);
    }
  });

  it("keeps all that is found for a phrase that fits, and the more phrases the larger the share", async () => {
    const library = await office();
    const count = async (keepShare: number) => {
      const { results } = await library.search({
        phrases: [...FITTING, ...FOREIGN],
        topK: 5,
        keepShare,
      });
      for (const { hits } of results) expect([0, 5]).toContain(hits.length);
      return results.filter(({ abstained }) => !abstained).length;
    };
    const counts = [await count(0), await count(0.5), await count(0.95), await count(1)];
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect([counts[0], counts[3]]).toEqual([0, 6]);
  });

  it("gives way to a threshold", async () => {
    const library = await office();
    const [phrase = ""] = FOREIGN;
    const found = async (threshold: number) => {
      const question = { phrases: [phrase], topK: 9, keepShare: 0.5, threshold };
      return (await library.search(question)).results[0]?.hits.length;
    };
    expect(await found(0)).toBe(5);
    expect(await found(0.01)).toBe(0);
  });

  it("holds by meaning alone, too, and among some of the tools", async () => {
    const library = await office();
    const question = { topK: 3, keepShare: 0.95, within: ["create_event", "send_email"] };
    for (const ranking of ["meaning", "both"] as const) {
      const phrases = ["write an email to Ann", "how do volcanoes erupt"];
      const { results } = await library.search({ ...question, phrases, ranking });
      expect(results.map(({ hits }) => hits.length)).toEqual([2, 0]);
    }
  });

  it("works in a library without descriptions", async () => {
    const names = Object.keys(DESCRIPTIONS).map((id) => [id, ""] as const);
    const library = await office(Object.fromEntries(names));
    const phrases = ["send an email", "create an event", "how do volcanoes erupt"];
    const { results } = await library.search({ phrases, topK: 1, keepShare: 0.95 });
    expect(results.map(({ hits: [hit] }) => hit?.id)).toEqual([
      "send_email",
      "create_event",
      undefined,
    ]);
  });

  it("refuses an invalid share", async () => {
    const library = await office();
    const search = library.search({ phrases: ["x"], topK: 1, keepShare: 95 });
    await expect(search).rejects.toThrow(/keepShare: 95 is not a share/);
  });
});

describe("a phrase that is unlike others", () => {
  it.each(["", "   ", "email", "отправить письмо", "发送电子邮件", "?!", "email ".repeat(20_000)])(
    "is answered: %.20s",
    async (phrase) => {
      const library = await office();
      const { results } = await library.search({ phrases: [phrase], topK: 2, keepShare: 0.95 });
      expect(results).toHaveLength(1);
      const [{ hits, abstained }] = results as [(typeof results)[number]];
      expect(abstained).toBe(hits.length === 0);
    },
    60_000,
  );
});

describe("two libraries of different encoders", () => {
  it("each say for themselves what is near enough", async () => {
    const home = shop.newHome();
    const [one, other] = await Promise.all(
      ["one", "other"].map((name, at) =>
        shop.openLibrary({ home, name, ...(at === 0 ? ENCODER : {}) }),
      ),
    );
    const tools = Object.entries(DESCRIPTIONS).map(([id, description]) =>
      tool(id, { description }),
    );
    for (const library of [one, other]) {
      await library?.sync({ origin: "office", fingerprint: "1", tools });
      const question = { phrases: ["sends an email to a recipient"], topK: 1, keepShare: 0.95 };
      const found = await library?.search(question);
      expect(found?.results[0]?.hits[0]?.id).toBe("send_email");
    }
  });
});
