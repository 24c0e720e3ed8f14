import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import type { BoundTool } from "../../../models/prompt.js";
import { withTextCalls } from "../../../models/chat/textCalls.js";
import { SEARCH_TOOLS, STOP } from "../../../tools/control.js";

const ADD: BoundTool = {
  name: "add",
  description: "Adds two numbers.",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
};

const CALL = { name: "add", args: { a: 1, b: 2 } };

function read(
  text: string,
  options: { tools?: BoundTool[]; toolChoice?: string; asked?: BaseMessage[] } = {},
) {
  const { tools = [ADD, STOP], toolChoice = "any", asked = [] } = options;
  const reply = withTextCalls({ reply: new AIMessage(text), tools, toolChoice, asked });
  return { text: reply.text, calls: reply.tool_calls?.map(({ name, args }) => ({ name, args })) };
}

describe("a call that is written as text", () => {
  const json = '{"name": "add", "arguments": {"a": 1, "b": 2}}';

  it.each([
    ["as JSON", json],
    ["in a fence", `\`\`\`json\n${json}\n\`\`\``],
    ["in a fence on one line", `\`\`\`${json}\`\`\``],
    ["in doubled braces, as a template shows them", `{${json}}`],
    ["in doubled braces in tags", `<tool_call>\n{${json}}\n</tool_call>`],
    ["in a fence that does not end", `\`\`\`\n${json}`],
    ["in tags", `<tool_call>\n${json}\n</tool_call>`],
    ["in the tags in which some models are shown tools", `<tools>\n${json}\n</tools>`],
    ["in a tag that does not end", `<tool_call>${json}`],
    ["as LM Studio teaches it", `[TOOL_REQUEST]${json}[END_TOOL_REQUEST]`],
    ["behind a token of a template", `<|python_tag|>${json}`],
    ["with the tool's key", '{"tool": "add", "args": {"a": 1, "b": 2}}'],
    ["with tool_name", '{"tool_name": "add", "parameters": {"a": 1, "b": 2}}'],
    [
      "as a function",
      '{"type": "function", "function": {"name": "add", "arguments": "{\\"a\\":1,\\"b\\":2}"}}',
    ],
    ["among calls", `{"tool_calls": [${json}]}`],
    ["in a list", `[${json}]`],
    ["with its arguments beside it", '{"tool": "add", "a": 1, "b": 2}'],
    ["with its name as the key", '{"add": {"a": 1, "b": 2}}'],
    ["with slips", "{'name': 'add', 'arguments': {'a': 1, 'b': 2,}}"],
    ["with brackets", 'add({"a": 1, "b": 2})'],
    ["with values by position", "add(1, 2)"],
    ["as code", "```python\nresult = add(a=1, b=2)\n```"],
    ["behind thoughts", `<think>Should I use {"name": "stop", "arguments": {}}?</think>\n${json}`],
  ])("is read %s", (_, text) => {
    expect(read(text)).toEqual({ text: expect.not.stringContaining("add"), calls: [CALL] });
  });

  it.each([
    ["a fence", `I have to add them.\n\`\`\`json\n${json}\n\`\`\``],
    [
      "a fence, with more behind it",
      `I have to add them.\n\`\`\`json\n${json}\n\`\`\`\nThis gives 3.`,
    ],
    ["a line of its own", `I have to add them.\n${json}`],
    ["doubled braces, with more behind them", `I have to add them.\n{${json}}\nThis gives 3.`],
    ["the same line", `I have to add them. ${json}`],
    ["a line with brackets", "I have to add them.\nadd(a=1, b=2)"],
  ])("is read from %s behind prose, which stays", (_, text) => {
    expect(read(text)).toEqual({ text: "I have to add them.", calls: [CALL] });
  });

  it("is read once if written twice, and together with others", () => {
    const stop = '{"name": "stop", "arguments": {"message": "3", "solved": true}}';
    expect(read(`${json}\n${json}\n${stop}`).calls).toEqual([
      CALL,
      { name: "stop", args: { message: "3", solved: true } },
    ]);
  });

  it("is read if it is alone, even without such a tool, so that the model is told", () => {
    const text = '{"name": "subtract", "arguments": {"a": 1}}';
    expect(read(text).calls).toEqual([{ name: "subtract", args: { a: 1 } }]);
    expect(read(`It is ${text}.`).calls).toEqual([]);
  });
});

