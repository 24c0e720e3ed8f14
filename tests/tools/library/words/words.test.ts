import { describe, expect, it } from "vitest";
import { termsOf, toolWords } from "../../../../tools/library/words/words.js";
import { declared } from "../../../eval/retrieval/support.js";

describe("the words of a text", () => {
  it("split identifiers, and lose stop words and plurals", () => {
    expect(termsOf("Get the playlists of a user: getUserToken_v2")).toEqual(
      "get playlist user get user token v2".split(" "),
    );
  });

  it("are brought to the singular by the first rule of the S stemmer that fits", () => {
    expect(termsOf("cities movies buses glass status tables goes")).toEqual(
      "city movy buse glass status table goe".split(" "),
    );
  });

  it("include those of other scripts", () => {
    expect(termsOf("Пошли письмо Анне")).toEqual(["пошли", "письмо", "анне"]);
  });
});

describe("the words of a tool", () => {
  it("are counted by field, at any depth of its parameters", () => {
    const tool = {
      ...declared("findRoom", "Finds rooms in a room list.", {
        when: { type: "object", description: "the night", properties: { day: { type: "string" } } },
        guests: { type: "array", items: { type: "string", enum: ["adult", "child"] } },
      }),
      provider: "Room Service",
      providerDescription: "rooms everywhere",
      category: "Travel",
    };
    const { words, length } = toolWords(tool);
    expect(words.get("room")).toMatchObject({ name: 1, description: 2, source: 1, details: 1 });
    expect(words.get("travel")).toMatchObject({ source: 1, name: 0 });
    expect(words.get("day")).toMatchObject({ parameters: 1, details: 0 });
    expect(words.get("night")).toMatchObject({ parameters: 0, details: 1 });
    expect(words.get("child")).toMatchObject({ details: 1 });
    expect(length).toBe(16);
  });

  it("count up to the limit of each field", () => {
    const { words } = toolWords(declared("t", "red ".repeat(100)));
    expect(words.get("red")?.description).toBe(15);
  });
});
