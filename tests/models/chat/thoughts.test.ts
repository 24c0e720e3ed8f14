import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutThoughts } from "../../../models/chat/thoughts.js";

const FENCE = "```";
const DRAFT = `Draft:\n${FENCE}ts\nawait close({ id: 1 });\n${FENCE}\nNo, ask first.`;
const REPLY = `${FENCE}ts\nstop("Shall I?");\n${FENCE}`;

const MARKS: [string, string][] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<THINK>", "</THINK>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<reflection>", "</reflection>"],
  ["<scratchpad>", "</scratchpad>"],
  ["<seed:think>", "</seed:think>"],
  ["<mm:think>", "</mm:think>"],
  ["<longcat_think>", "</longcat_think>"],
  ['<think effort="high">', "</think>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|think|>", "<|/think|>"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|inner_prefix|>", "<|inner_suffix|>"],
  ["<|channel>thought\n", "<channel|>"],
  ["<unused94>thought\n", "<unused95>"],
  ["Here is my thought process:", "\nHere is my response:"],
  ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
  [
    "<|start|>assistant<|channel|>analysis<|message|>",
    "<|end|><|start|>assistant<|channel|>final<|message|>",
  ],
  ["analysis", "assistantfinal"],
];

describe("thoughts", () => {
  it.each(MARKS)("between %j and %j are no part of the reply", (open, close) => {
    expect(withoutThoughts(`${open}${DRAFT}${close}\n\n${REPLY}`).trim()).toBe(REPLY);
  });

  it.each(MARKS.slice(0, -3).filter(([open]) => !open.startsWith("Here")))(
    "before a closing mark without %j are no part of it",
    (_, close) => {
      expect(withoutThoughts(`${DRAFT}\n${close}\n\n${REPLY}`).trim()).toBe(REPLY);
    },
  );

  it.each(MARKS.slice(0, -1))("that begin with %j and do not end leave nothing", (open) => {
    expect(withoutThoughts(`${open}\n${DRAFT}`).trim()).toBe("");
  });

  it.each([
    ["a fence that stays open in them", `<think>\n${FENCE}ts\nclose();\n</think>\n${REPLY}`],
    ["a fence that stays open before their end", `${FENCE}ts\nclose();\n</think>\n${REPLY}`],
    ["themselves as their subject", `<think>Do I write <think>? No.</think>\n${REPLY}`],
    ["thoughts in them", `<think>a <think>b</think> c</think>\n${REPLY}`],
    ["thoughts after them", `<think>a</think>\n<think>b</think>\n${REPLY}`],
    ["an answer's tag after them", `<think>a</think>\n<answer>\n${REPLY}\n</answer>`],
    [
      "a response's tokens after them",
      `<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>${REPLY}<|END_RESPONSE|>`,
    ],
  ])("may have %s", (_, text) => {
    expect(withoutThoughts(text).trim()).toBe(REPLY);
  });

  it("are cut where they begin later, on a line of their own or over several", () => {
    const section = `<think>\n${DRAFT}\n</think>`;
    for (const text of [`Okay.\n${section}\nShall I?`, `Okay. ${section}\nShall I?`]) {
      expect(withoutThoughts(text)).toMatch(/^Okay\.\s+Shall I\?$/);
    }
    expect(withoutThoughts(`Okay.\n<think>\n${DRAFT}`).trim()).toBe("Okay.");
    expect(withoutThoughts(`Okay. <think>\n${DRAFT}`).trim()).toBe("Okay.");
  });

  it("leave a call in harmony as it is written", () => {
    const call = '<|start|>assistant<|channel|>commentary to=functions.add<|message|>{"a":1}';
    const text = `<|channel|>analysis<|message|>to=functions.close {"id":1}<|end|>${call}<|call|>`;
    expect(withoutThoughts(text)).toBe(call);
  });
});

describe("marks that are part of the text", () => {
  it.each([
    "Models write <think> before they answer.",
    "The note says: <think>buy milk</think>, and nothing else.",
    "Close thoughts with `</think>`.",
    'The tag "</think>" is missing.',
    "The token <|channel|> begins a message.",
    'return "<think>a</think>";',
    "return `Use:\n<think>\nx\n</think>\nand go on.`;",
    `${FENCE}ts\nawait save({ text: \`a\n<think>\nx\n</think>\nb\` });\n${FENCE}`,
    `It is:\n${FENCE}xml\n<think>\nx\n</think>\n${FENCE}\nThat is all.`,
    "Analysis shows that the assistant final is near.",
  ])("stay: %s", (text) => {
    expect(withoutThoughts(text)).toBe(text);
  });

  const word = fc.constantFrom("<think>", "</think>", "a", "\n", " ", "x();", "[THINK]", "é");
  const words = fc.array(word, { maxLength: 12 }).map((all) => all.join(""));

  it("stay wherever they are in a block of code", () => {
    fc.assert(
      fc.property(words, (inside) => {
        fc.pre(!/^[ \t]*<\/think>[ \t]*$/m.test(inside));
        const text = `Here:\n${FENCE}ts\nconst text = 1; // ${inside}\n${FENCE}\n`;
        expect(withoutThoughts(text)).toBe(text);
      }),
    );
  });

  it("never bring back what stands between a first mark and its end", () => {
    const thought = words.map((text) => text.replaceAll(/<\/?think>|\[THINK\]/g, ""));
    fc.assert(
      fc.property(thought, words, (secret, rest) => {
        fc.pre(!rest.includes("</think>") && secret.trim() !== "");
        const text = `<think>SECRET ${secret}</think>${rest}`;
        expect(withoutThoughts(text)).not.toContain("SECRET");
      }),
    );
  });

  it("change nothing in a text without any", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/think|◁|<\|/i.test(text));
        expect(withoutThoughts(text)).toBe(text);
      }),
    );
  });
});

describe("results that a model invents", () => {
  it.each([
    "<tool_response>",
    "<tool_result>",
    "<|observation|>",
    "[TOOL_RESULTS]",
    "</tool_response>",
  ])("are no part of the reply from %j on, nor is what it makes of them", (mark) => {
    expect(withoutThoughts(`${REPLY}\n${mark}\n{"total": 5}\nThere are 5.`).trim()).toBe(REPLY);
    expect(withoutThoughts(`${mark}{"total": 5}`)).toBe("");
  });

  it.each([
    "A template has <tool_response> around results.",
    `${FENCE}xml\n<tool_response>\n5\n</tool_response>\n${FENCE}\nThat is the form.`,
  ])("are not where a text speaks of their marks: %j", (text) => {
    expect(withoutThoughts(text)).toBe(text);
  });
});
