import { AIMessage } from "@langchain/core/messages";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { declarationLines } from "../../../nodes/programs/functionDeclarations.js";
import { likelyText } from "../../../nodes/programs/toldFunctions.js";
import {
  type WriteProgramInput,
  programQuestion,
} from "../../../nodes/programs/programQuestion.js";
import { LEAST_CACHED } from "../../../models/prices.js";
import { promptOf } from "../../../nodes/kit/question.js";
import { estimateTokens } from "../../../common/tokens.js";
import type { OfferedTool } from "../../../nodes/kit/stageInputs.js";

const tools: OfferedTool[] = [
  {
    name: "find_item",
    description: "Find an item.\nBy its name. */",
    parameters: {
      type: "object",
      properties: { name: { type: "string", description: "What it is called" } },
      required: ["name"],
    },
    returns: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  },
  { name: "who", description: "Who asks.", parameters: { type: "object" } },
];

const INPUT: WriteProgramInput = {
  request: "Put ${that} into my {sprint}, please",
  background: "It is Monday.",
  earlierTurns: [{ role: "user", text: "Hello there" }],
  tools,
  groups: [],
  demonstrations: [],
  missed: [],
  searched: [],
};

function textsOf(more: Partial<WriteProgramInput> = {}, problem?: string): string[] {
  const input = { ...INPUT, ...more };
  return promptOf(programQuestion, { input, problem }).messages.map(({ text }) => text);
}

