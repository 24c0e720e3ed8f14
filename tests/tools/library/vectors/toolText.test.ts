import { describe, expect, it } from "vitest";
import { toolText, wordsOf } from "../../../../tools/library/vectors/embedding.js";

describe("the text of a tool", () => {
  it("is its name in words, then its description", () => {
    const text = toolText({ name: "area_ofCircle", description: "Area from the radius." });
    expect(text).toBe("area of circle Area from the radius.");
  });

  it.each([
    ["getUserToken_v2", "get user token v2"],
    ["HTTPServerName", "http server name"],
    ["calendar.create-event", "calendar create event"],
    ["GET /albums/{id}", "get albums id"],
    ["größeÄndern", "größe ändern"],
    ["__", ""],
  ])("spells %s as words", (identifier, words) => {
    expect(wordsOf(identifier)).toBe(words);
  });
});
