import * as fc from "fast-check";
import type { PlanStep, PlanValue } from "../../../plans/steps/plan.js";
import { textOf } from "../../../plans/steps/references.js";
import { tool } from "./planTools.js";

/** Tools that take any arguments by name. */
export const anyTools = ["add", "get-item", "new", "2d", "äh", "a b"].map((id) => ({
  ...tool({ id, required: { value: { type: "string" } } }),
}));

const word = fc.string({ maxLength: 12 }).filter((text) => !text.includes("PREV"));
const letters = fc
  .string({ unit: "binary", maxLength: 8 })
  .filter((text) => !text.includes("PREV"));
const key = fc
  .oneof(fc.constantFrom("a", "first name", "class", "0", '"'), word)
  .filter((text) => text !== "__proto__");

/** Whole numbers that cannot be told from their neighbours are refused. */
const exactNumber = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((number) => number + 0)
  .filter((number) => Number.isSafeInteger(number) || !/^-?\d+$/.test(String(number)));

/** Plans with all that code can say: deep data, strange keys and letters, templates, parts of results. */
export const anyPlan: fc.Arbitrary<PlanStep[]> = fc
  .array(fc.constantFrom(...anyTools.map(({ id }) => id)), { minLength: 1, maxLength: 4 })
  .chain((ids) =>
    fc.tuple(...ids.map((id, at) => fc.record({ tool: fc.constant(id), args: argsAt(at) }))),
  );

/** One argument that the tool has is among them, so that the object holds arguments. */
function argsAt(at: number): fc.Arbitrary<Record<string, PlanValue>> {
  const value = valueAt(at);
  return fc
    .tuple(value, fc.dictionary(key, value, { maxKeys: 2 }))
    .map(([own, others]) => ({ ...others, value: own }));
}

function valueAt(at: number): fc.Arbitrary<PlanValue> {
  const reference = fc.record({
    $prev: fc.nat(Math.max(0, at - 1)),
    path: fc.array(fc.oneof(key, fc.integer({ min: -3, max: 99 })), { maxLength: 3 }),
  });
  const template = fc
    .tuple(letters, reference, letters)
    .map(([before, part, after]) => textOf([before, part, after].filter((one) => one !== "")));
  const leaf: fc.Arbitrary<PlanValue>[] = [
    letters,
    exactNumber,
    fc.boolean(),
    fc.constant(null),
    ...(at > 0 ? [reference, template] : []),
  ];
  const { tree } = fc.letrec<{ tree: PlanValue; leaf: PlanValue }>((tie) => ({
    leaf: fc.oneof(...leaf),
    tree: fc.oneof(
      { maxDepth: 3 },
      tie("leaf"),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(key, tie("tree"), { maxKeys: 3 }),
    ),
  }));
  return tree;
}
