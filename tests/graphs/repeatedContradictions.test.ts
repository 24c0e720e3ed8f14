import { expect, it } from "vitest";
import type { Reply } from "../fakes/scriptedModel.js";
import { useClaims } from "./claimRuns.js";
import { programRun } from "./tulipRuns.js";

const { saidAfterCalls, settings } = useClaims("house");

const add = (name: string) => ({ name: "addContacts", args: { names: [name] } });

it("what was done is not denied by a second call of the same that found it done", async () => {
  const calls = [add("Ben"), add("Ben"), add("Ben")];
  const answer = "Ben was added to the contacts.";
  const { status, answer: said, calls: made } = await saidAfterCalls("Add Ben", calls, answer);
  expect(made.map(({ result }) => result)).toEqual([{ added: ["Ben"] }, undefined, { added: [] }]);
  expect({ status, said }).toEqual({ status: "solved", said: answer });
});

it("an answer that contradicts its calls after each new call ends the run", async () => {
  let at = 0;
  const script = (): Reply =>
    at++ % 2 === 0
      ? { calls: [{ name: "getStock", args: { sku: `SKU-${at}` } }] }
      : { stop: "Ann was added to the contacts.", solved: true };
  const first: Reply = { calls: [add("Ann")] };
  const run = programRun({
    request: "Add Ann to the contacts",
    settings,
    graph: "naive_tool",
    script: (question) => (question.stage === "act" && at === 0 ? (at++, first) : script()),
  });
  const { state } = await run.start();
  expect(state.status).toBe("unsolved");
  expect(state.usage.modelCalls).toBeLessThan(9);
});
