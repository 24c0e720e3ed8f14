import { describe, expect, it } from "vitest";
import { nextStep } from "../../../eval/simulated/act.js";
import type { PolicyTraits } from "../../../eval/simulated/policyParameters.js";
import type { ActInput } from "../../../nodes/acting/actInput.js";
import { TOOLS, acting, empty, failed, settings, shareOfSeeds, told, tool } from "./support.js";

const FEE = told("fee_a", "customs fee (import duty)", "AB23-CD45");
const DATE = told("date_a", "delivery date (day of arrival)", "EF67-GH89");

/** The next call of a policy with the given errors. */
function step(changes: Partial<ActInput> = {}, traits: Partial<PolicyTraits> = {}, seed = 1) {
  return nextStep(acting(changes), settings(traits, seed)).calls?.[0];
}

describe("a step of the simulated policy", () => {
  it("calls one tool that fits what is asked first, with the reference of the request", () => {
    const call = step();
    expect(["fee_a", "fee_b"]).toContain(call?.name);
    expect(call?.args).toEqual({ reference: "PK-10423" });
  });

  it("is the same for the same situation and seed, and not for every seed", () => {
    expect(step({}, {}, 7)).toEqual(step({}, {}, 7));
    const share = shareOfSeeds(100, (seed) => step({}, {}, seed)?.name === "fee_a");
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.7);
  });

  it("goes on to the next need once a fact is found, and ends with all facts", () => {
    expect(step({ observations: [FEE] })?.name).toMatch(/^date_/);
    expect(step({ observations: [FEE, DATE] })).toEqual({
      name: "finish",
      args: {
        return_type: "give_answer",
        final_answer: "the import duty: AB23-CD45; the day of arrival: EF67-GH89",
        solved: true,
      },
    });
  });

  it("ends with stop in graphs that do not search over steps", () => {
    expect(step({ observations: [FEE, DATE], search: undefined })).toMatchObject({
      name: "stop",
      args: { solved: true },
    });
  });

  it("tries another fitting tool after an error or a text without the fact", () => {
    expect(step({ observations: [failed("fee_a")] })?.name).toBe("fee_b");
    const nothing = empty("fee_b", "customs fee (import duty)");
    expect(step({ observations: [nothing] })?.name).toBe("fee_a");
  });

  it("gives up to try another way when every fitting tool was called in vain", () => {
    const observations = [failed("fee_a"), failed("fee_b"), DATE];
    const call = step({ observations });
    expect(call).toMatchObject({ name: "finish", args: { return_type: "give_up_and_restart" } });
    expect(call?.args["final_answer"]).toContain("the import duty");
  });

  it("answers with what there is when no tool on offer fits what is open", () => {
    const tools = TOOLS.filter(({ name }) => !name.startsWith("fee"));
    expect(step({ tools, observations: [DATE] })?.args).toEqual({
      return_type: "give_answer",
      final_answer: "the import duty: not found; the day of arrival: EF67-GH89",
      solved: false,
    });
  });

  it("ends when no tool is on offer at all", () => {
    expect(step({ tools: [] })).toMatchObject({
      name: "finish",
      args: { return_type: "give_answer" },
    });
  });

  it("does something else than was tried at the same point before", () => {
    const calls = [{ name: "fee_a", args: {}, observation: "Error: x" }];
    const names = [1, 2, 3, 4, 5].map(
      (seed) => step({ search: { attempts: [{ calls, text: "" }] } }, {}, seed)?.name,
    );
    expect(new Set(names)).toEqual(new Set(["fee_b"]));
  });

  it("reads results that come as data as well as texts", () => {
    const result = { "customs fee (import duty)": "of parcel: AB23-CD45" };
    const observation = { tool: "fee_a", args: {}, result };
    expect(step({ observations: [observation] })?.name).toMatch(/^date_/);
  });
});

