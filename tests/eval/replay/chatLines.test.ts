import { describe, expect, it } from "vitest";
import { z } from "zod";
import { chatLines } from "../../../eval/replay/chatLines.js";

type Runs = Parameters<typeof chatLines>[0];

/** The form that OpenAI's fine-tuning, TRL and Unsloth take; anything else in a line is an error. */
const content = z.string();
const callForm = z.strictObject({
  id: z.string(),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string().regex(/^[\w-]{1,64}$/), arguments: z.string() }),
});
const messageForm = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content }),
  z.strictObject({ role: z.literal("user"), content }),
  z.strictObject({ role: z.literal("tool"), tool_call_id: z.string(), content }),
  z.strictObject({
    role: z.literal("assistant"),
    content: content.nullable(),
    tool_calls: z.array(callForm).min(1).optional(),
  }),
]);
const parameters = z.looseObject({ type: z.literal("object"), properties: z.looseObject({}) });
const lineForm = z.strictObject({
  messages: z.array(messageForm),
  tools: z.array(
    z.strictObject({
      type: z.literal("function"),
      function: z.strictObject({ name: z.string(), description: z.string(), parameters }),
    }),
  ),
});

const NAMES = ["shop.price", "shop.order", "shop.stock", "shop.returns"];
const tools = NAMES.map((id) => ({
  id,
  name: id.slice(5),
  description: `About ${id}`,
  parameters: { type: "object", properties: { article: { type: "string", default: id } } },
}));
const call = (tool: string, result: unknown, more: object = {}) => ({
  place: "",
  tool,
  args: { article: "chair" },
  result,
  ms: 1,
  ...more,
});
const task = (id: string, calls: object[]) => ({
  id,
  query: "Order a chair if it costs less than 60",
  recording: { settings: {}, earlier: [], calls, answer: "Ordered.", status: "solved" },
});
const TASKS = [
  task("one", [
    call("shop.price", 50),
    call("shop.stock", undefined, { error: "away" }),
    call("shop.order", { number: 7 }),
  ]),
  task("two", [call("shop.price", "fifty")]),
  task("again", [call("shop.price", "fifty")]),
];
const runs = { library: { name: "shop", tools }, tasks: TASKS } as unknown as Runs;
const lines = (others: number, seed = 1) => chatLines(runs, { others, seed });
/** The names of the tools of each line. */
const offered = (others: number, seed?: number) =>
  lines(others, seed).map((line) => line.tools.map((tool) => tool.function.name));

describe("lines to train a model on", () => {
  it("have the form of chat completions, and nothing else", () => {
    const written = lines(2).map((line) => JSON.stringify(line));
    for (const line of written) expect(lineForm.parse(JSON.parse(line))).toEqual(JSON.parse(line));
    expect(written).toHaveLength(2);
  });

  it("go from the request by calls, each with its result behind it, to the answer", () => {
    const roles = lines(0).map(({ messages }) => messages.map(({ role }) => role).join(" "));
    expect(roles).toEqual([
      "system user assistant tool assistant tool assistant",
      "system user assistant tool assistant",
    ]);
    for (const { messages, tools: shown } of lines(0)) {
      const made = messages.flatMap(({ tool_calls = [] }) => tool_calls);
      const answered = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
      expect(answered).toEqual(made.map(({ id }) => id));
      expect(made.map(({ function: { arguments: text } }) => JSON.parse(text) as unknown)).toEqual(
        made.map(() => ({ article: "chair" })),
      );
      const names = shown.map((tool) => tool.function.name);
      expect(made.filter((one) => !names.includes(one.function.name))).toEqual([]);
    }
  });

  it("have the tools that were called, with as many others as are asked for, in a drawn order", () => {
    expect(offered(0).map((names) => names.toSorted())).toEqual([["order", "price"], ["price"]]);
    expect(offered(1).map((names) => names.length)).toEqual([3, 2]);
    expect(offered(9).map((names) => names.length)).toEqual([4, 4]);
    expect(offered(2)).toEqual(offered(2));
    const drawn = Array.from({ length: 8 }, (_, seed) => JSON.stringify(offered(9, seed)));
    expect(new Set(drawn).size).toBeGreaterThan(1);
  });
});
