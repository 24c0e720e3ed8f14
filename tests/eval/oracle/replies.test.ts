import { describe, expect, it } from "vitest";
import { registerOracle } from "../../../eval/oracle/oracleModel.js";
import { oracleReply } from "../../../eval/oracle/replies.js";
import { openChatModel } from "../../../models/chat.js";
import { verifyPlan } from "../../../plans/verifyPlan.js";
import { readProgram } from "../../../plans/program/readProgram.js";
import { readPlan } from "../../../plans/readPlan.js";
import type { ActInput } from "../../../nodes/acting/actInput.js";
import type { WriteProgramInput } from "../../../nodes/programs/programQuestion.js";
import type { ComposeInput } from "../../../nodes/planning/compose.js";
import { goldTask, shown, SUM } from "./support.js";

const REQUEST = { request: SUM.task.query, earlierTurns: [] };

function actInput(changes: Partial<ActInput>): ActInput {
  return { ...REQUEST, steps: [], missed: [], tools: [], observations: [], ...changes };
}

/** The message of the call that ends the run. */
function end(changes: Partial<ActInput>) {
  return oracleReply(SUM, { stage: "act", input: actInput(changes) }).call?.args;
}

function composed(...names: string[]) {
  return composedOf(shown(...names), SUM);
}

function composedOf(tools: ComposeInput["tools"], gold: typeof SUM) {
  const known = { ...REQUEST, demonstrations: [], missed: [] };
  return oracleReply(gold, { stage: "compose", input: { style: "typed", tools, ...known } }).text;
}

/** The lines of a program without its fences. */
function programmed(...names: string[]) {
  const text = programOf({ tools: shown(...names) });
  return text.split("\n").slice(1, -1);
}

function programOf(
  asked: Pick<WriteProgramInput, "tools"> & Partial<WriteProgramInput>,
  gold = SUM,
) {
  const input = { ...REQUEST, demonstrations: [], missed: [], searched: [], ...asked };
  return oracleReply(gold, { stage: "writeProgram", input }).text;
}

const ALL = shown("area_square", "areaCircle", "add");

