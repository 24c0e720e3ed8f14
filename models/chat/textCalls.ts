import { randomUUID } from "node:crypto";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { LONGEST_MESSAGE } from "../../common/bounds.js";
import { type DataInText, dataAt, jsonInText, parseJson } from "../../common/jsonInText.js";
import { listedLines } from "../../common/listedLines.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { writtenArguments, writtenCall } from "../../plans/steps/writtenCall.js";
import { FINISH, STOP } from "../../tools/control.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { BoundTool } from "../prompt.js";
import { changedReply } from "./reply.js";
import { type TextCall, dialectCalls, nameIn } from "./dialects.js";

interface Found {
  calls: TextCall[];
  before: string;
  goesOn: boolean;
}

/**
 * A reply with the calls found in its text. Models that never learnt to call tools write calls as text, and
 * some servers do not parse them: as the whole text, in a fence or tags, after prose, or on separate lines.
 * Text that only mentions a tool or an earlier call is left alone.
 *
 * @param options.toolChoice the name of a tool the model must call: then its bare arguments count as a call too
 */
export function withTextCalls(options: {
  reply: AIMessage;
  tools: readonly BoundTool[];
  toolChoice?: string;
  asked: readonly BaseMessage[];
}): AIMessage {
  const { reply, tools, toolChoice, asked } = options;
  reply.tool_calls = reply.tool_calls?.flatMap((call) => knownCalls(call, tools));
  const isText = !reply.tool_calls?.length && !reply.invalid_tool_calls?.length;
  const text = reply.text.trim();
  if (!isText || !text || text.length > LONGEST_MESSAGE || tools.length === 0) return reply;
  const found =
    dialectCalls(text, tools) ??
    findCalls(plainText(text), tools) ??
    bareArguments(text, tools, toolChoice);
  if (!found || (found.goesOn && found.calls.every((call) => wasMade(call, asked)))) return reply;
  return changedReply(reply, {
    content: found.before,
    tool_calls: once(found.calls).map(({ name, args }) => ({
      id: `call_${randomUUID()}`,
      name,
      args,
      type: "tool_call",
    })),
  });
}

/**
 * A provider's own call, of the tool that it means: some models and servers leave marks at its name, wrap its arguments
 * once more, or call something that only holds calls.
 */
function knownCalls(call: ToolCall, tools: readonly BoundTool[]): ToolCall[] {
  const name = nameIn(call.name, tools);
  const tool = tools.find((one) => one.name === name);
  if (tool) return [{ ...call, name, args: unwrapped(call.args, tool) }];
  const inside = callsOf([{ value: call.args, start: 0, end: 0 }], tools) ?? [];
  const made = inside.map((one) => ({ ...call, ...one, id: `call_${randomUUID()}` }));
  return made.length > 0 ? made : [call];
}

function unwrapped(given: ToolCall["args"], tool: BoundTool): ToolCall["args"] {
  if (isArguments(given, tool)) return given;
  const { args } = writtenCall({ tool_name: tool.name, ...given }) ?? {};
  const entries = args === undefined ? undefined : writtenArguments(args);
  const inside = Object.fromEntries(entries ?? []);
  return entries && isArguments(inside, tool) ? inside : given;
}

