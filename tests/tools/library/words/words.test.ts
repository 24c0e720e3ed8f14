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
  it("are read by fields, at any depth of its parameters", () => {
    const tool = {
      ...declared("findRoom", "Finds rooms in a room list.", {
        when: { type: "object", description: "the night", properties: { day: { type: "string" } } },
        guests: { type: "array", items: { type: "string", enum: ["adult", "child"] } },
      }),
      provider: "Room Service",
      providerDescription: "rooms everywhere",
      category: "Travel",
    };
    expect(toolWords(tool)).toEqual({
      name: ["find", "room"],
      source: ["room", "service", "travel"],
      description: ["find", "room", "room", "list"],
      parameters: ["day", "guest"],
      details: ["room", "everywhere", "night", "adult", "child"],
    });
  });
});