describe("the oracle", () => {
  it("recognises a request despite white space around it in the set", async () => {
    const task = { ...SUM.task, query: ` ${SUM.task.query}\n` };
    const spec = registerOracle({ name: "blanks", tasks: [{ ...SUM, task }] });
    const { chat } = await openChatModel(spec, { maxOutputTokens: 100 });
    const input = { ...REQUEST, style: "plain", task: SUM.task.query, depth: 0 };
    const reply = await chat.invoke([], { stage: "decompose", input } as object);
    expect(reply.text).toContain("area square");
  });

  it("names a step by the words of its tool's name and arguments, and never by the description", () => {
    const { text } = oracleReply(SUM, {
      stage: "decompose",
      input: { ...REQUEST, style: "plain", task: SUM.task.query, depth: 0 },
    });
    expect(JSON.parse(text)).toEqual({
      subtasks: ["area square: side", "area circle: radius", "add: a, b"],
    });
  });

  it("splits no subtask further, and searches for a missed one by its name alone", () => {
    const { text } = oracleReply(SUM, {
      stage: "decompose",
      input: { ...REQUEST, style: "plain", task: "area square: side", depth: 1 },
    });
    expect(JSON.parse(text)).toEqual({ subtasks: [] });
    const phrases = (tried: string[]) =>
      oracleReply(SUM, {
        stage: "phraseSearch",
        input: { ...REQUEST, subtasks: ["area square: side"], tried },
      }).call?.args["searches"];
    expect(phrases([])).toEqual([{ subtask: 1, phrase: "area square: side" }]);
    expect(phrases(["area square: side"])).toEqual([{ subtask: 1, phrase: "area square" }]);
  });

  it("makes all possible calls, but one at a time in a step search", () => {
    const input = actInput({ tools: ALL });
    const names = (more: Partial<ActInput>) =>
      oracleReply(SUM, { stage: "act", input: { ...input, ...more } }).calls?.map(
        ({ name }) => name,
      );
    expect(names({})).toEqual(["area_square", "areaCircle"]);
    expect(names({ search: { attempts: [] } })).toEqual(["area_square"]);
  });

  it("searches for a tool that it is not shown: by its name, then with the arguments, and then no more", () => {
    const search = (searched: string[], more: Partial<ActInput> = {}) => {
      const input = actInput({ tools: shown("area_square"), searched, ...more });
      const { call } = oracleReply(SUM, { stage: "act", input });
      return call?.name === "search_tools" ? call.args["action_descriptions"] : undefined;
    };
    expect(search([])).toEqual(["area circle", "add"]);
    expect(search(["area circle", "add"])).toEqual(["area circle: radius", "add: a, b"]);
    expect(search(["area circle: radius"])).toEqual(["area circle", "add"]);
    expect(search(["area circle", "area circle: radius", "add", "add: a, b"])).toBeUndefined();
    expect(search([], { tools: ALL })).toBeUndefined();
    const input = actInput({ tools: shown("area_square") });
    expect(oracleReply(SUM, { stage: "act", input }).calls).toMatchObject([
      { name: "area_square" },
    ]);
  });

  it("answers with the result, or says that it lacked a tool", () => {
    const observations = [
      { tool: "area_square", args: { side: 3 }, result: 9 },
      { tool: "areaCircle", args: { radius: 2 }, result: { area: 12.5 } },
      { tool: "add", args: { a: 9, b: 12.5 }, result: 21.5 },
    ];
    expect(end({ tools: ALL, observations })).toEqual({ message: "It is 21.5.", solved: true });
    expect(end({ tools: shown("add") })).toMatchObject({ solved: false });
    expect(end({ tools: [], search: { attempts: [] } })).toMatchObject({
      return_type: "give_up_and_restart",
    });
  });

  it("writes the whole plan in a form that is read and checked without a change", () => {
    const tools = [...SUM.tools.values()];
    const read = readPlan(composed("area_square", "areaCircle", "add"), tools);
    expect(read.plan).toEqual(SUM.plan);
    const checked = verifyPlan({ plan: read.plan, tools });
    expect(checked.issues).toEqual([]);
  });

  it("leaves out of a plan what it has no tool for, and what depends on it", () => {
    expect(JSON.parse(composed("area_square", "add"))).toEqual({
      steps: [{ tool: "area_square", args: { side: 3 } }],
      answer: "$$PREV[0]",
      lacking: ["area circle: radius"],
    });
    expect(JSON.parse(composed())).toMatchObject({ steps: [], answer: "" });
  });

  it("renumbers the steps of a plan if some are left out", () => {
    const gold = goldTask({
      steps: [
        { tool: "gone", args: {} },
        { tool: "find", args: {} },
        { tool: "show", args: { item: { $prev: 1, path: [] } } },
      ],
    });
    const text = composedOf(shown("find", "show"), gold);
    expect(JSON.parse(text).steps[1]).toEqual({ tool: "show", args: { item: "$$PREV[0]" } });
  });

  it("writes the same as a program, with earlier results as variables", () => {
    expect(programmed("area_square", "areaCircle", "add")).toEqual([
      "const r0 = await area_square({ side: 3 });",
      "const r1 = await areaCircle({ radius: 2 });",
      "const r2 = await add({ a: r0, b: r1.area });",
      "return `It is ${r2}.`;",
    ]);
  });

  it("says in a program what it needs, and leaves out what depends on it", () => {
    expect(programmed("area_square", "add")).toEqual([
      "const r0 = await area_square({ side: 3 });",
      'need("area circle: radius");',
      "return `${r0}`;",
    ]);
  });

  it("writes the gold program of a task once all of its functions are declared", () => {
    const code = "for (const side of [1, 2]) await area_square({ side });\nreturn `Done.`;";
    const gold = { ...SUM, task: { ...SUM.task, program: code } };
    expect(programOf({ tools: ALL }, gold)).toBe(`\`\`\`ts\n${code}\n\`\`\``);
    const without = programOf({ tools: shown("area_square", "add") }, gold);
    expect(without).toContain('need("area circle: radius");');
    expect(without).not.toContain("for (");
  });

  it("does the rest in a program after a vain search, or says that nothing is left", () => {
    const missed = ["area circle: radius"];
    const rest = programOf({ tools: shown("area_square", "add"), missed });
    expect(rest.split("\n").slice(1, -1)).toEqual([
      "const r0 = await area_square({ side: 3 });",
      "return `${r0}`;",
    ]);
    const none = programOf({
      tools: shown("other"),
      missed: ["area square: side", ...missed, "add: a, b"],
    });
    expect(readProgram(none)).toMatchObject({ program: { body: [{ kind: "throw" }] } });
  });

  it("writes readable programs even if it is shown no needed tool", () => {
    const text = programOf({ tools: shown("other") });
    expect(readProgram(text)).toMatchObject({ program: { calls: [] }, repairs: [] });
  });

  it("calls a function by the name under which it is declared", () => {
    const gold = goldTask({ steps: [{ tool: "get.item", args: {} }] });
    const text = programOf({ tools: shown("get-item", "get_item") }, gold);
    expect(text).toContain("get_item()");
  });

  it("recognises a tool by its plain name, or by its parameters if several share a name", () => {
    const [square] = shown("area_square");
    const other = {
      ...shown("area_square_0123abcd")[0],
      parameters: { type: "object", required: ["x"] },
    };
    const input = actInput({
      tools: [other, square].flatMap((tool) => tool ?? []) as ActInput["tools"],
    });
    expect(oracleReply(SUM, { stage: "act", input }).calls).toEqual([
      { name: "area_square", args: { side: 3 } },
    ]);
  });

  it("refuses a stage for which it has no reply", () => {
    const input = { ...REQUEST, taken: [] };
    expect(() => oracleReply(SUM, { stage: "rewrite", input })).toThrow(/stage rewrite/);
  });
});
