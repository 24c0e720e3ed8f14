import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ToolEvidence,
  type ObservedCall,
  revisedValues,
  type ToolValue,
  type Valuation,
  valuesOf,
} from "../../../state/budget/toolValues.js";
import { evidenceOf, observedCalls, valuation } from "./arbitraryEvidence.js";

const CODE: Valuation = { rounding: "code", threshold: 0.15 };

/** Past requests by the tools called and their outcome: "+" helped, "-" did not. */
function past(requests: Record<string, "+" | "-">[], tools: string[]): ToolEvidence[] {
  return tools.map((tool) => ({
    tool,
    rows: requests.flatMap((request, query) =>
      request[tool]
        ? [{ query, similarity: 0.8, calls: 1, helpful: request[tool] === "+" ? 1 : 0 }]
        : [],
    ),
  }));
}

function helped(tool: string): ObservedCall {
  return { tool, helpful: true };
}

function failed(tool: string): ObservedCall {
  return { tool, helpful: false };
}

function valueOf(values: readonly ToolValue[], tool: string): number {
  return values.find((one) => one.tool === tool)?.value ?? NaN;
}

describe("revised values of any evidence", () => {
  it("are the initial ones if nothing was observed", () => {
    fc.assert(
      fc.property(evidenceOf(), valuation, (evidence, how) => {
        expect(revisedValues({ evidence, observed: [], ...how })).toEqual(
          valuesOf({ evidence, ...how }),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("never rise for a tool by one more failure of it, nor fall by one more help", () => {
    fc.assert(
      fc.property(evidenceOf(), observedCalls, valuation, (evidence, observed, how) => {
        const before = revisedValues({ evidence, observed, ...how });
        for (const { tool, value } of before) {
          const worse = [...observed, failed(tool)];
          const better = [...observed, helped(tool)];
          const after = (seen: ObservedCall[]): number =>
            valueOf(revisedValues({ evidence, observed: seen, ...how }), tool);
          expect(after(worse)).toBeLessThanOrEqual(value);
          expect(after(better)).toBeGreaterThanOrEqual(value);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("a tool that was called in this run", () => {
  const evidence = past([{ a: "+" }, { a: "+" }, { a: "+" }, { a: "-" }], ["a"]);
  const [first] = valuesOf({ evidence, ...CODE });

  it("is worth half as much after its first failure, and less with each more", () => {
    const once = revisedValues({ evidence, observed: [failed("a")], ...CODE });
    const twice = revisedValues({ evidence, observed: [failed("a"), failed("a")], ...CODE });
    expect(valueOf(once, "a")).toBeCloseTo((first?.value ?? NaN) / 2, 12);
    expect(valueOf(twice, "a")).toBeCloseTo((first?.value ?? NaN) / 3, 12);
  });

  it("has its calls subtracted from its bound, helpful or not", () => {
    const often = evidence.map((one) => ({
      ...one,
      rows: one.rows.map((row) => ({ ...row, calls: 3, helpful: 3 })),
    }));
    const boundAfter = (observed: ObservedCall[]): number | undefined =>
      revisedValues({ evidence: often, observed, ...CODE })[0]?.bound;
    expect(boundAfter([])).toBe(3);
    expect(boundAfter([{ tool: "a", helpful: null }])).toBe(2);
    expect(boundAfter([{ tool: "a", helpful: null }, helped("a")])).toBe(1);
    expect(boundAfter([helped("a"), helped("a"), helped("a"), helped("a")])).toBe(0);
  });

  it("keeps its value if no judge could tell", () => {
    const values = revisedValues({ evidence, observed: [{ tool: "a", helpful: null }], ...CODE });
    expect(valueOf(values, "a")).toBe(first?.value);
  });
});

describe("a tool that was not called in this run", () => {
  /** `forecast` and `map` go together; `climate` is called instead of `forecast`, or after it failed. */
  const tools = ["forecast", "map", "climate"];
  const evidence = past(
    [
      { forecast: "+", map: "+" },
      { forecast: "+", map: "+" },
      { forecast: "+", map: "-" },
      { forecast: "-", climate: "+" },
      { forecast: "-", climate: "+" },
      { climate: "+" },
      { climate: "-" },
    ],
    tools,
  );
  const before = valuesOf({ evidence, ...CODE });
  const after = (observed: ObservedCall[]): ToolValue[] =>
    revisedValues({ evidence, observed, ...CODE });

  it("gains by the help of a tool that it went along with, and loses by its failure", () => {
    expect(valueOf(after([helped("forecast")]), "map")).toBeGreaterThan(valueOf(before, "map"));
    expect(valueOf(after([failed("forecast")]), "map")).toBeLessThan(valueOf(before, "map"));
  });

  it("loses if an alternative helped, and gains if it failed", () => {
    const climate = valueOf(before, "climate");
    expect(valueOf(after([helped("forecast")]), "climate")).toBeLessThan(climate);
    expect(valueOf(after([failed("forecast")]), "climate")).toBeGreaterThan(climate);
  });

  it("loses a third or more by the help of a tool that it was never called together with", () => {
    const apart = past([{ a: "+" }, { a: "+" }, { a: "-" }, { b: "+" }, { b: "+" }], ["a", "b"]);
    const valueAfter = (observed: ObservedCall[]): number =>
      valueOf(revisedValues({ evidence: apart, observed, ...CODE }), "b");
    expect(valueAfter([helped("a")])).toBeLessThan((2 / 3) * valueAfter([]));
    expect(valueAfter([failed("a")])).toBeGreaterThan(valueAfter([]));
  });

  it("stays worth something however often others have failed", () => {
    const observed = Array.from({ length: 200 }, () => failed("forecast"));
    expect(valueOf(after(observed), "map")).toBeGreaterThan(valueOf(before, "map") / 4);
  });

  it("is judged by the past requests that went as this one does", () => {
    // `b` helps if and only if `a` does; both are always called.
    const both = past(
      [
        { a: "+", b: "+" },
        { a: "+", b: "+" },
        { a: "-", b: "-" },
        { a: "-", b: "-" },
      ],
      ["a", "b"],
    );
    const valueAfter = (observed: ObservedCall[]): number =>
      valueOf(revisedValues({ evidence: both, observed, ...CODE }), "b");
    expect(valueAfter([helped("a")])).toBeGreaterThan(valueAfter([]));
    expect(valueAfter([failed("a")])).toBeLessThan(valueAfter([]));
  });
});
