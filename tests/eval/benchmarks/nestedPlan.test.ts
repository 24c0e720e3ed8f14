import { describe, expect, it } from "vitest";
import { nestedPlan } from "../../../eval/benchmarks/taskOf.js";

describe("gold calls that refer to earlier ones", () => {
  it("become a plan with a reference for each label, its fields and positions included", () => {
    const plan = nestedPlan([
      { tool: "find", args: { city: "Rome" }, label: "var1" },
      { tool: "book", args: { hotel: "$var1.hotels[0].name$" }, label: "var2" },
      { tool: "show", args: { booking: "$var2$" }, label: "var3" },
    ]);
    expect(plan?.steps.map(({ args }) => args)).toEqual([
      { city: "Rome" },
      { hotel: { $prev: 0, path: ["hotels", 0, "name"] } },
      { booking: { $prev: 1, path: [] } },
    ]);
  });

  it("may hold references within texts, lists and objects", () => {
    const plan = nestedPlan([
      { tool: "make", args: {}, label: "a" },
      {
        tool: "send",
        args: { text: "Id: $a.id$.", to: ["$a.owner$"], options: { copy: "$a.owner$" } },
        label: "b",
      },
    ]);
    const owner = { $prev: 0, path: ["owner"] };
    expect(plan?.steps[1]?.args).toEqual({
      text: { $text: ["Id: ", { $prev: 0, path: ["id"] }, "."] },
      to: [owner],
      options: { copy: owner },
    });
  });

  it("leave texts alone that stand between amounts in dollars", () => {
    const plan = nestedPlan([{ tool: "find", args: { price: "$100-$150" }, label: "var1" }]);
    expect(plan?.steps[0]?.args).toEqual({ price: "$100-$150" });
  });

  it("are no plan where nothing has a label", () => {
    expect(nestedPlan([{ tool: "find", args: { city: "Rome" } }])).toBeUndefined();
  });
});