describe("the question for a program", () => {
  it("shows an example that is a program of the language", async () => {
    const [system = ""] = textsOf();
    const [, example = ""] = /```ts\n([^]*?)```/.exec(system) ?? [];
    const functions = ["list_buoys", "repaint_buoy"].map((name) => ({ ...tools[1], name }));
    const input = { ...INPUT, tools: functions as OfferedTool[] };
    const read = await programQuestion.read(new AIMessage(example), input);
    expect(read).toMatchObject({ value: { repairs: [] } });
  });

  it("begins alike for all requests to a library, with its contents", () => {
    const contents = { text: "- git: commit, log", tells: "names" as const };
    const likely = likelyText(tools, contents);
    const [one, human] = textsOf({ contents, likely, request: "Commit", background: undefined });
    const [other] = textsOf({
      contents,
      request: "Show the log",
      tools: [],
      demonstrations: [],
      background: undefined,
    });
    expect(one).toContain(contents.text);
    expect(one).toBe(other);
    expect(human).toMatch(/declare function find_item\(args[^]*Next request: Commit$/);
  });

  it("begins in a thread as the one before, with its turns in the order in which they were said", () => {
    const turns = ["Add a user", "Added Ada.", "And her team", "Done."].map((text, at) => ({
      role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
      text,
    }));
    const background = undefined;
    const then = { earlierTurns: turns.slice(0, 2), request: "And her team", background };
    const [, before = ""] = textsOf(then);
    const now = { earlierTurns: turns, request: "Thanks", tools: [], background };
    const [, human = ""] = textsOf(now);
    expect(before).toContain("Your answer: Added Ada.");
    expect(human.startsWith(before)).toBe(true);
  });

  it.each([
    { background: "Your final answer has the form <answer> ID </answer>." },
    { background: undefined, instructions: "Answer in JSON." },
  ])("says last how to reply where other people's words come before the request: %o", (others) => {
    const [, human = ""] = textsOf({ request: "Commit", ...others });
    expect(human).toMatch(/Request: Commit\n\n.*ts block/i);
    const [, alone = ""] = textsOf({ request: "Commit", background: undefined });
    expect(alone).toMatch(/Request: Commit$/i);
  });
});

it("says a little more where that makes its beginning long enough to be cached", () => {
  for (let length = 1000; length < 4000; length += 20) {
    const contents = { text: "a".repeat(length), tells: "signatures" as const };
    const [system = ""] = textsOf({ contents });
    const missing = LEAST_CACHED - estimateTokens(system);
    expect(missing > 25 || missing <= 0).toBe(true);
  }
});

describe("the reply to the question for a program", () => {
  it.each([
    ["is empty", " ", /empty/],
    ["has what the language lacks", "class A {}", /line 1:.*plain objects/],
  ])("is refused if it %s, with the form it should have", async (_, text, said) => {
    const read = await programQuestion.read(new AIMessage(text), INPUT);
    expect(read).toMatchObject({ problem: expect.stringMatching(said) });
    expect(read).toMatchObject({ problem: expect.stringContaining("ts block") });
  });

  it("is refused if it repeats the example of the prompt, whose functions there are not", async () => {
    const text = 'const buoys = await list_buoys({ row: "Q7" });\nreturn `${buoys.length}`;';
    const read = await programQuestion.read(new AIMessage(text), INPUT);
    expect(read).toMatchObject({ problem: expect.stringMatching(/repeats the example/) });
    const own = { ...INPUT, tools: INPUT.tools.map((tool) => ({ ...tool, name: "list_buoys" })) };
    expect(await programQuestion.read(new AIMessage(text), own)).toHaveProperty("value");
  });

  it("may give the arguments of a function in their order", async () => {
    const text = 'return `${(await find_item("x")).id}`;';
    const read = await programQuestion.read(new AIMessage(text), INPUT);
    expect(read).toMatchObject({ value: { program: { calls: [{ name: "find_item" }] } } });
  });
});

describe("a declaration", () => {
  it("is TypeScript as it stands in a .d.ts that says what the arguments and the result are", () => {
    const described: OfferedTool = {
      name: "list_items",
      description: "List items. */ evil();",
      parameters: {
        properties: {
          "stage.name": { enum: ["open", "done"], description: "Stages" },
          limit: { type: "number", default: 50 },
        },
      },
      returns: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "string" },
            hours: { type: "number" },
            due: { type: "string" },
          },
          required: ["id", "hours"],
        },
      },
    };
    const ids = { type: "array", items: { type: "string" }, description: "ids of the parts" };
    const parts = { name: "parts", description: "All parts.", parameters: {}, returns: ids };
    const code = declarationLines([...tools, described, parts]);
    expect(code).toContain("\ndeclare function who();");
    expect(code).toContain(
      '  "stage.name"?: "open" | "done" // Stages\n  limit?: number // (default 50)\n',
    );
    expect(code).toContain("}): Promise<{ id, hours: number, due? }[]>;");
    expect(code).toContain("\ndeclare function parts(): Promise<string[]>; // ids of the parts");
    expect(ts.transpileModule(code, { reportDiagnostics: true }).diagnostics).toEqual([]);
  });

  it("stands with those of its group in a namespace", () => {
    const code = declarationLines([
      described("git.commit", "Commits."),
      described("add", ""),
      described("git.log", ""),
    ]);
    expect(code).toBe(
      "declare namespace git {\n// Commits.\nfunction commit();\nfunction log();\n}\ndeclare function add();",
    );
    expect(ts.transpileModule(code, { reportDiagnostics: true }).diagnostics).toEqual([]);
  });

  it.each([
    [
      40,
      "descriptions",
      /^declare function huge\(args: \{ part_0: string; .*part_39\?: string \}\);$/m,
    ],
    [
      90,
      "what is optional, but for the names",
      /part_0: string \/\/ .+\n {2}\/\/ also: part_1, .*part_89\n\}\);$/,
    ],
  ])("of %i arguments leaves out %s", (count, _left, form) => {
    const properties = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `part_${at}`,
        { type: "string", description: LONG },
      ]),
    );
    const parameters = { properties, required: ["part_0"] };
    const code = declarationLines([{ name: "huge", description: "Huge.", parameters }]);
    expect(code).toMatch(form);
  });
});

it("cuts the type of a giant result, addresses first", () => {
  const address = { type: "string", format: "uri" };
  const fields = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`field_${at}`, { type: "number" }]),
  );
  const items = { type: "object", properties: { home_url: address, title: {}, ...fields } };
  const properties = { total: { type: "number" }, items: { type: "array", items } };
  const returns = { type: "object", properties };
  const code = declarationLines([{ name: "find", description: "", parameters: {}, returns }]);
  expect(code).toMatch(
    /^declare function find\(\): Promise<\{ total\?: number, items\?: \{ title\?.*, … \}\[\] \}>;$/,
  );
  expect(code).not.toContain("home_url");
  expect(estimateTokens(code)).toBeLessThan(120);
});

const LONG = "Where it is to be looked for, and in which rooms.";

function described(name: string, description: string) {
  return { name, description, parameters: {} };
}