/** What some templates have instead of tags: Phi, Granite, LFM2, Apertus, Command A, InternLM, Nemotron, Llama. */
const OPENING =
  /<\|(?:tool_call(?:_start)?|tools_prefix|START_ACTION|python_tag)\|>|<\|action_start\|>\s*<\|plugin\|>|<TOOLCALL>|\[TOOL_REQUEST\]|(?:\[TOOL_CALLS\]|^functools)(?=\s*[[{])/gm;
const CLOSING =
  /<\|(?:\/tool_call|tool_call_end|tools_suffix|END_ACTION|action_end|eom_id|eot_id)\|>|<\/TOOLCALL>|\[END_TOOL_REQUEST\]/g;

/** Other marks of templates at the ends of a reply, and what only says that calls follow or shows their result. */
const ENDS =
  /^(?:<[|\w]+\|>(?:assistant\b)?\s*)+|(?:\s*(?:<\|[\w|]+>|<\/s>|<end_\w+>))+$|^multi_tool_use\.parallel\((?=\{)|\n\s*(?:console\.log|print)\(\w+\);?(?=\s*(?:```)?$)/g;

/** Braces as templates double them where they show the form of a call. */
const DOUBLED =
  /\{(?=\{\s*"(?:name|tool|tool_name|function|type)"\s*:)|(?<=\}\s*\})\}+(?=\s*$|\s*<)/gm;

/** A reply with one kind of tags and none of the other marks of a template. */
function plainText(text: string): string {
  const single = text.includes("{{") ? text.replaceAll(DOUBLED, "") : text;
  const marked = single.replaceAll(OPENING, "<tool_call>").replaceAll(CLOSING, "</tool_call>");
  const isOpen = marked.includes("<tool_call>");
  return (isOpen ? marked : marked.replaceAll("</tool_call>", "")).replaceAll(ENDS, "").trim();
}

/** Tags and fences around calls, with their content; a reply may end before the closing one. */
const ENCLOSED = [
  /<(?:tool[-_]?calls?|function[-_]?calls?|tools?|functions?|tool_code|code(?=>\s*\n))>([\s\S]*?)(?:<\/|$)/gi,
  /```(?:\w+(?=\s))?([\s\S]*?)(?:```|$)/g,
];

function findCalls(text: string, tools: readonly BoundTool[]): Found | undefined {
  const calls = callsIn(text, tools) ?? strangeCall(text);
  if (calls) return { calls, before: "", goesOn: false };
  for (const pattern of ENCLOSED) {
    const pieces = [...text.matchAll(pattern)].flatMap(([whole, inside = ""], at, { length }) => {
      // Small models forget the last bracket. Arguments that are not closed stay unread.
      const found =
        callsIn(inside.trim(), tools) ?? callsIn(whole.endsWith("</") ? `${inside}}` : "", tools);
      return found ? [{ found, whole, isLast: at === length - 1 }] : [];
    });
    const [first] = pieces;
    const last = pieces.at(-1);
    if (!first || !last) continue;
    const behind = text.slice(text.lastIndexOf(last.whole) + last.whole.length);
    return {
      calls: pieces.flatMap(({ found }) => found),
      before: text.slice(0, text.indexOf(first.whole)).trim(),
      goesOn: /\w/.test(behind.replace(/^\w+>/, "")),
    };
  }
  return callsAtEnd(text, tools);
}

/** The calls in a text that has nothing else; otherwise undefined. */
function callsIn(text: string, tools: readonly BoundTool[]): TextCall[] | undefined {
  const written = writtenWithBrackets(text, tools);
  if (written) return written;
  const { found, cutShort } = jsonInText(text);
  const gaps = found.map(({ start }, at) => text.slice(found[at - 1]?.end ?? 0, start));
  const rest = [...gaps, text.slice(found.at(-1)?.end ?? 0)].join("").trim();
  // A bracket or two too many, as small models write them.
  if (cutShort || /[^\s,;]/.test(rest.replace(/[}\])]{1,2}$/, ""))) return undefined;
  return callsOf(found, tools);
}

/** All data as calls; undefined if any is not a call, or there is none. */
function callsOf(
  found: readonly DataInText[],
  tools: readonly BoundTool[],
): TextCall[] | undefined {
  const items = found.flatMap(({ value }) => itemsOf(value));
  const calls = items.flatMap((item) => callOf(item, tools) ?? []);
  return calls.length > 0 && calls.length === items.length ? calls : undefined;
}

/** `[call, call]`, `{"tool_calls": [call]}`, or one. */
function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const calls = isPlainObject(value)
    ? (value["tool_calls"] ?? value["tool_uses"] ?? value["calls"])
    : undefined;
  return Array.isArray(calls) ? calls : [value];
}

function callOf(value: unknown, tools: readonly BoundTool[]): TextCall | undefined {
  const written = writtenCall(value);
  const text = written && written.args === undefined ? written.name : value;
  const [inText] = typeof text === "string" ? (writtenWithBrackets(text, tools) ?? []) : [];
  if (inText) return inText;
  if (written) return boundCall(written, tools);
  const end = bareEnd(value, tools);
  if (end) return end;
  // {"add": {"a": 1, "b": 2}}
  const [only, ...others] = isPlainObject(value) ? Object.entries(value) : [];
  if (!only || others.length > 0 || !isPlainObject(only[1])) return undefined;
  return boundCall({ name: only[0], args: only[1], others: {} }, tools);
}

/** Bare arguments of the tool that ends the work. Those of other tools may be meant as data. */
function bareEnd(value: unknown, tools: readonly BoundTool[]): TextCall | undefined {
  const end = tools.find(({ name }) => name === STOP.name || name === FINISH.name);
  if (!end || !isPlainObject(value) || !isArguments(value, end)) return undefined;
  return { name: end.name, args: value };
}

/** A call of a bound tool; its arguments may be next to its name. */
function boundCall(
  { name, args, others }: { name: string; args: unknown; others: Record<string, unknown> },
  tools: readonly BoundTool[],
): TextCall | undefined {
  const tool = tools.find((one) => one.name === name);
  if (!tool) return undefined;
  if (args === undefined) return isArguments(others, tool) ? { name, args: others } : undefined;
  const entries = writtenArguments(args);
  return entries ? { name, args: Object.fromEntries(entries) } : undefined;
}

/** Whether data has everything a tool requires and nothing unknown. */
function isArguments(value: Record<string, unknown>, { parameters }: BoundTool): boolean {
  const known = propertiesOf(parameters);
  const { required } = parameters;
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const given = Object.keys(value);
  return given.every((key) => known.has(key)) && needed.every((key) => given.includes(String(key)));
}

function propertiesOf({ properties }: JsonSchema): Map<string, unknown> {
  return new Map(isPlainObject(properties) ? Object.entries(properties) : []);
}

/** A text that is only a call of an unknown tool: the model must be told, so it is not an answer. */
function strangeCall(text: string): TextCall[] | undefined {
  const { name, args } = writtenCall(parseJson(text)) ?? {};
  if (name === undefined || !/^[\w-]{1,64}$/.test(name) || !isPlainObject(args)) return undefined;
  return [{ name, args }];
}

/** `add(a=1, b=2)`, `add({"a": 1, "b": 2})` or `add(1, 2)`, one or several, each on separate lines or in a list. */
function writtenWithBrackets(written: string, tools: readonly BoundTool[]): TextCall[] | undefined {
  const text = /^\s*\[\s*([\w.-]+\([^]*\))\s*,?\s*\]\s*$/.exec(written)?.[1] ?? written;
  const calls: TextCall[] = [];
  const beginning =
    /\s*(?:(?:const |let )?\w+ *= *)?(?:await )?(?:print\()?(?:(?:action|call):\s*|<<function>>)?(?:(?:default_api|api|functions?|tools?)\.)?([\w-]+)(?:\.call)?\s*\(/iy;
  let at = 0;
  while (at < text.length) {
    beginning.lastIndex = at;
    const match = beginning.exec(text);
    const tool = tools.find(({ name }) => name === match?.[1]);
    const read = match && tool ? dataAt(text, beginning.lastIndex - 1) : undefined;
    if (!tool || !read || read === "cut") return undefined;
    const args = read.value ?? byPosition(text.slice(beginning.lastIndex, read.end - 1), tool);
    if (!isPlainObject(args)) return undefined;
    calls.push({ name: tool.name, args });
    at = read.end + (/^[\s;,)]*/.exec(text.slice(read.end))?.[0].length ?? 0);
  }
  return calls.length > 0 ? calls : undefined;
}

/** Values without names, given to the parameters in their order. */
function byPosition(
  values: string,
  { parameters }: BoundTool,
): Record<string, unknown> | undefined {
  const read = dataAt(`[${values}]`, 0);
  const given: unknown = read === "cut" ? undefined : read.value;
  const names = [...propertiesOf(parameters).keys()];
  if (!Array.isArray(given) || given.length > names.length) return undefined;
  return Object.fromEntries(given.map((value: unknown, at) => [names[at], value]));
}

/** A call at the end of a text, after prose. */
function callsAtEnd(text: string, tools: readonly BoundTool[]): Found | undefined {
  const last = jsonInText(text).found.at(-1);
  const calls = last && callsOf([last], tools);
  if (last && calls) {
    const [before, behind] = [text.slice(0, last.start), text.slice(last.end)];
    const goesOn = !/^[\s.`]*$/.test(behind);
    // A call followed by prose must be on separate lines; within a sentence it is only mentioned.
    const isApart = /(?:^|\n)\s*$/.test(before) && /^[^\S\n]*\n/.test(behind);
    if (!goesOn || isApart) return { calls, before: before.trim(), goesOn };
  }
  const line = text.lastIndexOf("\n") + 1;
  const written =
    line > 0 ? writtenWithBrackets(text.slice(line).replace(/^`|`$/g, ""), tools) : undefined;
  return written && { calls: written, before: text.slice(0, line).trim(), goesOn: false };
}

/** The bare arguments of the tool that must be called: an object, or the content of its only list. */
function bareArguments(
  text: string,
  tools: readonly BoundTool[],
  toolChoice?: string,
): Found | undefined {
  const tool = tools.find(({ name }) => name === toolChoice);
  if (!tool) return undefined;
  const values = [parseJson(text), ...jsonInText(text).values.toReversed()];
  const whole = values.find((value) => isPlainObject(value) && isArguments(value, tool));
  const key = onlyList(tool);
  const lists = values.flatMap((value) => (isPlainObject(value) ? Object.values(value) : [value]));
  const list =
    key === undefined
      ? undefined
      : (lists.find((one): one is unknown[] => Array.isArray(one) && one.length > 0) ??
        listedLines(text));
  const args = isPlainObject(whole) ? whole : list?.length ? { [key ?? ""]: list } : undefined;
  return args && { calls: [{ name: tool.name, args }], before: "", goesOn: false };
}

/** The only required parameter, if it is a list. */
function onlyList({ parameters }: BoundTool): string | undefined {
  const { required } = parameters;
  const [key, ...others]: unknown[] = Array.isArray(required) ? required : [];
  if (typeof key !== "string" || others.length > 0) return undefined;
  const schema = propertiesOf(parameters).get(key);
  return isPlainObject(schema) && schema["type"] === "array" ? key : undefined;
}

/** Whether the call was made before: a mention of it is not a new call. */
function wasMade(call: TextCall, asked: readonly BaseMessage[]): boolean {
  return asked.some(
    (message) =>
      AIMessage.isInstance(message) &&
      message.tool_calls?.some((made) => written(made) === written(call)),
  );
}

function once(calls: readonly TextCall[]): TextCall[] {
  return [...new Map(calls.map((call) => [written(call), call])).values()];
}

function written({ name, args }: TextCall): string {
  return JSON.stringify([name, args]);
}
