import { AIMessage } from "@langchain/core/messages";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BoundTool } from "../../../models/prompt.js";
import { withTextCalls } from "../../../models/chat/textCalls.js";
import { STOP } from "../../../tools/control.js";

const SEND: BoundTool = {
  name: "send_note",
  description: "Sends a note.",
  parameters: {
    type: "object",
    properties: {
      text: { type: "string" },
      level: { type: "integer" },
      to: { type: "array", items: { type: "string" } },
      urgent: { anyOf: [{ type: "boolean" }, { type: "null" }] },
    },
    required: ["text"],
  },
};

const ARGS = { text: "42 < 43", level: 3, to: ["Ann", "Bo"], urgent: true };
const JSON_ARGS = JSON.stringify(ARGS);

function read(text: string, tools = [SEND, STOP]) {
  const reply = withTextCalls({ reply: new AIMessage(text), tools, toolChoice: "any", asked: [] });
  return { text: reply.text, calls: reply.tool_calls?.map(({ name, args }) => ({ name, args })) };
}

/** The arguments in tags: the text as it is, all else as JSON. */
function tagged(open: (name: string) => string, close: string): string {
  return Object.entries(ARGS)
    .map(
      ([name, value]) =>
        `${open(name)}${typeof value === "string" ? value : JSON.stringify(value)}${close}`,
    )
    .join("\n");
}

