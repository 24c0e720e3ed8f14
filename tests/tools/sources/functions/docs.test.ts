import { describe, expect, it } from "vitest";
import { readFunctions } from "../../../../tools/sources/functions/functions.js";
import { fixture, readText, toolOf } from "../support.js";

const reading = readFunctions({ file: fixture("docs.ts") });

describe("A doc comment", () => {
  it("gives the description before the tags, its links as text and its lines joined.", () => {
    expect(toolOf(reading, "bookRoom").description).toBe(
      [
        "Books a room for a meeting, see https://example.org/rooms and Room.",
        "Rooms are:\n- small\n- large",
        "The second paragraph goes on over two lines.",
      ].join("\n\n"),
    );
  });

  it("gives name, effects, cost, time-out, approval, check and examples.", () => {
    expect(toolOf(reading, "bookRoom")).toMatchObject({
      id: "book_room",
      name: "book_room",
      effects: "write",
      cost: 2.5,
      timeoutMs: 1500,
      approval: true,
      check: "find_booking",
      examples: ["book_room(room = 4)", "bookRoom({ room: 4, guests: 2 });"],
    });
    expect(toolOf(reading, "readRoom")).toMatchObject({
      effects: "read",
      cost: 0,
      approval: false,
    });
  });

  it("without tags makes the tool a write without other settings.", () => {
    const tool = toolOf(reading, "showRoom");
    expect(tool.effects).toBe("write");
    expect(Object.keys(tool).toSorted()).toEqual(
      ["id", "name", "description", "parameters", "returns", "source", "effects"].toSorted(),
    );
  });

  it("describes destructured properties by dotted tags, by plain ones and by their own comments.", () => {
    expect(toolOf(reading, "bookRoom").parameters).toEqual({
      type: "object",
      properties: {
        room: { type: "number", description: "which room, by its number" },
        guests: { type: "number", description: "how many come" },
        place: {
          type: "object",
          properties: {
            floor: { type: "number", description: "counted from the ground" },
            wing: { type: "string", description: "Wing of the house." },
          },
          required: ["floor"],
          description: "Where it is.",
        },
        note: { type: "string" },
      },
      required: ["room"],
      additionalProperties: false,
    });
  });

  it("describes the result.", () => {
    expect(toolOf(reading, "bookRoom").returns).toEqual({
      type: "string",
      description: "the number of the booking",
    });
  });

  it("is found where the function is declared when the export has none.", () => {
    expect(toolOf(reading, "inFront").description).toBe("Describes itself where it is declared.");
  });

  it("of the file does not count as that of its first function.", async () => {
    const text = `/** About the file.\n * @packageDocumentation */\nexport function bare(): number { return 1; }`;
    const { tools, problems } = await readText(text);
    expect(tools).toEqual([]);
    expect(problems[0]?.problem).toContain("has no description");
  });
});

describe("A JavaScript file", () => {
  const { tools, problems } = readFunctions({ file: fixture("jsdoc.js") });

  it("is read by its JSDoc types.", () => {
    expect(problems).toEqual([]);
    const read = tools.map(({ name, parameters, effects }) => ({ name, parameters, effects }));
    expect(read.filter(({ name }) => ["weather", "untyped"].includes(name))).toEqual([
      {
        name: "weather",
        effects: "read",
        parameters: {
          type: "object",
          properties: {
            city: { type: "string", description: "name of the city" },
            step: {
              type: "string",
              enum: ["day", "hour"],
              description: "how fine",
              default: "day",
            },
            count: { type: "number", description: "how many steps", default: 3 },
          },
          required: ["city"],
          additionalProperties: false,
        },
      },
      {
        name: "untyped",
        effects: "write",
        parameters: {
          type: "object",
          properties: { a: {}, b: {} },
          required: ["a", "b"],
          additionalProperties: false,
        },
      },
    ]);
  });

  it("may take the context and return a promise.", () => {
    expect(tools.find(({ name }) => name === "same")?.source).toMatchObject({ takesContext: true });
    expect(tools.find(({ name }) => name === "weather")?.returns).toEqual({
      type: "object",
      properties: { degrees: { type: "number" } },
      required: ["degrees"],
      description: "the weather",
    });
  });
});
