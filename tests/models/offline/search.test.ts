import { describe, expect, it } from "vitest";
import type { ActInput } from "../../../nodes/acting/actInput.js";
import type { Attempt, Observation } from "../../../nodes/shared/stageInputs.js";
import { callsOf } from "./callsOf.js";
import { CALCULATOR, number, shown, tool } from "./libraries.js";

const TOOLS = CALCULATOR.map(shown);
const [PLUS, TIMES] = ["plus", "times"].map((name) => TOOLS.find((one) => one.name === name));
const TWINS = ["addition", "add_two_numbers", "sum_up_numbers"].map((name) =>
  shown(
    tool({
      name,
      description: "Add two numbers.",
      properties: { a: number("first number"), b: number("second number") },
    }),
  ),
);

const SUM = { a: 2, b: 3 };
const REQUEST = "What is 2 + 3?";

async function nextStep(more: Partial<ActInput>): Promise<{ name: string; args: unknown }[]> {
  const input: ActInput = {
    request: REQUEST,
    steps: [],
    missed: [],
    tools: TOOLS,
    observations: [],
    earlierTurns: [],
    search: { attempts: [] },
    ...more,
  };
  const calls = await callsOf(input);
  return calls.map(({ name, args }) => ({ name, args }));
}

function attempt(name: string, observation: string, args: Record<string, unknown> = SUM): Attempt {
  return { text: "", calls: [{ name, args, observation }] };
}

function answer(final_answer: string) {
  return [{ name: "finish", args: { return_type: "give_answer", final_answer } }];
}

function givingUp(reason: RegExp) {
  const args = {
    return_type: "give_up_and_restart",
    final_answer: expect.stringMatching(reason) as string,
  };
  return [{ name: "finish", args }];
}

describe("acting in a search over steps", () => {
  it("makes the calls that it makes without a search, and ends with finish", async () => {
    expect(await nextStep({})).toEqual([{ name: "plus", args: SUM }]);
    const observations = [{ tool: "plus", args: SUM, result: 5 }];
    expect(await nextStep({ observations })).toEqual(answer("The result is 5."));
  });

  it("gives up with the reason when a step cannot be done", async () => {
    const tools = TOOLS.filter(({ name }) => name !== "plus");
    expect(await nextStep({ tools })).toEqual(givingUp(/step 1 .* could not be done/));
  });

  it("makes a call once for two steps that need the same one", async () => {
    const request = "What is (2 + 3) * (2 + 3)?";
    expect(await nextStep({ request })).toEqual([{ name: "plus", args: SUM }]);
    const observations: Observation[] = [{ tool: "plus", args: SUM, result: 5 }];
    expect(await nextStep({ request, observations })).toEqual([
      { name: "times", args: { a: 5, b: 5 } },
    ]);
  });

  it("takes the next best tool each time the same call was tried at this point", async () => {
    const attempts: Attempt[] = [];
    const made: string[] = [];
    for (const _twin of TWINS) {
      const [call] = await nextStep({ tools: TWINS, search: { attempts } });
      made.push(call?.name ?? "");
      attempts.push(attempt(call?.name ?? "", "Error: out of order"));
    }
    expect(made.toSorted()).toEqual(TWINS.map(({ name }) => name).toSorted());
    expect(await nextStep({ tools: TWINS, search: { attempts } })).toEqual(
      givingUp(/not to be called any more/),
    );
  });

  it("also looks for another way if the call that was tried had a result", async () => {
    const [first] = await nextStep({ tools: TWINS });
    const attempts = [attempt(first?.name ?? "", "5")];
    const [second] = await nextStep({ tools: TWINS, search: { attempts } });
    expect(TWINS.map(({ name }) => name)).toContain(second?.name);
    expect(second?.name).not.toBe(first?.name);
  });

  it("keeps the call that worked when only one of several failed", async () => {
    const request = "What is (2 + 3) * (4 + 5)?";
    const tools = [...TWINS, ...(TIMES ? [TIMES] : [])];
    const calls = await nextStep({ request, tools });
    expect(calls).toMatchObject([{ args: SUM }, { args: { a: 4, b: 5 } }]);
    const tried = calls.map(({ name, args }, at) => ({
      name,
      args: args as Record<string, unknown>,
      observation: at === 0 ? "Error: out of order" : "9",
    }));
    const attempts = [{ text: "", calls: tried }];
    const [other, same] = await nextStep({ request, tools, search: { attempts } });
    expect(other).toMatchObject({ args: SUM });
    expect(other?.name).not.toBe(calls[0]?.name);
    expect(same).toEqual(calls[1]);
  });

  it("ignores attempts at this point that it would not make now", async () => {
    const attempts = [attempt("plus", "7", { a: 3, b: 4 })];
    expect(await nextStep({ search: { attempts } })).toEqual([{ name: "plus", args: SUM }]);
  });

  it("gives up rather than give the same answer at the same point again", async () => {
    const observations = [{ tool: "plus", args: SUM, result: 5 }];
    const [finish] = answer("The result is 5.");
    const attempts = [attempt("finish", "", finish?.args)];
    expect(await nextStep({ observations, search: { attempts } })).toEqual(
      givingUp(/same answer .* 5\.$/),
    );
  });
});

describe("acting when tools were withdrawn", () => {
  const observations = [{ tool: "plus", args: SUM, result: 5 }];
  const retired = PLUS ? [PLUS] : [];

  it("answers from their results, even if no tool is offered any more", async () => {
    const input = { tools: [], retired, observations };
    expect(await nextStep(input)).toEqual(answer("The result is 5."));
    expect(await nextStep({ ...input, search: undefined })).toEqual([
      { name: "stop", args: { message: "The result is 5.", solved: true } },
    ]);
  });

  it("continues from their results with the remaining tools", async () => {
    const request = "What is (2 + 3) * 7?";
    const tools = TIMES ? [TIMES] : [];
    expect(await nextStep({ request, tools, retired, observations })).toEqual([
      { name: "times", args: { a: 5, b: 7 } },
    ]);
  });

  it("does not call them, and says what was found and what is missing", async () => {
    const request = "What is (2 + 3) * (4 + 5)?";
    const [end] = await nextStep({ request, tools: [], retired, observations });
    expect([end]).toEqual(givingUp(/step 2 .* plus is not to be called any more/));
    expect(end?.args).toMatchObject({
      final_answer: expect.stringContaining("So far: The result is 5."),
    });
  });

  it("gives up in words when nothing was on offer at all", async () => {
    expect(await nextStep({ tools: [] })).toEqual(givingUp(/none of the offered tools/));
  });
});
