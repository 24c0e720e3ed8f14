import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wireNames } from "../../../../tools/library/wireNames.js";

function namesOf(names: string[], reserved: string[] = []) {
  const tools = names.map((name, index) => ({ id: `${index} ${name}`, name }));
  return [...wireNames({ tools, reserved }).values()];
}

describe("a wire name", () => {
  test("is the tool's own when that is legal", () => {
    expect(namesOf(["add", "area-of_circle2", "A".repeat(64)])).toEqual([
      "add",
      "area-of_circle2",
      "A".repeat(64),
    ]);
  });

  test("is made from the words of an illegal one", () => {
    expect(namesOf(["math.add", "größe (m)", "", "…"])).toEqual([
      "math_add",
      "gr_e_m",
      "tool",
      expect.stringMatching(/^tool_[0-9a-f]{8}$/),
    ]);
  });

  const anyName = fc.oneof(
    fc.string({ maxLength: 90 }),
    fc.constantFrom("stop", "a_b", "a.b", "a b", "search_tools", "x".repeat(70)),
  );
  const anyTools = fc.uniqueArray(fc.record({ id: fc.string({ maxLength: 4 }), name: anyName }), {
    selector: ({ id }) => id,
    maxLength: 30,
  });

  test("is legal, unique, not reserved, and the same in any order of the tools", () => {
    const reserved = ["stop", "search_tools"];
    fc.assert(
      fc.property(anyTools, (tools) => {
        const byId = wireNames({ tools, reserved });
        const reversed = wireNames({ tools: tools.toReversed(), reserved });
        expect(byId.size).toBe(tools.length);
        expect(new Set(byId.values()).size).toBe(tools.length);
        for (const { id } of tools) {
          const wireName = byId.get(id) ?? "";
          expect(wireName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(reserved).not.toContain(wireName);
          expect(reversed.get(id)).toBe(wireName);
        }
      }),
    );
  });
});
