import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assembleReply, jsonObject } from "../../../models/chat/reply.js";

const record = fc.dictionary(fc.string(), fc.jsonValue());

/** A streamed reply with one call, its arguments cut at the places given. */
function streamedCall(text: string, cuts: number[]): AIMessageChunk {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])];
  const sorted = places.toSorted((a, b) => a - b);
  const chunks = sorted.map(
    (place, at) =>
      new AIMessageChunk({
        content: "",
        tool_call_chunks: [
          {
            index: 0,
            ...(at === 0 ? { id: "c1", name: "add" } : {}),
            args: text.slice(place, sorted[at + 1] ?? place),
            type: "tool_call_chunk",
          },
        ],
      }),
  );
  return chunks.reduce((whole, chunk) => whole.concat(chunk));
}

function assembled(reply: AIMessage | AIMessageChunk): AIMessage {
  return assembleReply({ reply, asked: [] });
}

describe("assembleReply", () => {
  it("reads the arguments of a call wherever the stream cut them", () => {
    fc.assert(
      fc.property(record, fc.array(fc.nat(), { maxLength: 8 }), (args, cuts) => {
        const text = JSON.stringify(args);
        const { tool_calls, invalid_tool_calls } = assembled(streamedCall(text, cuts));
        expect(tool_calls).toHaveLength(1);
        expect(JSON.stringify(tool_calls?.[0]?.args)).toBe(JSON.stringify(JSON.parse(text)));
        expect(invalid_tool_calls).toEqual([]);
      }),
    );
  });

  it("never takes truncated arguments as complete", () => {
    fc.assert(
      fc.property(record, fc.nat(), (args, cut) => {
        const text = JSON.stringify(args);
        const part = text.slice(0, 1 + (cut % (text.length - 1)));
        const { tool_calls, invalid_tool_calls } = assembled(streamedCall(part, []));
        expect(tool_calls).toEqual([]);
        expect(invalid_tool_calls).toMatchObject([{ id: "c1", name: "add", args: part }]);
      }),
    );
  });
});

describe("jsonObject", () => {
  it.each([
    ["an object alone", '{"a":[1]}'],
    ["an object in a fence", 'Here it is:\n```json\n{"a":[1]}\n```\nDone.'],
    ["an object in prose", 'The reply is {"a":[1]}, I think.'],
  ])("finds %s", (_what, text) => {
    expect(jsonObject(text)).toEqual({ a: [1] });
  });

  it.each(["", "no object", "[1, 2]", '{"a":', '{"a":1} and {"b":2}', "}{"])(
    "finds none in %j",
    (text) => {
      expect(jsonObject(text)).toBeUndefined();
    },
  );

  it("finds any object, and never throws", () => {
    fc.assert(
      fc.property(record, fc.string(), (object, text) => {
        const plain: unknown = JSON.parse(JSON.stringify(object));
        expect(jsonObject(`\`\`\`json\n${JSON.stringify(object)}\n\`\`\``)).toEqual(plain);
        expect(() => jsonObject(text)).not.toThrow();
      }),
    );
  });
});