describe("the bare arguments of what ends the work", () => {
  const end = { name: "stop", args: { message: "It is 3.", solved: true } };

  it("are its call, alone and after calls", () => {
    const bare = JSON.stringify(end.args);
    const before = JSON.stringify({ name: CALL.name, arguments: CALL.args });
    expect(read(bare).calls).toEqual([end]);
    expect(read(`${before}\n${bare}`).calls).toEqual([CALL, end]);
  });

  it("are read only if complete, and only if it is on offer", () => {
    expect(read('{"message": "It is 3."}').calls).toEqual([]);
    expect(read(JSON.stringify(end.args), { tools: [ADD] }).calls).toEqual([]);
    expect(read(JSON.stringify(CALL.args)).calls).toEqual([]);
  });
});

describe("a text that is not a call", () => {
  it.each([
    "The sum is 3.",
    "I have used add with a = 1 and b = 2; it gives 3.",
    "add",
    "add (the tool) gave 3.",
    "The call add(a=1, b=2) gave 3.",
    'The call {"name": "add", "arguments": {"a": 1, "b": 2}} gave 3.',
    'Ada\'s data: {"name": "Ada", "age": 3}',
    '{"name": "Ada", "age": 3}',
    '{"sum": 3}',
    '{"name": "add", "arguments": {"a": 1, "b": ',
    '{"name": "add", "arguments": {"a": 1 + 1, "b": 2}}',
    "add(1 + 1, 2)",
  ])("stays a text: %s", (text) => {
    expect(read(text)).toEqual({ text, calls: [] });
  });

  it("mentions a call that was made before", () => {
    const text = 'I called:\n```\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n```\nIt gave 3.';
    const made = new AIMessage({ content: "", tool_calls: [{ ...CALL, id: "1" }] });
    expect(read(text, { asked: [new HumanMessage("1 + 2?"), made] })).toEqual({ text, calls: [] });
    expect(read(text).calls).toEqual([CALL]);
  });

  it("is next to a call, or there is no tool", () => {
    const text = '{"name": "add", "arguments": {"a": 1, "b": 2}}';
    const tool_calls = [{ name: "stop", args: {}, id: "1" }];
    const reply = new AIMessage({ content: text, tool_calls });
    expect(withTextCalls({ reply, tools: [ADD], asked: [] })).toBe(reply);
    expect(read(text, { tools: [] }).calls).toEqual([]);
  });
});

describe("a call that must be made", () => {
  const forced = { tools: [SEARCH_TOOLS], toolChoice: SEARCH_TOOLS.name };
  const searches = [{ subtask: 1, phrase: "add two numbers" }];
  const phrases = ["add two numbers", "double a number"];

  it.each<[string, string, unknown[]]>([
    ["its bare arguments", `Here: ${JSON.stringify({ searches })}`, searches],
    ["the whole call", JSON.stringify({ name: "search_tools", arguments: { searches } }), searches],
    ["the list alone", `\`\`\`json\n${JSON.stringify(searches)}\n\`\`\``, searches],
    ["a list of phrases", JSON.stringify(phrases), phrases],
    ["a list under another key", JSON.stringify({ phrases }), phrases],
    ["numbered lines", '1. "add two numbers"\n2. **double a number**', phrases],
    ["lines with bullets", "I search for:\n- add two numbers\n- `double a number`", phrases],
  ])("is read from %s", (_, text, list) => {
    expect(read(text, forced).calls).toEqual([{ name: "search_tools", args: { searches: list } }]);
  });

  it("is not read from prose, nor where any tool may be called", () => {
    expect(read("I would look for a tool that adds.", forced).calls).toEqual([]);
    const text = JSON.stringify(phrases);
    expect(read(text, { tools: [SEARCH_TOOLS] }).calls).toEqual([]);
  });
});
