import { dataAt, parseJson } from "../../common/jsonInText.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { nameInCall } from "../../plans/steps/writtenCall.js";
import type { BoundTool } from "../prompt.js";

export interface TextCall {
  name: string;
  args: Record<string, unknown>;
}

/**
 * How models write calls that no server has parsed, by the formats of their templates: the name of each call, and its
 * arguments as JSON or as pairs ({@link PAIRS}). A reply may end before the last mark that closes.
 */
const DIALECTS = {
  "Qwen3-Coder, Seed-OSS, MiMo, Nova and, with JSON, Llama":
    /<_*function(?:\s*=\s*|\s+name\s*=\s*)["']?(?<name>[\w.-]+)["']?\s*(?:>|,?\s*(?=[({]))(?<body>[^]*?)(?:<\/_*function>|(?=<_*function[= ]|<\/\w*:?tool_call>)|$)/g,
  "Anthropic, MiniMax, Step3 and DeepSeek since 3.2":
    /<([^\s<>/]*(?:invoke|tool_call|function_call|tool))\s+name\s*=\s*["'](?<name>[^"']+)["'][^<>]*(?<!\/)>(?<body>[^]*?)(?:<\/\1>|$)/g,
  "Claude 2 and others":
    /(?:<tool_name>|<tool_use>\s*<name>)\s*(?<name>[\w.-]+)\s*<\/(?:tool_)?name>\s*<(\w+)>(?<body>[^]*?)<\/\2>/g,
  "GLM, LongCat and Hunyuan":
    /<(?:\w+_)?tool_call>\s*(?<name>[\w.-]+)(?:<tool_sep>)?\s*(?<body>(?:<(?:\w+_)?arg_key>|\{|```)[^]*?|)\s*(?:<\/\w*tool_call>|$)/g,
  Mistral:
    /(?:\[TOOL_CALLS\]|^)\s*(?<name>[\w.-]+)(?:\[CALL_ID\][\w-]+)?(?:\[ARGS\]|(?<=\[TOOL_CALLS\][\w.-]+))\s*(?<body>\{[^]*?)(?=\[TOOL_CALLS\]|$)/g,
  Kimi: /<\|tool_call_begin\|>\s*(?<name>[\w.-]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>(?<body>[^]*?)(?:<\|tool_call_end\|>|$)/g,
  Solar:
    /<\|tool_call:begin\|>[^]*?<\|tool_call:name\|>\s*(?<name>[\w.-]+)\s*<\|tool_call:args\|>(?<body>[^]*?)(?:<\|tool_call:end\|>|$)/g,
  "DeepSeek until 3.1":
    /<[｜|]tool[▁_]call[▁_]begin[｜|]>\s*(?:function<[｜|]tool[▁_]sep[｜|]>)?(?<name>[\w.-]+)\s*(?:<[｜|]tool[▁_]sep[｜|]>)?(?<body>[^]*?)(?:<[｜|]tool[▁_]call[▁_]end[｜|]>|$)/g,
  "harmony (gpt-oss)":
    /(?:^\s*(?:assistant)?(?:commentary|analysis)?\s*|assistant(?:commentary|analysis)\s*|<\|(?:start|channel)\|>[^<]*)\bto=(?<name>[\w.-]+)[^{]*(?<body>\{[^]*?)(?=<\|(?:call|end|start|channel)\|>|$)/g,
  Gemma:
    /(?:<start_function_call>|<\|tool_call>)\s*call:(?<name>[\w.-]+)\s*(?<body>\{[^]*?)(?:<end_function_call>|<tool_call\|>|(?=<start_function)|$)/g,
  Functionary: /^>>>\s*(?<name>[\w.-]+)\s*\n(?<body>\{[^]*?)(?=^>>>|$(?![^]))/gm,
  "ReAct, Qwen-Agent and others":
    /^[ \t]*(?:Action|Tool|Function|✿FUNCTION✿):\s*`?(?<name>[\w.-]+)`?\s*\n\s*(?:(?:Action Input|Arguments|Args|Input|Parameters|✿ARGS✿):\s*|(?=```))(?<body>(?:```\w*\s*)?\{[^]*?)(?=\n\s*(?:Observation:|✿RESULT✿)|$(?![^]))/gim,
};

/** Names and values of arguments in tags. */
const PAIRS = [
  /<[^<>\s/]*?param(?:eter)?(?:\s*=\s*|\s+name\s*=\s*)["']?([^"'<>\s]+)["']?[^<>]*>([^]*?)(?:<\/[^<>\s]*param(?:eter)?\s*>|(?=<parameter[= ])|$)/g,
  /<(?:\w+_)?arg_key>([^]*?)<\/\w*arg_key>\s*<(?:\w+_)?arg_value>([^]*?)<\/\w*arg_value>/g,
  /<([\w.-]+)>([^]*?)<\/\1>/g,
];

/** What encloses all calls of a reply. */
const AROUND =
  /(?:(?:<[^<>]{0,40}(?:tool|function)[^<>]{0,9}calls?[^<>]{0,40}>|<invoke>|<\|start\|>\w*)\s*)+$/i;

/** The calls in a reply that a model's own format shows to be calls, with the text before them. */
export function dialectCalls(text: string, tools: readonly BoundTool[]) {
  for (const pattern of [...Object.values(DIALECTS), ...namedTags(tools)]) {
    const matches = [...text.matchAll(pattern)].filter(({ index }) => text[index - 1] !== "`");
    const calls = matches.flatMap(({ groups = {} }) => {
      const name = nameIn(groups["name"] ?? "", tools);
      const tool = tools.find((one) => one.name === name);
      const args = argumentsIn(groups["body"] ?? "", tool);
      return args ? [{ name, args }] : [];
    });
    const [first] = matches;
    const last = matches.at(-1);
    // A call that cannot be read would be left out.
    if (!first || !last || calls.length < matches.length) continue;
    const behind = text.slice(last.index + last[0].length).replaceAll(/<[^<>]*>/g, "");
    const before = text.slice(0, first.index).replace(AROUND, "").trim();
    return { calls, before, goesOn: /\w/.test(behind) };
  }
  return undefined;
}

/** Tags that are named after tools, and their names before all that a reply has. */
function namedTags(tools: readonly BoundTool[]): RegExp[] {
  const names = tools.map(({ name }) => name).filter((name) => /^[\w-]+$/.test(name));
  const all = names.join("|");
  return names.length === 0
    ? []
    : [
        new RegExp(`<(?<name>${all})>(?<body>[^]*?)</\\1>`, "g"),
        new RegExp(
          `^(?:function call:)?\\s*\`?(?<name>${all})\`?[\\s:(]*(?<body>(?:\`\`\`\\w*\\s*)?\\{[^]*)$`,
          "gi",
        ),
      ];
}

/** The name of a tool as it is offered, where only letters of another case and other marks between them differ. */
export function nameIn(written: string, tools: readonly BoundTool[]): string {
  const bare = nameInCall(written);
  const known = [written, bare].find((one) => tools.some(({ name }) => name === one));
  const alike = known ? [] : tools.filter(({ name }) => lettersOf(name) === lettersOf(bare));
  return known ?? (alike.length === 1 ? (alike[0]?.name ?? bare) : bare);
}

function lettersOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

function argumentsIn(
  body: string,
  tool: BoundTool | undefined,
): Record<string, unknown> | undefined {
  if (body.trim() === "") return {};
  const start = body.indexOf("{");
  if (/^(?:[\s(]|```\w*)*\{/.test(body)) {
    const json = body.replaceAll(/<escape>([^]*?)<escape>|<\|"\|>([^]*?)<\|"\|>/g, quoted);
    const read = dataAt(json, start);
    if (read === "cut" || /\w/.test(json.slice(read.end).replaceAll(/<[^<>]*>/g, "")))
      return undefined;
    return isPlainObject(read.value) ? read.value : undefined;
  }
  const properties = isPlainObject(tool?.parameters.properties) ? tool.parameters.properties : {};
  for (const pattern of PAIRS) {
    if (body.search(pattern) < 0) continue;
    if (/[\w<]/.test(body.replaceAll(pattern, ""))) return undefined;
    const pairs = [...body.matchAll(pattern)].map(([, key = "", value = ""]): [string, unknown] => [
      key.trim(),
      typed(value, properties[key.trim()]),
    ]);
    return Object.fromEntries(pairs);
  }
  return undefined;
}

function quoted(_: string, one?: string, other?: string): string {
  return JSON.stringify(one ?? other ?? "");
}

/** A value in a tag: a text where the parameter is one, else JSON or a word of Python. */
function typed(written: string, schema: unknown): unknown {
  const text = written.replaceAll(/^\r?\n|\r?\n$/g, "");
  if (takesText(schema)) return text;
  const bare = text.trim();
  const words: Record<string, unknown> = { True: true, False: false, None: null };
  return Object.hasOwn(words, bare) ? words[bare] : (parseJson(bare) ?? bare);
}

function takesText(schema: unknown): boolean {
  if (!isPlainObject(schema)) return false;
  const { type, enum: choices, anyOf, oneOf } = schema as JsonSchema;
  const some = [choices, anyOf, oneOf].flatMap((each): unknown[] =>
    Array.isArray(each) ? each : [],
  );
  return (
    [type].flat().includes("string") ||
    some.some((one) => typeof one === "string" || takesText(one))
  );
}
