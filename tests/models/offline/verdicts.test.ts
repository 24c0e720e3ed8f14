import { describe, expect, it } from "vitest";
import { jsonObject } from "../../../models/reply.js";
import type { Reply } from "../../../models/prompt.js";
import { replyToSummarize } from "../../../models/offline/summary.js";
import { replyToJudge, replyToVote } from "../../../models/offline/verdicts.js";
import type { SummarizeInput } from "../../../nodes/searching-steps/summarize.js";
import type { Attempt } from "../../../nodes/shared/stageInputs.js";

const SITUATION = { request: "How far?", earlierTurns: [] };

async function saidIn(reply: Promise<Reply>) {
  const said = await reply;
  return "text" in said ? jsonObject(said.text) : undefined;
}

describe("the offline planner as a judge", () => {
  it.each([
    ["42", true],
    ["Errors: none found", true],
    ["Error: no such city", false],
    ["RangeError: too far", false],
  ])("takes %j for helpful: %s", async (result, helpful) => {
    const tool = { name: "distance", description: "Distance of two cities" };
    const input = { ...SITUATION, tool, args: {}, result };
    expect(await saidIn(replyToJudge(input))).toMatchObject({ helpful });
  });
});

function step(...observations: string[]): Attempt {
  const calls = observations.map((observation) => ({ name: "distance", args: {}, observation }));
  return { text: "", calls };
}

function end(return_type: string): Attempt {
  return { text: "", calls: [{ name: "finish", args: { return_type }, observation: "" }] };
}

async function better(first: Attempt, second: Attempt): Promise<unknown> {
  return (await saidIn(replyToVote({ ...SITUATION, history: [], first, second })))?.["better"];
}

describe("the offline planner as a voter", () => {
  it("prefers the continuation with more successful calls, in either position", async () => {
    const [more, less] = [step("1", "2"), step("1", "Error: no such city")];
    expect(await better(more, less)).toBe("A");
    expect(await better(less, more)).toBe("B");
  });

  it("names the first of two that are equal, so that they share the point", async () => {
    expect(await better(step("1"), step("2"))).toBe("A");
    expect(await better(step("2"), step("1"))).toBe("A");
  });

  it("prefers an answer to giving up", async () => {
    expect(await better(end("give_up_and_restart"), end("give_answer"))).toBe("B");
    expect(await better(end("give_answer"), end("give_up_and_restart"))).toBe("A");
  });
});

describe("the offline planner as a writer of summaries", () => {
  const findings: SummarizeInput["findings"] = [
    {
      tool: { name: "distance", description: "Find the distance between two cities." },
      calls: [{ args: {}, result: 504 }],
    },
    {
      tool: { name: "rail_fare", description: "Get the price of a ticket." },
      calls: [{ args: {}, error: "no such train" }],
    },
  ];
  const answer = async (more: Partial<SummarizeInput>) =>
    (await saidIn(replyToSummarize({ ...SITUATION, findings, draft: "", ...more })))?.["answer"];

  it("keeps the answer of the search if there is one", async () => {
    expect(await answer({ draft: "It is 504 km." })).toBe("It is 504 km.");
  });

  it("gives results without the names of tools if the search has no answer", async () => {
    expect(await answer({ findings: findings.slice(0, 1) })).toBe("The result is 504.");
  });

  it("says what was found and what could not be done", async () => {
    const text = await answer({});
    expect(text).toMatch(/price of a ticket could not be done: no such train\. So far: .*504/);
    expect(text).not.toContain("rail_fare");
  });
});