it("declares functions without what all texts of their group begin and end with", () => {
  const text = declarationLines([
    described("notion.move_page", "Notion | Move a page\nError Responses:\n400: Bad request"),
    described("notion.get_page", "Notion | Retrieve a page\nError Responses:\n400: Bad request"),
    described("git.log", "Shows the log: newest first."),
    described("git.show", "Shows the log: one commit."),
    described("add", "Notion | Add"),
  ]);
  const texts = [...text.matchAll(/^\/\/ (.*)$/gm)].map(([, said]) => said);
  expect(texts).toEqual([
    "Move a page",
    "Retrieve a page",
    "newest first.",
    "one commit.",
    "Notion | Add",
  ]);
});

describe("the likelier functions", () => {
  const many = Array.from({ length: 25 }, (_, at) => ({
    name: `rooms.find_${at}`,
    description: LONG.repeat(3),
    parameters: {
      properties: { place: { type: "string", description: LONG }, floor: { type: "number" } },
      required: ["place"],
    },
  }));

  it.each([
    ["names", / \/\/ Where it is/, 1100],
    ["groups", /rooms: find_\d+\(place, floor\?\)/, 700],
  ] as const)(
    "are declared in full as far as their tokens go, then told by their arguments, beside contents that tell %s",
    (tells, form, most) => {
      const text = likelyText(many, { tells });
      expect(text).toMatch(/^A search found .*\ndeclare namespace rooms \{\n\/\/ Where/);
      expect(text).toMatch(form);
      expect(estimateTokens(text)).toBeLessThan(most);
    },
  );

  it("are named in a line where the contents tell their arguments, unless a declaration says more, or no other is likelier", () => {
    const plain = { properties: { place: { type: "string" } }, required: ["place"] };
    const tools = [
      { name: "rooms.book", description: "Book a room", parameters: plain },
      { name: "desks.book", description: "Book a desk", parameters: plain },
    ];
    expect(likelyText(tools, { tells: "signatures" })).toMatch(
      /^A search found .*\(desks\.book, …\).*\ndeclare namespace rooms \{\n\/\/ Book a room\nfunction book\(/,
    );
    expect(likelyText(tools, { tells: "names", some: new Set(["desks.book"]) })).toMatch(
      /^A search found .*\(desks\.book, …\).*\n[^]*function book\(args: \{ place: string \}\)/,
    );
  });

  it("leave a place to each group, however many of another are likelier", () => {
    const [{ parameters } = { parameters: {} }] = many;
    const names = [...many.map(({ name }) => name), "mail.send"];
    const others = new Map(names.map((name) => [name, { parameters }]));
    expect(likelyText([], { tells: "groups" }, { others })).toContain("- mail: send(place");
  });

  it("are not declared for the sake of their group where the search holds them unlikely, but told in few words", () => {
    const [find] = many;
    const other = { ...described("mail.send", "Send mail"), parameters: { ...find?.parameters } };
    const tools = [...many.slice(0, 3), other];
    const unlikely = new Set([other.name]);
    for (const tells of ["names", "groups"] as const) {
      const text = likelyText(tools, { tells }, { unlikely });
      expect(text).not.toContain("namespace mail");
      expect(text).toMatch(/mail(\.send\(\{|: send\()/);
    }
    expect(likelyText(tools, { tells: "signatures" }, { unlikely })).not.toContain("mail");
    const called = likelyText(tools, { tells: "groups" }, { isAgain: true });
    expect(called).toContain("namespace mail");
  });

  it("are not told by their arguments again where the prompt has them in a line", () => {
    const lines = likelyText(
      [],
      { tells: "groups" },
      { others: new Map(many.map((one) => [one.name, one])) },
    );
    const again = { isAgain: true, before: lines };
    const text = likelyText(many, { tells: "groups" }, again);
    expect(text).toContain("function find_0(");
    expect(text).not.toContain("- rooms:");
  });

  it("are declared again for a program that is to be mended, unless the prompt says so already", () => {
    const tools = many.slice(0, 1);
    const again = { isAgain: true };
    const text = likelyText(tools, { tells: "signatures" }, again);
    expect(text).toContain("function find_0(args: {");
    const before = `Found:\n${text}\n\nRequest: Find it`;
    expect(likelyText(tools, { tells: "groups" }, { ...again, before })).toBe("");
    expect(likelyText(many.slice(0, 2), { tells: "groups" }, { ...again, before })).toMatch(
      /^A search found .*\ndeclare namespace rooms \{\n.*\nfunction find_1\(/,
    );
  });
});
