import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonInText, parseJson } from "../../common/jsonInText.js";

const STEP = { tool: "add", args: { a: 1, b: -2.5 } };

describe("data that a model wrote", () => {
  it.each([
    ["a trailing comma", '{"tool": "add", "args": {"a": 1, "b": -2.5,},}'],
    ["single quotes", "{'tool': 'add', 'args': {'a': 1, 'b': -2.5}}"],
    ["names without quotes", '{tool: "add", args: {a: 1, b: -2.5}}'],
    ["comments", '{// which tool\n"tool": "add", /* and {what} */ "args": {"a": 1, "b": -2.5}}'],
  ])("is read with %s, alone and in a fence", (_slip, text) => {
    expect(parseJson(text)).toEqual(STEP);
    const fenced = `So:\n\`\`\`json\n${text}\n\`\`\`\nThat's all.`;
    expect(jsonInText(fenced)).toMatchObject({ values: [STEP], cutShort: false });
  });

  it("is read with line breaks in texts, escapes and Python's words", () => {
    expect(parseJson("{'a': 'it\\'s \\u00e9\\n', 'b': [True, False, None], }")).toEqual({
      a: "it's é\n",
      b: [true, false, null],
    });
    expect(parseJson('{"a": "two\nlines"}')).toEqual({ a: "two\nlines" });
  });

  it("is not guessed at if a value would have to be computed or is not a value", () => {
    for (const text of ['{"a": 2 * 3}', '{"a": b}', '{"a": 007}', '{"a" 1}', '["a" "b"]', "{a}"]) {
      expect(parseJson(text)).toBeUndefined();
      expect(jsonInText(text).values).toEqual([]);
    }
  });

  it("is skipped as a whole if it is unreadable, and truncated if it has no end", () => {
    expect(jsonInText('{"a": 2 * 3, "b": [{"tool": "add"}]} and ["x"]').values).toEqual([["x"]]);
    for (const text of ["[{tool: 'add'}, {tool: 'd", '{"a": [1, {"b": 2', "{a: 1, // [x]"]) {
      expect(jsonInText(`So: ${text}`)).toMatchObject({ values: [], cutShort: true });
    }
  });

  it("is read like JSON if it is JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseJson(` ${JSON.stringify([value])}\n`)).toEqual(
          JSON.parse(JSON.stringify([value])),
        );
      }),
    );
  });

  it("is refused if an escape in it stands for nothing", () => {
    expect(parseJson('{"a": "\\u12",}')).toBeUndefined();
  });

  it.each([
    "[" + "/* ".repeat(60_000),
    "{a: x" + "'\\".repeat(100_000),
    "['" + "\\'".repeat(90_000),
  ])("is given up soon if quotes and comments have no end", (text) => {
    const started = performance.now();
    expect(jsonInText(text)).toMatchObject({ values: [], cutShort: true });
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it("does not exhaust the stack if it nests endlessly", () => {
    const text = `${"[".repeat(100_000)}'a'${"]".repeat(100_000)}`;
    expect(parseJson(text)).toBeUndefined();
    expect(jsonInText(text).values).toEqual([]);
  });
});
