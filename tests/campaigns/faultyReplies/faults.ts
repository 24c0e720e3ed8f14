import { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";

/** Makes a faulty reply from the right one. */
export type Fault = (honest: AIMessage) => AIMessage;

/** Deeper than any argument of a tool may be. */
const DEPTH = 5_000;

const MEGABYTE = 1_000_000;

/**
 * Ways in which replies of models go wrong, by name: seen with small models and with endpoints that lack tools or reply
 * formats, or possible in hostile texts.
 */
export const KINDS: Record<string, Fault> = {
  // Nothing useful.
  empty: () => text(""),
  blanks: () => text(" \n\t "),
  "promise of work": () => text("Let me work through this step by step."),
  "refusal in prose": () => text("I'm sorry, but I can't help with that."),
  "JSON null": () => text("null"),
  "empty list": () => text("[]"),
  "empty object": () => text("{}"),
  "empty string": () => text('""'),
  "a truth value": () => text("true"),
  emoji: () => text("🙂🙂🙂"),
  "another language": () => text("Das Ergebnis lautet wohl ungefähr zwölf."),
  apology: () => text("I apologize for the confusion. Here is the corrected answer:"),

  // Answers that no result supports.
  "invented number": () => text("The answer is 24."),
  "a number alone": () => text("24"),
  "invented in markdown": () => text("**Answer:** The result is **7,431**."),
  "invented date": () => text("It was done on 3 March 2019."),
  "reference of a plan": () => text("The result is $$PREV[0]."),
  "reference with arithmetic": () => text("The result is $$PREV[0] - 865."),
  "reference in braces": () => text("The result is {{steps[1].result}}."),
  "reference in brackets": () => text("The result is [result of step 1]."),
  "reference to STEP": () => text("The result is $$STEP[1]."),
  "stop with an invented number": () => calling([stop("The answer is 24.")]),
  "stop with a placeholder": () => calling([stop("The result is {{steps[0].result}}.")]),
  "stop with a promise": () => calling([stop("I will now compute the result.")]),
  "finish with an invented number": () =>
    calling([{ name: "finish", args: { return_type: "give_answer", final_answer: "It is 24." } }]),
  "plan with an invented answer": (honest) =>
    changedJson(honest, (value) => ({ ...value, answer: "The answer is 24." })),
  "plan that adds to a reference": (honest) =>
    changedJson(honest, (value) => ({ ...value, answer: "The result is $$PREV[0] - 865." })),
  "plan that lacks none": (honest) =>
    changedJson(honest, (value) => ({ ...value, lacking: ["none"] })),
  "plan counted from one": (honest) => changedText(honest, counted),
  "plan with .result": (honest) =>
    changedText(honest, (said) => said.replaceAll(/\$\$PREV\[\d+\]/g, "$&.result")),

  // The right reply in a wrong form.
  "cut in the middle": (honest) =>
    changedText(honest, (said) => said.slice(0, Math.ceil(said.length / 2))),
  "cut by length": (honest) => {
    const cut = changedText(honest, (said) => said.slice(0, Math.ceil(said.length / 2)));
    return new AIMessage({ content: cut.content, response_metadata: { finish_reason: "length" } });
  },
  "trailing comma": (honest) => changedText(honest, (said) => said.replaceAll(/([\]}])/g, ",$1")),
  "single quotes": (honest) => changedText(honest, (said) => said.replaceAll('"', "'")),
  "unquoted keys": (honest) => changedText(honest, (said) => said.replaceAll(/"(\w+)":/g, "$1:")),
  "comment in JSON": (honest) => changedText(honest, (said) => `${said} // the plan`),
  fence: (honest) => changedText(honest, (said) => `\`\`\`json\n${said}\n\`\`\``),
  "prose around": (honest) =>
    changedText(honest, (said) => `Sure! Here it is:\n\n${said}\n\nI hope that helps.`),
  "something else first": (honest) => changedText(honest, (said) => `{"note": 1}\n${said}`),
  "said twice": (honest) => changedText(honest, (said) => `${said}\n\n${said}`),
  "in a response field": (honest) => changedText(honest, (said) => `{"response": ${said}}`),
  "in a list": (honest) => changedText(honest, (said) => `[${said}]`),
  "as a JSON string": (honest) => changedText(honest, (said) => JSON.stringify(said)),
  "tool_call tags": (honest) => changedText(honest, (said) => `<tool_call>\n${said}\n</tool_call>`),
  "HTML entities": (honest) => changedText(honest, (said) => said.replaceAll('"', "&quot;")),
  "byte order mark": (honest) => changedText(honest, (said) => `\uFEFF\u200B${said}`),
  "terminal escapes": (honest) =>
    changedText(honest, (said) => `\u001B[31m${said}\u001B]0;title\u0007`),
  "numbered lines": (honest) => text(linesOf(honest, (line, at) => `${at + 1}. ${line}`)),
  "plain lines": (honest) => text(linesOf(honest, (line) => line)),

  // Wrong calls.
  "call with an unknown name": (honest) => changedCalls(honest, { name: () => "solve_everything" }),
  "call with a slip": (honest) => changedCalls(honest, { name: (name) => `${name}s` }),
  "call in capitals": (honest) => changedCalls(honest, { name: (name) => name.toUpperCase() }),
  "call with a prefix": (honest) => changedCalls(honest, { name: (name) => `functions.${name}` }),
  "call with a name of a megabyte": (honest) =>
    changedCalls(honest, { name: () => "n".repeat(MEGABYTE) }),
  "arguments left out": (honest) => changedCalls(honest, { args: () => ({}) }),
  "arguments as texts": (honest) =>
    changedCalls(honest, { args: (args) => mapped(args, (value) => String(value)) }),
  "arguments as null": (honest) =>
    changedCalls(honest, { args: (args) => mapped(args, () => null) }),
  "arguments misnamed": (honest) =>
    changedCalls(honest, { args: (args) => renamed(args, (name) => `the_${name}`) }),
  "an argument too many": (honest) =>
    changedCalls(honest, { args: (args) => ({ ...args, verbose: true }) }),
  "arguments nested without end": (honest) =>
    callsOf(honest).length > 0
      ? changedCalls(honest, { args: (args) => mapped(args, () => nested(DEPTH)) })
      : nestedInText(honest),
  "argument of a megabyte": (honest) =>
    changedCalls(honest, { args: (args) => mapped(args, () => "9".repeat(MEGABYTE)) }),
  "arguments that are no JSON": (honest) => unreadable(honest),
  "the call twice": (honest) =>
    calling(callsOf(honest).flatMap((call) => [call, { ...call, id: undefined }])),
  "the call without an id": (honest) =>
    calling(callsOf(honest).map((call) => ({ ...call, id: undefined }))),
  "all ids the same": (honest) => calling(callsOf(honest).map((call) => ({ ...call, id: "1" }))),
  "stop beside the call": (honest) => calling([...callsOf(honest), stop("The answer is 24.")]),
  "a thousand calls": (honest) => {
    const [first] = callsOf(honest);
    return calling(first ? Array.from({ length: 1_000 }, () => ({ ...first, id: undefined })) : []);
  },
  "call as text": (honest) =>
    text(writtenCall(honest, ({ name, args }) => ({ name, arguments: args }))),
  "call as tool_name and parameters": (honest) =>
    text(writtenCall(honest, ({ name, args }) => ({ tool_name: name, parameters: args }))),
  "call as a function in text": (honest) =>
    text(
      writtenCall(honest, ({ name, args }) => ({
        function: { name, arguments: JSON.stringify(args) },
      })),
    ),

  // Too much.
  "text of a megabyte": () => text("word ".repeat(MEGABYTE / 5)),
  "ten thousand brackets": () => text("[".repeat(10_000)),
  "list of ten thousand": (honest) => many(honest),
};

