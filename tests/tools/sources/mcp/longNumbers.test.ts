import { expect, it } from "vitest";
import { resultValue } from "../../../../tools/sources/mcp/resultValue.js";

const keep = async () => ({});
const text = '{"id": 725653563933458433, "name": "Ann"}';
const exact = { id: "725653563933458433", name: "Ann" };
// What the client library makes of it.
const structuredContent = JSON.parse(text) as Record<string, unknown>;

it("A whole number beyond 2⁵³ in a result keeps its digits, also where the client library has rounded it.", async () => {
  const content = [{ type: "text" as const, text }];
  expect(await resultValue({ content }, keep)).toEqual(exact);
  expect(await resultValue({ content, structuredContent }, keep)).toEqual(exact);
  expect(await resultValue({ content: [], structuredContent }, keep)).toEqual(structuredContent);
});