const DIALECTS: Record<string, string> = {
  "Qwen3-Coder": `<tool_call>\n<function=send_note>\n${tagged((name) => `<parameter=${name}>\n`, "\n</parameter>")}\n</function>\n</tool_call>`,
  "Qwen3-Coder without the tags around it": `<function=send_note>\n${tagged((name) => `<parameter=${name}>\n`, "\n</parameter>")}\n</function>\n</tool_call>`,
  "Qwen3-Coder without the tags that close": `<tool_call>\n<function=send_note>\n${tagged((name) => `<parameter=${name}>\n`, "")}`,
  "Qwen3-Coder with spaces": `<tool_call>\n <function = send_note >\n${tagged((name) => `<parameter = ${name} >\n`, "\n</parameter>")}\n</function>`,
  "Anthropic with single quotes": `<invoke name='send_note'>${tagged((name) => `<parameter name='${name}'>`, "</parameter>")}</invoke>`,
  "Qwen3-Coder with other marks": `<__function=send_note>\n${tagged((name) => `<__parameter=${name}>`, "</__parameter>")}\n</__function>`,
  LongCat: `<longcat_tool_call>send_note\n${tagged((name) => `<longcat_arg_key>${name}</longcat_arg_key>\n<longcat_arg_value>`, "</longcat_arg_value>")}\n</longcat_tool_call>`,
  Solar: `<|tool_call:begin|>a1<|tool_call:name|>send_note<|tool_call:args|>${JSON_ARGS}<|tool_call:end|>`,
  "tags for the name and its arguments": `<tool_use>\n<name>send_note</name>\n<arguments>${JSON_ARGS}</arguments>\n</tool_use>`,
  Functionary: `>>>send_note\n${JSON_ARGS}`,
  Hunyuan: `<tool_calls>\n<tool_call>send_note\n\`\`\`json\n${JSON_ARGS}\n\`\`\`\n</tool_call>\n</tool_calls>`,
  "Gemma in Python":
    '```tool_code\nprint(default_api.send_note(text="42 < 43", level=3, to=["Ann", "Bo"], urgent=True))\n```',
  "Llama in Python":
    '<|python_tag|>send_note.call(text="42 < 43", level=3, to=["Ann", "Bo"], urgent=True)<|eom_id|>',
  "Llama at the end of its turn": `<|python_tag|>{"name": "send_note", "parameters": ${JSON_ARGS}}<|eot_id|>`,
  "Seed-OSS": `<seed:tool_call>\n<function=send_note>${tagged((name) => `<parameter=${name}>`, "</parameter>")}</function>\n</seed:tool_call>`,
  "Llama 3.1": `<function=send_note>${JSON_ARGS}</function>`,
  "Llama 3.2": `<|python_tag|>{"name": "send_note", "parameters": ${JSON_ARGS}}<|eom_id|>`,
  "Llama 4": '[send_note(text="42 < 43", level=3, to=["Ann", "Bo"], urgent=True)]',
  LFM2: `<|tool_call_start|>[send_note(text='42 < 43', level=3, to=['Ann', 'Bo'], urgent=True)]<|tool_call_end|>`,
  "Olmo 3": `<function_calls>\nsend_note(text="42 < 43", level=3, to=["Ann", "Bo"], urgent=true)\n</function_calls>`,
  Mistral: `[TOOL_CALLS][{"name": "send_note", "arguments": ${JSON_ARGS}}]`,
  "Mistral since tokenizer 11": `[TOOL_CALLS]send_note${JSON_ARGS}`,
  "Mistral with [ARGS]": `[TOOL_CALLS]send_note[ARGS]${JSON_ARGS}`,
  "Mistral with [CALL_ID]": `[TOOL_CALLS]send_note[CALL_ID]a1b2c3d4e[ARGS]${JSON_ARGS}`,
  "Mistral without its first token": `send_note[ARGS]${JSON_ARGS}`,
  "GLM 4.5": `<tool_call>send_note\n${tagged((name) => `<arg_key>${name}</arg_key>\n<arg_value>`, "</arg_value>")}\n</tool_call>`,
  "GLM 4.7": `<tool_call>send_note${tagged((name) => `<arg_key>${name}</arg_key><arg_value>`, "</arg_value>")}</tool_call>`,
  "GLM 4 with JSON": `<tool_call>send_note\n${JSON_ARGS}\n</tool_call>`,
  "Kimi K2": `<|tool_calls_section_begin|><|tool_call_begin|>functions.send_note:0<|tool_call_argument_begin|>${JSON_ARGS}<|tool_call_end|><|tool_calls_section_end|>`,
  "DeepSeek V3": `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>send_note\n\`\`\`json\n${JSON_ARGS}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  "DeepSeek V3.1": `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>send_note<｜tool▁sep｜>${JSON_ARGS}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  "DeepSeek V3.2": `<｜DSML｜function_calls>\n<｜DSML｜invoke name="send_note">\n${tagged((name) => `<｜DSML｜parameter name="${name}" string="${name === "text"}">`, "</｜DSML｜parameter>")}\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
  Anthropic: `<function_calls>\n<invoke name="send_note">\n${tagged((name) => `<parameter name="${name}">`, "</parameter>")}\n</invoke>\n</function_calls>`,
  "Anthropic with a prefix": `<x:function_calls>\n<x:invoke name="send_note">\n${tagged((name) => `<x:parameter name="${name}">`, "</x:parameter>")}\n</x:invoke>\n</x:function_calls>`,
  "MiniMax M2": `<minimax:tool_call>\n<invoke name="send_note">\n${tagged((name) => `<parameter name="${name}">`, "</parameter>")}\n</invoke>\n</minimax:tool_call>`,
  "Claude 2": `<function_calls><invoke><tool_name>send_note</tool_name><parameters>${Object.entries(
    ARGS,
  )
    .map(
      ([name, value]) =>
        `<${name}>${typeof value === "string" ? value : JSON.stringify(value)}</${name}>`,
    )
    .join("")}</parameters></invoke></function_calls>`,
  "gpt-oss": `<|start|>assistant<|channel|>commentary to=functions.send_note <|constrain|>json<|message|>${JSON_ARGS}<|call|>`,
  "gpt-oss with the recipient first": `<|start|>assistant to=functions.send_note<|channel|>commentary json<|message|>${JSON_ARGS}<|call|>`,
  "gpt-oss without its tokens": ` to=functions.send_note json${JSON_ARGS}`,
  FunctionGemma:
    "<start_function_call>call:send_note{text:<escape>42 < 43<escape>,level:3,to:[<escape>Ann<escape>,<escape>Bo<escape>],urgent:true}<end_function_call>",
  "Gemma 4":
    '<|tool_call>call:send_note{text:<|"|>42 < 43<|"|>,level:3,to:[<|"|>Ann<|"|>,<|"|>Bo<|"|>],urgent:true}<tool_call|>',
  "Phi 4": `<|tool_call|>[{"name": "send_note", "arguments": ${JSON_ARGS}}]<|/tool_call|>`,
  Granite: `<|tool_call|>[{"name": "send_note", "arguments": ${JSON_ARGS}}]`,
  Apertus: `<|tools_prefix|>[{"send_note": ${JSON_ARGS}}]<|tools_suffix|>`,
  "Command A": `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "send_note", "parameters": ${JSON_ARGS}}]<|END_ACTION|>`,
  InternLM: `<|action_start|><|plugin|>\n{"name": "send_note", "parameters": ${JSON_ARGS}}<|action_end|>`,
  Nemotron: `<TOOLCALL>[{"name": "send_note", "arguments": ${JSON_ARGS}}]</TOOLCALL>`,
  functools: `functools[{"name": "send_note", "arguments": ${JSON_ARGS}}]`,
  ReAct: `Thought: I send it.\nAction: send_note\nAction Input: ${JSON_ARGS}`,
  "a tag of the tool's name": `<send_note>${JSON_ARGS}</send_note>`,
};

describe("a call in the format of a model's template", () => {
  it.each(Object.entries(DIALECTS))("is read: %s", (_, text) => {
    expect(read(text).calls).toEqual([{ name: "send_note", args: ARGS }]);
  });

  it.each(Object.entries(DIALECTS))("is read behind prose, which stays: %s", (name, text) => {
    if (/without its|ReAct/.test(name)) return;
    const { calls, text: before } = read(`I send the note now.\n\n${text}`);
    expect(calls).toEqual([{ name: "send_note", args: ARGS }]);
    expect(before).toBe("I send the note now.");
  });

  it.each([
    ["Qwen3-Coder", "<function=now>\n</function>"],
    ["Anthropic", '<invoke name="now">\n</invoke>'],
    ["GLM", "<tool_call>now\n</tool_call>"],
    ["Kimi", "<|tool_call_begin|>functions.now:3<|tool_call_argument_begin|>{}<|tool_call_end|>"],
  ])("may have no arguments and no such tool, of which the model is told: %s", (_, text) => {
    expect(read(text).calls).toEqual([{ name: "now", args: {} }]);
  });

  it.each(["Qwen3-Coder", "Anthropic", "GLM 4.5", "Kimi K2", "DeepSeek V3.1", "gpt-oss"])(
    "is read with all others: %s",
    (name) => {
      const one = DIALECTS[name] ?? "";
      const two = one.replace("42 < 43", "second");
      expect(read(`${one}\n${two}`).calls).toEqual([
        { name: "send_note", args: ARGS },
        { name: "send_note", args: { ...ARGS, text: "second" } },
      ]);
    },
  );

  it("has its texts letter for letter, over lines and whatever they look like", () => {
    const value = fc.oneof(fc.string(), fc.constantFrom("7", "true", "null", '{"a": 1}', "a\n\nb"));
    fc.assert(
      fc.property(value, (text) => {
        fc.pre(!/<\/?|^[\r\n]|[\r\n]$/.test(text));
        const call = `<function=send_note>\n<parameter=text>\n${text}\n</parameter>\n</function>`;
        expect(read(call).calls).toEqual([{ name: "send_note", args: { text } }]);
      }),
    );
  });
});

const ALONE: Record<string, string> = {
  "names of keys": `{"function_name": "send_note", "function_args": ${JSON_ARGS}}`,
  "keyword arguments": `{"name": "send_note", "kwargs": ${JSON_ARGS}}`,
  "MCP's message": `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "send_note", "arguments": ${JSON_ARGS}}}`,
  "OpenAI's parallel calls": `{"tool_uses": [{"recipient_name": "functions.send_note", "parameters": ${JSON_ARGS}}]}`,
  "a call of them": `multi_tool_use.parallel({"tool_uses": [{"recipient_name": "functions.send_note", "parameters": ${JSON_ARGS}}]})`,
  "a namespace in the name": `{"name": "default_api.send_note", "arguments": ${JSON_ARGS}}`,
  "brackets in the name": `{"name": "send_note()", "arguments": ${JSON_ARGS}}`,
  "a namespace before a call":
    'print(api.send_note(text="42 < 43", level=3, to=["Ann", "Bo"], urgent=True))',
  "a result that is shown": `\`\`\`ts\nconst sent = await send_note(${JSON_ARGS});\nconsole.log(sent);\n\`\`\``,
  "Llama 4 with its tokens":
    '<|python_start|>[send_note(text="42 < 43", level=3, to=["Ann", "Bo"], urgent=True)]<|python_end|>',
  "Llama with its header": `<|start_header_id|>assistant<|end_header_id|>\n\n{"name": "send_note", "parameters": ${JSON_ARGS}}<|eot_id|>`,
  "Qwen-Agent": `✿FUNCTION✿: send_note\n✿ARGS✿: ${JSON_ARGS}\n✿RESULT✿`,
  "a line each": `Tool: send_note\nArguments: ${JSON_ARGS}`,
  "a line and a fence": `function: send_note\n\`\`\`json\n${JSON_ARGS}\n\`\`\``,
  "the name before its arguments": `send_note\n${JSON_ARGS}`,
  "words before the call": `Function call: send_note(${JSON_ARGS})`,
  "gpt-oss without its tokens, with the channel": `assistantcommentary to=functions.send_note json${JSON_ARGS}`,
  "gpt-oss without its tokens, with thoughts": `analysisI send it.assistantcommentary to=functions.send_note json${JSON_ARGS}`,
  "code in tags":
    '<code>\nsend_note(text="42 < 43", level=3, to=["Ann", "Bo"], urgent=True)\n</code>',
  "the name in a tag": `<tool_call name="send_note">${JSON_ARGS}</tool_call>`,
  "the name in a tag, with parameters": `<tool name="send_note">${tagged((name) => `<param name="${name}">`, "</param>")}</tool>`,
  "a bracket too many": `<tool_call>\n{"name": "send_note", "arguments": ${JSON_ARGS}}}\n</tool_call>`,
  "Llama without a bracket, as Groq reports it": `<function=send_note${JSON_ARGS}</function>`,
  "Hunyuan with pairs": `<tool_calls><tool_call>send_note<tool_sep>\n${tagged((name) => `<arg_key>${name}</arg_key>\n<arg_value>`, "</arg_value>")}\n</tool_call></tool_calls>`,
  Gemini: `{"functionCall": {"name": "send_note", "args": ${JSON_ARGS}}}`,
  "a text in a list": `[${JSON.stringify('send_note(text="42 < 43", level=3, to=["Ann", "Bo"], urgent=True)')}]`,
  "a text under a key": `{"action": ${JSON.stringify(`send_note(${JSON_ARGS})`)}}`,
  "comments of Python": `{"name": "send_note", # the tool\n"arguments": ${JSON_ARGS}}`,
  "an action": `I tell them.\nAction: send_note(${JSON_ARGS})`,
  smolagents: `Action:\n{"name": "send_note", "arguments": ${JSON_ARGS}}<end_code>`,
  "short names of lines": `tool: send_note\nargs: ${JSON_ARGS}`,
  "Python in tags":
    '<tool_code>\nprint(send_note(text="42 < 43", level=3, to=["Ann", "Bo"], urgent=True))\n</tool_code>',
  "a name in other letters": `<invoke name="sendNote">${tagged((name) => `<parameter name="${name}">`, "</parameter>")}</invoke>`,
  "a tag in other letters": `<FunctionCall>{"name": "send_note", "arguments": ${JSON_ARGS}}</FunctionCall>`,
  "a bracket too few": `<tool_call>\n{"name": "send_note", "arguments": ${JSON_ARGS}\n</tool_call>`,
};

describe("a reply that has nothing but a call", () => {
  it.each(Object.entries(ALONE))("is read: %s", (_, text) => {
    expect(read(text).calls).toEqual([{ name: "send_note", args: ARGS }]);
  });
});

describe("a text that is not a call in such a format", () => {
  it.each([
    "In your template, a call is `<function=send_note>{}</function>`, in one line.",
    '<function=send_note>{"text": "42", "level": </function>',
    '<invoke name="send_note"><parameter name="text">42</parameter> and so on</invoke>',
    "Action: none is needed.",
    `<function_call name="send_note" arguments='{"text": "42"}'/>`,
    "It goes to=functions of the house.",
    'send_note: {"text": "42"} was sent.',
    "Use <code>send_note(text='42')</code> for that.",
    '<tool_call>\n{"name": "send_note", "arguments": {"text": "42"\n</tool_call>',
    "The tool: send_note\nIts input is a text.",
  ])("stays a text: %s", (text) => {
    expect(read(text)).toEqual({ text, calls: [] });
  });
});