type Call = Omit<ToolCall, "id"> & { id?: string | undefined };

function text(content: string): AIMessage {
  return new AIMessage({ content });
}

function calling(calls: readonly Call[]): AIMessage {
  return new AIMessage({ content: "", tool_calls: calls.map((call) => ({ ...call })) });
}

function stop(message: string): Call {
  return { name: "stop", args: { message, solved: true } };
}

function callsOf(honest: AIMessage): Call[] {
  return honest.tool_calls ?? [];
}

/** Writes a reply with calls as text, as a model without tool calling would. */
function writtenOut(honest: AIMessage): string {
  const [first] = callsOf(honest);
  return first ? JSON.stringify({ name: first.name, arguments: first.args }) : honest.text;
}

function changedText(honest: AIMessage, change: (said: string) => string): AIMessage {
  return text(change(writtenOut(honest)));
}

/** A reply that is not a JSON object, such as reasoning before calls, stays unchanged. */
function changedJson(
  honest: AIMessage,
  change: (value: Record<string, unknown>) => unknown,
): AIMessage {
  if (callsOf(honest).length > 0 || !honest.text.startsWith("{")) return honest;
  return text(JSON.stringify(change(JSON.parse(honest.text) as Record<string, unknown>)));
}

function changedCalls(
  honest: AIMessage,
  change: {
    name?: (name: string) => string;
    args?: (args: Record<string, unknown>) => Record<string, unknown>;
  },
): AIMessage {
  const { name = (same) => same, args = (same) => same } = change;
  const calls = callsOf(honest).map((call) => ({
    ...call,
    name: name(call.name),
    args: args(call.args),
  }));
  return calls.length > 0 ? calling(calls) : inPlan(honest, { name, args });
}

