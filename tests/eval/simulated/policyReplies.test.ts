import { describe, expect, it } from "vitest";
import {
  type PolicySettings,
  registerSimulated,
  replyByPolicy,
} from "../../../eval/simulated/provider.js";
import { openChatModel } from "../../../models/chat/chat.js";
import type { JudgeInput } from "../../../nodes/acting/judge.js";
import type { SummarizeInput } from "../../../nodes/stepSearch/summarize.js";
import type { VoteInput } from "../../../nodes/stepSearch/vote.js";
import type { Attempt } from "../../../state/searchTree.js";
import { REQUEST, settings, shareOfSeeds } from "./support.js";

const FACT = "customs fee (import duty) of parcel PK-10423: AB23-CD45";
const EMPTY = "customs fee (import duty) of parcel PK-10423: see the general terms";
const OTHER = "shipping weight (mass) of parcel PK-10423: XY23-ZA45";

function told(stage: string, input: object, by: PolicySettings): Record<string, unknown> {
  const { text = "" } = replyByPolicy({ stage, input }, by) ?? {};
  return JSON.parse(text) as Record<string, unknown>;
}

function judging(result: string): JudgeInput {
  const tool = { name: "fee_a", description: "" };
  return { request: REQUEST, tool, args: {}, result, earlierTurns: [] };
}

function verdict(result: string, by: PolicySettings = settings()): unknown {
  return told("judge", judging(result), by)["helpful"];
}

describe("a verdict of the simulated policy", () => {
  it("is that a call helped which told a fact that was asked for", () => {
    expect(verdict(FACT)).toBe(true);
    expect(verdict(EMPTY)).toBe(false);
    expect(verdict(OTHER)).toBe(false);
    expect(verdict("Error: ServiceUnavailable: could not be reached")).toBe(false);
  });

  it("is wrong as often as its traits say", () => {
    const share = shareOfSeeds(1000, (seed) =>
      Boolean(verdict(FACT, settings({ judgesRight: 0.8 }, seed))),
    );
    expect(share).toBeCloseTo(0.8, 1);
  });
});

function attempt(observation: string): Attempt {
  return { text: "", calls: [{ name: "t", args: {}, observation }] };
}

/** The letter for the better of two continuations, the second of which found a fact. */
function vote(change: Partial<VoteInput>, by: PolicySettings = settings()): unknown {
  const [first, second] = [attempt(EMPTY), attempt(FACT)];
  const input = { request: REQUEST, history: [], earlierTurns: [], first, second, ...change };
  return told("vote", input, by)["better"];
}

describe("a vote of the simulated policy", () => {
  it("names the continuation that told more of what was asked, wherever it stands", () => {
    expect(vote({})).toBe("B");
    expect(vote({ first: attempt(FACT), second: attempt(OTHER) })).toBe("A");
  });

  it("does not count what the steps before had told already", () => {
    const history = [attempt(FACT)];
    const letters = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => vote({ history }, settings({}, seed)));
    expect(new Set(letters)).toEqual(new Set(["A", "B"]));
  });

  it("is wrong as often as its traits say", () => {
    const share = shareOfSeeds(
      1000,
      (seed) => vote({}, settings({ votesRight: 0.7 }, seed)) === "B",
    );
    expect(share).toBeCloseTo(0.7, 1);
  });
});

/** The summary of a policy that believes whatever it can. */
function summary(changes: Partial<SummarizeInput>): unknown {
  const input = { request: REQUEST, findings: [], draft: "", earlierTurns: [], ...changes };
  return told("summarize", input, settings({ believesEmptyText: 1 }))["answer"];
}

describe("a summary of the simulated policy", () => {
  const tool = { name: "t", description: "" };

  it("has the facts of all calls and says what is missing", () => {
    const calls = [
      { args: {}, error: "x" },
      { args: {}, result: EMPTY },
      { args: {}, result: FACT },
    ];
    expect(summary({ findings: [{ tool, calls }], draft: "nothing" })).toBe(
      "the import duty: AB23-CD45; the day of arrival: not found",
    );
  });

  it("is the draft where no call told anything", () => {
    expect(summary({ draft: "I could not find it." })).toBe("I could not find it.");
    expect(summary({})).toBe("the import duty: not found; the day of arrival: not found");
  });
});

it("says what is not simulated", async () => {
  registerSimulated();
  const { chat } = await openChatModel("simulated:policy", { maxOutputTokens: 100 });
  const input = { request: REQUEST, earlierTurns: [], task: "a", similar: [], callable: [] };
  await expect(chat.invoke("", { stage: "writeTool", input } as object)).rejects.toThrow(
    /stage writeTool.*not simulated/,
  );
});
