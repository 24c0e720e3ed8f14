import { describe, expect, it } from "vitest";
import { nextLikely, type Ranked } from "../../../../tools/library/search/rank.js";

const NONE = { near: 0, words: 0, name: 0, description: 0, contrary: 0, deprecated: 0, local: 0 };

/** Tools "group.name" with their scores, the best first. */
const ranked = (scores: Record<string, number>): Ranked[] =>
  Object.entries(scores).map(([id, score], position) => ({
    id,
    position,
    score,
    distance: 1,
    evidence: NONE,
  }));

const SCORES = {
  "mail.send": 10,
  "maps.route": 5.2,
  "maps.near": 5.1,
  "maps.tiles": 5,
  "news.today": 4.9,
  "mail.move": 1.2,
};

const kinOf = (id: string) =>
  Object.keys(SCORES).filter((other) => other.split(".")[0] === id.split(".")[0]);

const named = (question: Parameters<typeof nextLikely>[2], shown = 1) =>
  nextLikely(ranked(SCORES), shown, question).map(({ id }) => id);

describe("the next likely tools", () => {
  it("are those with the highest scores", () => {
    expect(named({})).toEqual(["maps.route", "maps.near", "maps.tiles", "news.today"]);
  });

  it("are first those of the group of which several fit, and also those of a likely tool's group", () => {
    expect(named({ kinOf })).toEqual([
      "maps.route",
      "maps.near",
      "maps.tiles",
      "mail.move",
      "news.today",
    ]);
  });

  it("are first those that are short to tell, of those about as likely", () => {
    const lengths = new Map(Object.keys(SCORES).map((id) => [id, id === "maps.near" ? 20 : 40]));
    expect(named({ lengthsOf: () => lengths })[0]).toBe("maps.near");
  });
});