/** The same fault in the steps of a plan. */
function inPlan(
  honest: AIMessage,
  change: {
    name: (name: string) => string;
    args: (args: Record<string, unknown>) => Record<string, unknown>;
  },
): AIMessage {
  return changedJson(honest, (value) => {
    const { steps } = value as { steps?: { tool: string; args: Record<string, unknown> }[] };
    if (!steps) return value;
    const changed = steps.map((step) => ({
      ...step,
      tool: change.name(step.tool),
      args: change.args(step.args),
    }));
    return { ...value, steps: changed };
  });
}

function unreadable(honest: AIMessage): AIMessage {
  const invalid_tool_calls = callsOf(honest).map(({ id, name }) => ({
    id,
    name,
    args: '{"a": 1, "b":',
    type: "invalid_tool_call" as const,
  }));
  return new AIMessage({ content: "", invalid_tool_calls });
}

function writtenCall(honest: AIMessage, write: (call: Call) => unknown): string {
  const [first] = callsOf(honest);
  return first ? `\`\`\`json\n${JSON.stringify(write(first), null, 2)}\n\`\`\`` : honest.text;
}

function counted(said: string): string {
  return said.replaceAll(/PREV\[(\d+)\]/g, (_, at: string) => `PREV[${Number(at) + 1}]`);
}

/** The texts of a structured reply, as lines. */
function linesOf(honest: AIMessage, line: (text: string, at: number) => string): string {
  const texts = writtenOut(honest).match(/"[^"]{6,}"/g) ?? [honest.text];
  return texts.map((one, at) => line(one.replaceAll('"', ""), at)).join("\n");
}

function many(honest: AIMessage): AIMessage {
  return changedJson(honest, (value) => {
    const lists = Object.entries(value).map(([name, inner]) =>
      Array.isArray(inner) && inner.length > 0
        ? [name, Array.from({ length: 10_000 }, () => inner[0] as unknown)]
        : [name, inner],
    );
    return Object.fromEntries(lists) as unknown;
  });
}

function mapped(
  args: Record<string, unknown>,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, change(value)]));
}

function renamed(
  args: Record<string, unknown>,
  change: (name: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [change(name), value]));
}

/** `JSON.stringify` cannot write JSON of that depth, though `JSON.parse` can read it. */
function nestedInText(honest: AIMessage): AIMessage {
  const marked = changedCalls(honest, { args: (args) => mapped(args, () => MARK) });
  return text(marked.text.replaceAll(`"${MARK}"`, `${"[".repeat(DEPTH)}1${"]".repeat(DEPTH)}`));
}

const MARK = "nested";

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at++) value = [value];
  return value;
}
