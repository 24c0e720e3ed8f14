import { afterEach, describe, expect, it } from "vitest";
import { LOCAL_EMBEDDINGS } from "../../../../state/settings.js";
import type { LibraryEditor } from "../../../../tools/library/library.js";
import { tool, workshop } from "../support.js";
import { wordEmbeddings } from "../../../fakes/wordEmbeddings.js";

const shop = workshop();
afterEach(shop.clear);

/** So many dimensions that different words hardly ever share one. */
const DIMENSIONS = 1024;

const TOOLS = [
  tool("send_email", { description: "sends a message to a person by email at once" }),
  tool("send_letter", { description: "sends a message to a person by post at once" }),
  tool("book", { description: "reserves zeppelin mooring masts" }),
  tool("weather", { description: "tells the temperature of a city", provider: "Nimbus" }),
];
const REQUEST = "to a person by email at once, or a zeppelin mooring mast";

async function openAt(home: string, thread?: string): Promise<LibraryEditor> {
  const embeddings = wordEmbeddings({ dimensions: DIMENSIONS });
  return await shop.openLibrary({ home, embeddings, ...(thread === undefined ? {} : { thread }) });
}

async function libraryOf(tools = TOOLS) {
  const library = await openAt(shop.newHome());
  await library.sync({ origin: "o", fingerprint: "1", tools });
  return library;
}

type Question = Partial<Parameters<LibraryEditor["search"]>[0]>;

async function hitsOf(library: LibraryEditor, question: Question = {}) {
  const { results } = await library.search({ phrases: [REQUEST], topK: 2, ...question });
  return results[0]?.hits ?? [];
}

const idsOf = async (library: LibraryEditor, question?: Question) =>
  (await hitsOf(library, question)).map(({ id }) => id);

const asking = (id: string, ...required: string[]) => ({
  ...tool(id, { description: "starts a branch in a repository" }),
  parameters: {
    type: "object" as const,
    properties: Object.fromEntries(required.map((name) => [name, { type: "string" }])),
    required,
  },
});

