import { expect, it } from "vitest";
import { exactJson, isLongInteger, parseExact } from "../../common/exactJson.js";

it.each<[text: string, value: unknown]>([
  ['{"id":725653563933458433}', { id: "725653563933458433" }],
  ["[-9007199254740993, 9007199254740991]", ["-9007199254740993", 9007199254740991]],
  [
    '{"a":"725653563933458433","b\\"":[1.5e20,0.1234567890123456789]}',
    { a: "725653563933458433", 'b"': [1.5e20, 0.12345678901234568] },
  ],
  ['"say 725653563933458433 \\\\"', "say 725653563933458433 \\"],
])("a whole number beyond 2⁵³ is read as a text, and all else as it is: %s", (text, value) => {
  expect(parseExact(text)).toEqual(value);
});

it("such a number is written as it was read", () => {
  const id = "725653563933458433";
  expect(isLongInteger(id)).toBe(true);
  expect(isLongInteger("9007199254740991")).toBe(false);
  expect(exactJson({ id: BigInt(id), name: id })).toBe(`{"id":${id},"name":"${id}"}`);
});

it("a long text, also of quotes and backslashes alone, is read with the numbers after it", () => {
  for (const text of ["x".repeat(20_000_000), '"\\'.repeat(2_000_000)]) {
    const [same, id] = parseExact(`[${JSON.stringify(text)},725653563933458433]`) as unknown[];
    expect(same === text).toBe(true);
    expect(id).toBe("725653563933458433");
  }
});
