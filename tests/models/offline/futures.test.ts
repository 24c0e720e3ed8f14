import { describe, expect, it } from "vitest";
import { futureResult, partFor, planValue } from "../../../models/offline/futures.js";
import { parametersOf } from "../../../models/offline/parameters.js";
import { readMentions } from "../../../models/offline/quantities.js";
import { writtenValue } from "../../../plans/solutionText.js";
import type { JsonSchema } from "../../../tools/tool.js";

/** The part of a result that a parameter takes, as in plans; with "?" if it depends on the value. */
function part(options: {
  of: JsonSchema | undefined;
  parameter: JsonSchema;
  name?: string;
  step?: string;
}): unknown {
  const { of, parameter: schema, name = "value", step = "use the result of step 1" } = options;
  const [parameter] = parametersOf({
    parameters: { type: "object", properties: { [name]: schema } },
  });
  const [mention] = readMentions(step);
  if (!parameter || !mention) throw new Error("there is nothing to look for");
  const found = partFor({ parameter, mention, result: futureResult({ $prev: 0, path: [] }, of) });
  return found && `${String(writtenValue(planValue(found)))}${found.isCertain ? "" : "?"}`;
}

const NUMBER = { type: "number" };
const TEXT = { type: "string" };
const NUMBERS = { type: "array", items: NUMBER };

describe("a part of a future result", () => {
  it.each([
    ["a number of a number", NUMBER, NUMBER, "$$PREV[0]"],
    [
      "a number of one that may be null",
      { anyOf: [NUMBER, { type: "null" }] },
      NUMBER,
      "$$PREV[0]",
    ],
    ["the last number of a list", NUMBERS, NUMBER, "$$PREV[0][-1]"],
    ["a whole list", NUMBERS, NUMBERS, "$$PREV[0]"],
    ["no number of a list of texts", { type: "array", items: TEXT }, NUMBER, undefined],
    ["no number of a truth value", { type: "boolean" }, NUMBER, undefined],
    ["no list of a number", NUMBER, NUMBERS, undefined],
    ["a number that a text may tell", TEXT, NUMBER, "$$PREV[0]?"],
    ["a number of anything", undefined, NUMBER, "$$PREV[0]?"],
    ["anything of anything", undefined, {}, "$$PREV[0]"],
    [
      "the only text of a list that may have one item",
      { type: "array", items: TEXT },
      TEXT,
      "$$PREV[0][0]?",
    ],
  ])("is %s", (_, of, parameter, expected) => {
    expect(part({ of, parameter })).toBe(expected);
  });

  it("is the field that the step names, else the only one of its type", () => {
    const properties = { width: NUMBER, height: NUMBER };
    const of = { type: "object", properties };
    const step = "use the height of the result of step 1";
    expect(part({ of, parameter: NUMBER, step })).toBe("$$PREV[0].height");
    expect(part({ of, parameter: NUMBER })).toBeUndefined();
    const single = { type: "object", properties: { label: TEXT, "in total": NUMBER } };
    expect(part({ of: single, parameter: NUMBER })).toBe('$$PREV[0]["in total"]');
  });

  it("is the text field that the parameter is called by", () => {
    const of = { type: "object", properties: { name: TEXT, email: TEXT } };
    expect(part({ of, parameter: TEXT, name: "email" })).toBe("$$PREV[0].email");
  });

  it("is one of the allowed texts only if the result cannot be another", () => {
    const parameter = { type: "string", enum: ["low", "high"] };
    expect(part({ of: { type: "string", enum: ["high"] }, parameter })).toBe("$$PREV[0]");
    expect(part({ of: TEXT, parameter })).toBeUndefined();
  });
});