describe("a search by meaning and words", () => {
  it("finds by the provider's name", async () => {
    expect(await idsOf(await libraryOf(), { phrases: ["ask Nimbus"], topK: 1 })).toEqual([
      "weather",
    ]);
  });

  it.each([
    ["save a note", "create_note"],
    ["which notes are there?", "list_notes"],
    ["forget the note", "delete_note"],
  ])("puts what does something else than is asked behind: %s", async (phrase, wanted) => {
    const names = ["delete_note", "list_notes", "create_note"].toSorted((name) =>
      name === wanted ? 1 : -1,
    );
    const notes = names.map((name) => tool(name, { description: "for the notes of a person" }));
    const library = await libraryOf([...notes, ...TOOLS]);
    expect(await idsOf(library, { phrases: [phrase], topK: 1 })).toEqual([wanted]);
  });

  it("finds where facts are kept, to forget one", async () => {
    const kept = {
      ...tool("delete_observations", { description: "deletes observations from the graph" }),
      category: "memory",
    };
    const drop = tool("drop_file", { description: "drops files onto an element" });
    const phrases = ["forget that Ann likes tea"];
    expect(await idsOf(await libraryOf([drop, kept, ...TOOLS]), { phrases, topK: 1 })).toEqual([
      "delete_observations",
    ]);
  });

  it("puts a deprecated tool behind its successor, but not one that speaks of deprecated things", async () => {
    const library = await libraryOf([
      tool("read_file", { description: "reads a file. DEPRECATED: use read_text_file" }),
      tool("read_text_file", { description: "reads a file as text, if it is not deprecated" }),
    ]);
    expect(await idsOf(library, { phrases: ["read the file"] })).toEqual([
      "read_text_file",
      "read_file",
    ]);
  });

  it.each([
    ["start a branch in ~/code/site", "git_branch"],
    ["start a branch in the site of Ann", "hub_branch"],
  ])("puts what takes a path first if the request has one: %s", async (phrase, wanted) => {
    const library = await libraryOf([
      asking("hub_branch", "owner", "repository", "path"),
      asking("git_branch", "repo_path", "name"),
    ]);
    expect(await idsOf(library, { phrases: [phrase], topK: 1 })).toEqual([wanted]);
  });

  it("by words alone, puts first what shares most of them, wherever it was registered", async () => {
    const tools = ["send_parcel", "send_letter", "read_letter"].map((id) => tool(id));
    for (const order of [tools, tools.toReversed()]) {
      const library = await libraryOf(order);
      const question = { ranking: "words" as const, topK: 1, phrases: ["send a letter"] };
      const [result] = (await library.search(question)).results;
      expect(result?.hits).toMatchObject([
        { id: "send_letter", distance: 0, score: expect.any(Number) },
      ]);
    }
  });

  it("by words alone, finds nothing if none are shared", async () => {
    const library = await libraryOf();
    const question = { ranking: "words" as const, topK: 9 };
    expect(await idsOf(library, { ...question, phrases: ["zeppelin"] })).toEqual(["book"]);
    expect(await idsOf(library, { ...question, phrases: ["submarine"] })).toEqual([]);
  });

  it("applies a threshold to what words have found, too", async () => {
    const library = await libraryOf();
    const farthest = Math.max(...(await hitsOf(library, { topK: 4 })).map((hit) => hit.distance));
    const kept = await idsOf(library, { topK: 4, threshold: farthest - 1e-3 });
    expect(kept.length).toBeLessThan(4);
    const { results } = await library.search({ phrases: [REQUEST], topK: 2, threshold: 1e-6 });
    expect(results[0]).toMatchObject({ hits: [], abstained: true });
  });

  it("only finds tools that are allowed", async () => {
    const within = ["send_letter", "no such tool"];
    expect(await idsOf(await libraryOf(), { within })).toEqual(["send_letter"]);
  });

  it("shows few tools if there are clear winners, and more if scores are close", async () => {
    const others = Array.from({ length: 40 }, (_, at) =>
      tool(`send_${at}`, { description: `sends thing number ${at} to a person` }),
    );
    const library = await libraryOf([...TOOLS, ...others]);
    const shown = (phrase: string) =>
      idsOf(library, { topK: 25, asFewAsNeeded: true, phrases: [phrase] });
    const clear = await shown("reserve zeppelin mooring masts");
    expect(clear[0]).toBe("book");
    expect(clear.length).toBeLessThan((await shown("send a thing to a person")).length);
  });

  it("names the tools of a likely one's group before others that share more words with the request", async () => {
    const others = Array.from({ length: 40 }, (_, at) =>
      tool(`paint_${at}`, { description: `paints masts with colour number ${at}` }),
    );
    const inflate = tool("inflate", {
      description: "fills the hull before it is tied to one of the masts of the port at the coast",
    });
    const library = await libraryOf([...TOOLS, ...others, inflate]);
    const named = async (question: Question) => {
      const asked = { phrases: ["masts"], topK: 25, asFewAsNeeded: true, ...question };
      return (await library.search(asked)).results[0]?.others?.[0];
    };
    const together = ["book", "inflate"];
    const kinOf = (id: string) => (together.includes(id) ? together : []);
    expect(await named({})).toMatch(/^paint/);
    expect(await named({ kinOf })).toBe("inflate");
  });

  it("ranks the tools of a thread together with those of the library", async () => {
    const home = shop.newHome();
    await (await openAt(home)).sync({ origin: "o", fingerprint: "1", tools: TOOLS });
    const own = await openAt(home, "thread");
    await own.put({
      tool: {
        ...tool("moor"),
        description: "ties a zeppelin to its mooring mast",
        source: {
          kind: "generated",
          file: "generated",
          code: "",
          program: "",
          exportName: "moor",
          parameterNames: [],
          calls: [],
          checks: [],
        },
      },
      basedOn: null,
      note: { by: "test", why: "test" },
    });
    const phrases = ["tie zeppelin mast"];
    expect(await idsOf(own, { phrases, topK: 1 })).toEqual(["moor"]);
    expect(await idsOf(await openAt(home), { phrases, topK: 1 })).toEqual(["book"]);
  });

  it.each([["zeppelin"], ["z".repeat(100_000)], ["Пошли письмо"], ["发送邮件"], ["?!"]])(
    "answers any phrase: %.20s",
    async (phrase) => {
      const { results } = await (await libraryOf()).search({ phrases: [phrase], topK: 3 });
      expect(results[0]?.hits.length).toBeLessThanOrEqual(3);
    },
  );
});

describe("a search for whoever tells all names anyway", () => {
  it("asks the encoder, too, and names no others", async () => {
    const embeddings = wordEmbeddings();
    const library = await shop.openLibrary({ embeddings, embeddingModel: LOCAL_EMBEDDINGS });
    const tools = Array.from({ length: 10 }, (_, at) => tool(`send_${at}`));
    await library.sync({ origin: "o", fingerprint: "1", tools });
    embeddings.calls.splice(0);
    const question = { phrases: ["send it"], topK: 5, asFewAsNeeded: true };
    const [named] = (await library.search({ ...question, allNamed: true })).results;
    expect(embeddings.calls.flat()).toEqual(["send it"]);
    expect(named).not.toHaveProperty("others");
    expect((await library.search(question)).results[0]?.others).toHaveLength(5);
  });
});