describe("a step of the simulated policy that is told prices", () => {
  const prices = { fee_a: 9, fee_b: 2, date_a: 3, date_b: 7, weight: 1 };
  const budget = (left: number) => ({ left, unit: "units" as const, prices });

  it("takes the cheapest fitting tool when it heeds them", () => {
    expect(step({ budget: budget(20) })?.name).toBe("fee_b");
    expect(step({ budget: budget(20), observations: [FEE] })?.name).toBe("date_a");
  });

  it("passes over what cannot be paid, and ends when nothing can", () => {
    expect(step({ budget: budget(5), observations: [failed("fee_b")] })?.name).toBe("date_a");
    expect(step({ budget: budget(1), observations: [FEE] })?.args).toMatchObject({
      return_type: "give_answer",
    });
  });

  it("takes them as if there were no prices when it does not heed them", () => {
    const traits = { heedsPrices: 0 };
    const share = shareOfSeeds(
      100,
      (seed) => step({ budget: budget(20) }, traits, seed)?.name === "fee_a",
    );
    expect(share).toBeGreaterThan(0.3);
  });
});

describe("an error of the simulated policy", () => {
  it("is another tool than the one that fits, as often as its traits say", () => {
    const share = shareOfSeeds(1000, (seed) =>
      ["date_a", "date_b", "weight"].includes(step({}, { callsWrongTool: 0.5 }, seed)?.name ?? ""),
    );
    // Of four others, three do not fit either.
    expect(share).toBeCloseTo(0.5 * 0.75, 1);
  });

  it("is the last call once more, word for word", () => {
    const last = { ...failed("fee_a"), args: { reference: "PK-10423", odd: 1 } };
    expect(step({ observations: [last] }, { repeatsCall: 1 })).toEqual({
      name: "fee_a",
      args: last.args,
    });
    const share = shareOfSeeds(
      1000,
      (seed) => step({ observations: [last] }, { repeatsCall: 0.2 }, seed)?.name === "fee_a",
    );
    expect(share).toBeCloseTo(0.2, 1);
  });

  it("is a call of a tool that was taken away, unless it heeds that", () => {
    const situation = {
      tools: TOOLS.slice(1),
      observations: [failed("fee_a")],
      withheld: { forbidden: [], useless: ["fee_a"] },
    };
    expect(step(situation, { repeatsCall: 1 })?.name).toBe("fee_b");
    expect(step(situation, { repeatsCall: 1, heedsWithheld: 0 })?.name).toBe("fee_a");
  });

  it("is an early end, but not before anything was called", () => {
    const early = step({ observations: [FEE] }, { finishesEarly: 1 });
    expect(early).toMatchObject({ name: "finish", args: { return_type: "give_answer" } });
    expect(early?.args["final_answer"]).toContain("AB23-CD45");
    expect(step({}, { finishesEarly: 1 })?.name).toMatch(/^fee_/);
  });

  it("is to take fluent words for the fact, the same words every time", () => {
    const nothing = empty("fee_a", "customs fee (import duty)");
    const misled = step({ observations: [nothing, DATE] }, { believesEmptyText: 1 });
    expect(misled?.args["final_answer"]).toContain("the import duty: see the general terms");
    for (const seed of [1, 2, 3, 4, 5]) {
      const traits = { believesEmptyText: 0.5 };
      const first = step({ observations: [nothing] }, traits, seed)?.name.startsWith("date");
      const later = step({ observations: [failed("date_a"), nothing] }, traits, seed);
      expect(later?.name.startsWith("date")).toBe(first);
    }
  });

  it("never hides a fact behind fluent words that came before it", () => {
    const nothing = empty("fee_b", "customs fee (import duty)");
    const answer = step({ observations: [nothing, FEE, DATE] }, { believesEmptyText: 1 });
    expect(answer?.args["final_answer"]).toContain("AB23-CD45");
  });
});

describe("a thought of the simulated policy", () => {
  it("stands beside a call as often as its traits say", () => {
    const share = shareOfSeeds(
      1000,
      (seed) => nextStep(acting(), settings({ thinksAloud: 0.5 }, seed)).text !== "",
    );
    expect(share).toBeCloseTo(0.5, 1);
  });
});

describe("the arguments of a call of the simulated policy", () => {
  it("are those that the tool wants, and none where it wants none", () => {
    const other = { ...tool("fee_c", "import duty"), parameters: { type: "object" } };
    expect(step({ tools: [other] })).toEqual({ name: "fee_c", args: {} });
  });

  it("hold the request where it names no reference", () => {
    const request = "Please tell me the import duty.";
    expect(step({ request })?.args).toEqual({ reference: request });
  });
});
