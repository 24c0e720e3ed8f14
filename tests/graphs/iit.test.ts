import { describe, expect, it } from "vitest";
import type { GraphId } from "../../graphs/index.js";
import type { Question, Reply } from "../fakes/scriptedModel.js";
import { MINE, call, plan, said, useWorkItems } from "./workItems.js";

useWorkItems();

describe.each<GraphId>(["iit_main", "iit_reflexion", "iit_enforced"])("%s", (id) => {
  it("repairs a plan as far as possible without a model, and calls nothing", async () => {
    const written = [
      call("whoAmI"),
      call("works_list", { createdBy: "$$PREV[0]", limit: "3" }),
      call("summarize", { objects: ["$$PREV[1]"] }),
    ];
    const { result, answer } = await plan(id, {
      replies: accepting(`So:\n${JSON.stringify(written)}`),
    });
    expect(answer).toEqual([
      call("who_am_i"),
      call("works_list", { created_by: ["$$PREV[0]"], limit: 3 }),
      call("summarize", { objects: "$$PREV[1]" }),
    ]);
    expect(result).toMatchObject({ status: "planned", calls: [], plan: { issues: [] } });
    expect(result.plan?.repairs.join("\n")).toMatch(
      /unknown argument createdBy was taken for created_by/,
    );
  });

  it("answers [] if nothing can be done, and what is wrong stays visible", async () => {
    const none = await plan(id, { replies: accepting("[]") });
    expect(none.answer).toEqual([]);
    expect(none.result.status).toBe("unsolved");
    const wrong = await plan(id, { replies: accepting(JSON.stringify([call("share")])) });
    expect(wrong.answer).toEqual([call("share")]);
    expect(wrong.result.status).toBe("unsolved");
    expect(wrong.result.plan?.issues.map(({ kind }) => kind)).toEqual([
      "missing argument",
      "missing argument",
    ]);
  });
});

describe("iit_reflexion", () => {
  const poor = [call("works_list"), call("summarize", { objects: "$$PREV[0]" })];
  const isNever: Reply = said({ accepted: false, cue: "Find out first who asks." });

  it("rewrites a plan by the cue, and ends when one is accepted", async () => {
    const { result, questions, answer } = await plan("iit_reflexion", {
      replies: [said(poor), isNever, said(MINE), said({ accepted: "true", cue: "" })],
    });
    expect(questions.map(({ stage }) => stage)).toEqual([
      "compose",
      "reflect",
      "compose",
      "reflect",
    ]);
    const again = questions[2]?.messages.at(-1)?.text;
    expect(again).toContain(JSON.stringify(poor));
    expect(again).toContain("Find out first who asks.");
    expect(answer).toEqual(MINE);
    expect(result).toMatchObject({ status: "planned", plan: { accepted: true } });
  });

  it("is told what the check found, and cannot accept a faulty plan", async () => {
    const { questions, answer } = await plan("iit_reflexion", {
      replies: [
        said([call("summarize", { objects: "$$PREV[3]" })]),
        said({ accepted: true, cue: "" }),
        said(MINE),
        said({ accepted: true, cue: "" }),
      ],
    });
    const input = questions[1]?.input as { problems: string[] };
    expect(input.problems.join("\n")).toMatch(/\$\$PREV\[3\] refers to no step/);
    expect(answer).toEqual(MINE);
  });

  it("reflects at most twice, and answers with the last plan", async () => {
    const { result, questions, answer } = await plan("iit_reflexion", {
      replies: ({ stage }) => (stage === "reflect" ? isNever : said(poor)),
    });
    expect(questions.filter(({ stage }) => stage === "reflect")).toHaveLength(2);
    expect(questions).toHaveLength(5);
    expect(answer).toEqual(poor);
    expect(result.status).toBe("planned");
  });
});

describe("iit_code", () => {
  it("asks again for code that says more than a plan, with the line and what is allowed", async () => {
    const { answer, questions } = await plan("iit_code", {
      replies: [
        { text: "const all = works_list();\nfor (const one of all) summarize([one]);" },
        { text: "who_am_i();" },
      ],
    });
    expect(questions[1]?.messages.at(-1)?.text).toMatch(/line 2: "for \(.*not allowed; write only/);
    expect(answer).toEqual([call("who_am_i")]);
  });
});

/** A model that says this whenever it is asked for a plan, and accepts all plans. */
function accepting(text: string) {
  return ({ stage }: Question): Reply =>
    stage === "reflect" ? said({ accepted: true, cue: "" }) : { text };
}
