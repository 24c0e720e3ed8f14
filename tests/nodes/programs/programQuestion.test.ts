import { AIMessage } from "@langchain/core/messages";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { declarationLines } from "../../../nodes/programs/functionDeclarations.js";
import {
  type WriteProgramInput,
  programQuestion,
} from "../../../nodes/programs/programQuestion.js";
import { promptOf } from "../../../nodes/shared/question.js";
import type { OfferedTool } from "../../../nodes/shared/stageInputs.js";

const tools: OfferedTool[] = [
  {
    name: "find-item",
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
  demonstrations: [],
  missed: [],
  searched: [],
};

function textsOf(more: Partial<WriteProgramInput> = {}, problem?: string): string[] {
  const input = { ...INPUT, ...more };
  return promptOf(programQuestion, { input, problem }).messages.map(({ text }) => text);
}

describe("the question for a program", () => {
  it("declares the functions, and quotes the request word for word", () => {
    const [system, human] = textsOf();
    expect(system).toContain("declare function find_item(");
    expect(system).toContain("/** Who asks. */");
    expect(system).toMatch(/It is Monday\.$/);
    expect(human).toMatch(/Hello there[^]*Put \$\{that\} into my \{sprint\}, please$/);
  });

  it("shows an example that is a program of the language", async () => {
    const [system = ""] = textsOf();
    const [, example = ""] = /```ts\n([^]*?)```/.exec(system) ?? [];
    const functions = ["list_buoys", "repaint_buoy"].map((name) => ({ ...tools[1], name }));
    const input = { ...INPUT, tools: functions as OfferedTool[] };
    const read = await programQuestion.read(new AIMessage(example), input);
    expect(read).toMatchObject({ value: { repairs: [] } });
  });

  it("tells the user's instructions, and how similar requests were solved", () => {
    const calls = [
      { name: "count", args: {}, result: 8 },
      { name: "double", args: { value: 8 }, result: 16 },
    ];
    const demonstrations = [{ task: "Twice as many", calls, answer: "They are 16." }];
    const [system] = textsOf({ instructions: "Be frugal.", demonstrations });
    expect(system).toContain("Be frugal.");
    expect(system).toContain(
      "Twice as many\nconst r0 = await count();\nconst r1 = await double({ value: r0 });\nreturn `They are ${r1}.`;",
    );
  });

  it("lists what was searched for, with the functions found by their names in code", () => {
    const searched = [
      { phrase: "look for a thing", found: ["find-item", "who"] },
      { phrase: "fly", found: [] },
    ];
    const [, human] = textsOf({ searched, missed: ["swim"] });
    expect(human).toContain("- look for a thing: find_item, who\n- fly\n");
    expect(human).toContain("- swim");
  });

  it("shows the last program, what is wrong with it, what was advised, and what is left of a budget", () => {
    const failed = { plan: "return 1;", problems: ["line 1: no"], cue: "Look first." };
    const budget = { left: 7, unit: "units" as const, prices: { who: 3 } };
    const [, human, problem] = textsOf({ failed, budget }, "That was no program.");
    expect(human).toMatch(/7 units[^]*return 1;[^]*- line 1: no[^]*Look first\./);
    expect(problem).toBe("That was no program.");
  });
});

describe("the reply to the question for a program", () => {
  it.each([
    ["is empty", " ", /empty/],
    ["has what the language lacks", "while (true) {}", /line 1:.*while/],
  ])("is refused if it %s, with the form it should have", async (_, text, said) => {
    const read = await programQuestion.read(new AIMessage(text), INPUT);
    expect(read).toMatchObject({ problem: expect.stringMatching(said) });
    expect(read).toMatchObject({ problem: expect.stringContaining("ts block") });
  });

  it("may give the arguments of a function in their order", async () => {
    const text = 'return `${(await find_item("x")).id}`;';
    const read = await programQuestion.read(new AIMessage(text), INPUT);
    expect(read).toMatchObject({ value: { program: { calls: [{ name: "find_item" }] } } });
  });
});

it("declares functions in valid TypeScript, with what their arguments and results are", () => {
  const described: OfferedTool = {
    name: "list items",
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
        properties: { id: { type: "string" }, hours: { type: "number" }, due: { type: "string" } },
        required: ["id", "hours"],
      },
    },
  };
  const ids = { type: "array", items: { type: "string" }, description: "ids of the parts" };
  const parts = { name: "parts", description: "All parts.", parameters: {}, returns: ids };
  const code = declarationLines([...tools, described, parts]);
  expect(code).toContain("declare function who();");
  expect(code).toContain(
    '  "stage.name"?: "open" | "done" // Stages\n  limit?: number // (default 50)\n',
  );
  expect(code).toContain("}): Promise<{ id, hours: number, due? }[]>;");
  expect(code).toContain("declare function parts(): Promise<string[]>; // ids of the parts");
  expect(ts.transpileModule(code, { reportDiagnostics: true }).diagnostics).toEqual([]);
  const { statements } = ts.createSourceFile("a.ts", code, ts.ScriptTarget.Latest);
  expect(statements.map(ts.isFunctionDeclaration)).toEqual([true, true, true, true]);
});

it("describes the likeliest functions in full and the others in brief, each with its arguments and its result", () => {
  const long = "Finds what is wanted, wherever it lies. It looks into every corner that there is.";
  const many = Array.from({ length: 12 }, (_, at) => ({
    name: `find_${at}`,
    description: long,
    parameters: {
      type: "object" as const,
      properties: {
        place: {
          type: "string",
          description: `${"Where it is to be looked for ".repeat(3)}(a room)`,
        },
      },
      required: ["place"],
    },
    returns: { type: "number" },
  }));
  const texts = declarationLines(many).split(/(?=\/\*\*)/);
  expect(texts).toHaveLength(many.length);
  expect(texts[0]).toContain(long);
  expect(texts[0]).toContain("(a room)");
  const last = texts.at(-1) ?? "";
  expect(last).toContain("Finds what is wanted, wherever it lies. */");
  expect(last).toMatch(/place: string \/\/ Where it is to be looked for/);
  expect(last).toContain("Promise<number>");
  expect(last.length).toBeLessThan((texts[0] ?? "").length * 0.8);
});

it.each([
  [
    "between words",
    "Find the largest ".repeat(20),
    /^ (?:Find the largest )+(?:Find |Find the )?… /,
  ],
  ["anywhere in a script without spaces", "天".repeat(300), /^ 天{100} … /],
])("cuts a brief description %s, and keeps its beginning", (_, description, brief) => {
  const many = Array.from({ length: 9 }, (__, at) => ({
    name: `find_${at}`,
    description,
    parameters: {},
  }));
  expect(declarationLines(many).split("/**").at(-1)).toMatch(brief);
});
