import { expect, it } from "vitest";
import { inTurns } from "../../server/runs/servedGraphs.js";

it("steps go on in their order, one in each turn of the event loop, so that others come in between", async () => {
  const turn = inTurns();
  const seen: string[] = [];
  const step = async (name: string) => {
    await turn();
    seen.push(name);
    setImmediate(() => seen.push(`others after ${name}`));
  };
  await Promise.all(["one", "two", "three"].map(step));
  await turn();
  expect(seen).toEqual([
    "one",
    "two",
    "others after one",
    "three",
    "others after two",
    "others after three",
  ]);
});
