import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { readText, toolOf } from "./support.js";

/** A type as TypeScript text, and the schema expected for it. */
interface Typed {
  text: string;
  schema: JsonSchema;
}

const identifier = fc.stringMatching(/^[a-z]{1,5}$/).map((name) => `p_${name}`);

const leaf: fc.Arbitrary<Typed> = fc.oneof(
  fc.constantFrom<Typed>(
    { text: "string", schema: { type: "string" } },
    { text: "number", schema: { type: "number" } },
    { text: "boolean", schema: { type: "boolean" } },
    { text: "Date", schema: { type: "string", format: "date-time" } },
    { text: "unknown", schema: {} },
  ),
  fc.uniqueArray(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 4 }).map((values) => ({
    text: `(${values.map((value) => JSON.stringify(value)).join(" | ")})`,
    schema: { type: "string", enum: values },
  })),
  fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 4 }).map((values) => ({
    text: `(${values.join(" | ")})`,
    schema: { type: "number", enum: values },
  })),
);

const { type: anyType } = fc.letrec<{ type: Typed }>((tie) => ({
  type: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    tie("type").map(({ text, schema }) => ({
      text: `${text}[]`,
      schema: { type: "array", items: schema },
    })),
    tie("type").map(({ text, schema }) => ({
      text: `Record<string, ${text}>`,
      schema: { type: "object", additionalProperties: schema },
    })),
    tie("type")
      .filter(({ text, schema }) => text !== "unknown" && schema.anyOf === undefined)
      .map(({ text, schema }) => ({
        text: `(${text} | null)`,
        schema: { anyOf: [schema, { type: "null" }] },
      })),
    objectOf(tie("type")),
  ),
}));

function objectOf(member: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
  const property = fc.record({ name: identifier, optional: fc.boolean(), member });
  return fc
    .uniqueArray(property, { minLength: 1, maxLength: 4, selector: ({ name }) => name })
    .map((properties) => {
      const required = properties.filter(({ optional }) => !optional).map(({ name }) => name);
      const lines = properties.map((p) => `${p.name}${p.optional ? "?" : ""}: ${p.member.text}`);
      return {
        text: `{ ${lines.join("; ")} }`,
        schema: {
          type: "object",
          properties: Object.fromEntries(properties.map((p) => [p.name, p.member.schema])),
          ...(required.length > 0 ? { required } : {}),
        },
      };
    });
}

describe("Reading a type", () => {
  it("yields the schema its text was written from, as parameter, in an object and as result.", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyType, { minLength: 20, maxLength: 40 }), async (types) => {
        const functions = types.map(
          ({ text }, index) => `/** Takes and gives. */
            export async function f${index}(a: ${text}, b?: { c: ${text} }): Promise<${text}> { void b; return a; }`,
        );
        const reading = await readText(functions.join("\n"));
        expect(reading.problems).toEqual([]);
        for (const [index, { schema }] of types.entries()) {
          const tool = toolOf(reading, `f${index}`);
          expect(tool.parameters).toEqual({
            type: "object",
            properties: {
              a: schema,
              b: { type: "object", properties: { c: schema }, required: ["c"] },
            },
            required: ["a"],
            additionalProperties: false,
          });
          expect(tool.returns).toEqual(schema);
        }
      }),
      { numRuns: 8 },
    );
  });
});
