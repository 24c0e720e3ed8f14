import { runInNewContext } from "node:vm";
import { assert, nat, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { draftText } from "../../../../tools/sources/made/draft.js";
import type { ExampleCheck } from "../../../../tools/tool.js";
import { SQUARE_ROOT, problemsOf, read, record, toolOf } from "./support.js";

/** Runs a tool's program as a script, and calls its function. */
function run(program: string, name: string, args: readonly unknown[]): unknown {
  return runInNewContext(`${program}\n${name}(...args)`, { args });
}

const AREA = `/**
 * Area of a rectangle.
 * @param size Its size.
 * @param size.width Width in metres.
 * @param size.height Height in metres.
 * @returns its area in square metres
 * @example values({ width: 2 }) => 4
 * @example values({ width: 2, height: 5 }) => 10
 */
function values(size: { width: number; height?: number }): number {
  const { width, height = "height" in size ? 1 : 2 } = size;
  return width * height;
}`;

describe("A draft without faults", () => {
  it("becomes a tool like any other, with its checks.", () => {
    const tool = toolOf(SQUARE_ROOT);
    const { program, ...source } = tool.source;
    expect({ ...tool, source }).toEqual({
      id: "square_root",
      name: "square_root",
      description: "Square root of a number.",
      parameters: {
        type: "object",
        properties: { value: { type: "number", description: "The number; not negative." } },
        required: ["value"],
        additionalProperties: false,
      },
      returns: { type: "number", description: "its square root" },
      source: {
        kind: "generated",
        file: "generated",
        code: SQUARE_ROOT,
        exportName: "square_root",
        parameterNames: ["value"],
        calls: [],
        checks: [
          { args: { value: 16 }, expects: { kind: "value", value: 4 } },
          { args: { value: -1 }, expects: { kind: "throws" } },
        ],
      },
      effects: "read",
      examples: ["square_root(16) => 4", "square_root(-1) => throws"],
    });
    expect(run(program, "square_root", [16])).toBe(4);
  });

  it.each([
    ["no export", SQUARE_ROOT.replace("export ", "")],
    ["a default export", SQUARE_ROOT.replace("export", "export default")],
    ["an export at the end", `${SQUARE_ROOT.replace("export ", "")}\nexport { square_root };`],
    [
      "a default export at the end",
      `${SQUARE_ROOT.replace("export ", "")}\nexport default square_root;`,
    ],
  ])("and with %s exports its function by its name.", (_form, reply) => {
    const { code, program } = toolOf(reply).source;
    expect(code).toBe(SQUARE_ROOT);
    expect(run(program, "square_root", [4])).toBe(2);
    expect(toolOf(code).source.code).toBe(code);
  });

  it("may have types besides its function, which its program drops.", () => {
    const reply = `type Kind = "up" | "down";\nexport interface Step { kind: Kind; by: number }
/** Steps. @remarks None.
@param step The step.
@example step_to({ step: { kind: "up", by: 2 } }) => 2
@example step_to({ step: { kind: "down", by: 2 } }) => -2
*/
export function step_to({ step }: { step: Step }): number { return step.kind === "up" ? step.by : -step.by; }`;
    const { source, parameters } = toolOf(reply);
    expect(source.code).toBe(reply);
    expect(source.program).not.toContain("Kind");
    expect(parameters.properties.step).toMatchObject({ description: "The step." });
    expect(run(source.program, "step_to", [{ kind: "down", by: 3 }])).toBe(-3);
  });

  it("takes an object's properties one by one, and leaves out what was left out.", () => {
    const { source, parameters } = toolOf(AREA);
    expect(source.parameterNames).toEqual(["width", "height"]);
    expect(parameters.required).toEqual(["width"]);
    expect(source.checks.map(({ args }) => args)).toEqual([{ width: 2 }, { width: 2, height: 5 }]);
    expect(run(source.program, "values", [2, undefined])).toBe(4);
    expect(run(source.program, "values", [2, 5])).toBe(10);
  });

  it("takes further values as a list if it has a rest parameter.", () => {
    const tool = toolOf(`/** Adds. @param first A number.
 * @param first The first.
 * @param others The others.
 * @example sum(1, 2, 3) => 6
 * @example sum(1) => 1
 */
export function sum(first: number, ...others: number[]): number { return others.reduce((a, b) => a + b, first); }`);
    expect(tool.source).toMatchObject({
      parameterNames: ["first", "others"],
      rest: true,
      checks: [{ args: { first: 1, others: [2, 3] } }, { args: { first: 1, others: [] } }],
    });
  });

  it("is not executed while it is read, neither in defaults nor in its comment.", () => {
    const globals = globalThis as { touched?: boolean };
    const reply = `/**
 * Touches. {@link (globalThis.touched = true)} \${globalThis.touched = true}
 * @param a Any. \`\${globalThis.touched = true}\`
 * @example touch(1) => 1
 * @example touch(2) => 2
 */
export function touch(a: number = ((globalThis as unknown as { touched: boolean }).touched = true, 5)): number { return a; }`;
    const { parameters } = toolOf(reply);
    expect(parameters.required).toBeUndefined();
    expect(parameters.properties.a).toMatchObject({ default: 5 });
    expect(globals.touched).toBeUndefined();
  });
});

describe("An update", () => {
  const earlier: ExampleCheck[] = [
    { args: { value: 16 }, expects: { kind: "value", value: 4 } },
    { args: { value: -1 }, expects: { kind: "value" } as ExampleCheck["expects"] },
    { args: { value: 81 }, expects: { kind: "value", value: 9 } },
    { args: { number: 81 }, expects: { kind: "value", value: 9 } },
  ];

  it("keeps the previous version's checks, except those it restates or cannot take.", () => {
    const reading = read(SQUARE_ROOT, {
      name: "square_root",
      tools: [record("square_root")],
      earlier,
    });
    if (!reading.ok) throw new Error(draftText(reading.problems));
    expect(reading.restated).toEqual([earlier[1], earlier[3]]);
    expect(reading.tool.source.checks).toEqual([...toolOf(SQUARE_ROOT).source.checks, earlier[2]]);
    expect(reading.tool.examples).toEqual(["square_root(16) => 4", "square_root(-1) => throws"]);
  });

  it("keeps its name.", () => {
    const [problem] = problemsOf(SQUARE_ROOT, { name: "root", earlier });
    expect(problem).toMatchObject({ line: 8, column: 17 });
    expect(problem?.problem).toBe("the name of an updated tool stays: root, not square_root");
  });
});

describe("What is wrong with a draft", () => {
  it("is reported together for types, comment and examples, in lines with their places.", () => {
    const reply = SQUARE_ROOT.replace("Math.sqrt(value)", '"root"')
      .replace("The number; not negative.", "")
      .replace("=> 4", "= four");
    expect(draftText(problemsOf(reply))).toBe(
      [
        "line 10, column 3: Type 'string' is not assignable to type 'number'.",
        'line 8: parameter "value" has no description; add "@param value …"',
        "line 5: arguments and results of examples are literals (numbers, texts, lists, objects), not four",
      ].join("\n"),
    );
  });

  it("is reported and never thrown, for any part of a draft lost, doubled or moved.", () => {
    const cut = nat({ max: SQUARE_ROOT.length });
    assert(
      property(cut, cut, cut, (from, to, at) => {
        const part = SQUARE_ROOT.slice(Math.min(from, to), Math.max(from, to));
        const draft = SQUARE_ROOT.replace(part, "");
        for (const reply of [draft, `${draft.slice(0, at)}${part}${draft.slice(at)}`]) {
          const reading = read(`\`\`\`ts\n${reply}\n\`\`\``);
          expect(reading.ok || reading.problems.length > 0).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});
