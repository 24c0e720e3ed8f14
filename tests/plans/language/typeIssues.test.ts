import ts from "typescript";
import { describe, expect, it } from "vitest";
import { PRELUDE, helperName } from "../../../plans/language/check/types.js";
import { CONSTANTS, HELPERS, METHODS } from "../../../plans/language/language.js";
import { readProgram } from "../../../plans/language/readProgram.js";
import { typeIssues } from "../../../plans/language/typeIssues.js";
import { CHECKED } from "./checkedFunctions.js";

/** What the check says of a program: line and problem. */
function found(code: string): string[] {
  const parameters = CHECKED.map(
    ({ name, parameters }) => [name, Object.keys(parameters["properties"] ?? {})] as const,
  );
  const read = readProgram(code, { functions: new Map(parameters) });
  if ("issues" in read) throw new Error(read.issues.map(({ problem }) => problem).join("; "));
  const issues = typeIssues(read.program, CHECKED);
  return issues.map(({ line, problem }) => `${line}: ${problem}`);
}

describe("the language in declarations", () => {
  it("is valid TypeScript", () => {
    const { diagnostics } = ts.transpileModule(PRELUDE, { reportDiagnostics: true });
    expect(diagnostics).toEqual([]);
  });

  it("has all methods of all kinds of values", () => {
    const interfaces = {
      list: "Array<T>",
      text: "String",
      number: "Number",
      date: "Date",
    } as const;
    for (const kind of Object.keys(interfaces) as (keyof typeof interfaces)[]) {
      const name = ` ${interfaces[kind]} `;
      const declared = PRELUDE.split("\n").find((line) => line.includes(name)) ?? "";
      for (const method of Object.keys(METHODS[kind]))
        expect(declared).toMatch(new RegExp(` ${method}[<(]`));
    }
  });

  it("has all helpers and constants", () => {
    for (const name of [...Object.keys(HELPERS), ...Object.keys(CONSTANTS)]) {
      expect(PRELUDE).toMatch(
        new RegExp(`^declare \\w+ ${helperName(name).replaceAll("$", "\\$")}\\b`, "m"),
      );
    }
  });
});

describe("a program that is right", () => {
  it.each([
    "const id = await find_user({ name: 'x' });\nreturn (await get_items({ ids: [id] }))[0].title;",
    "const found = await search_items({});\nfor (const item of found) await note({ text: item.id });\nreturn found.filter((one) => one.hours > 1).length + found.length;",
    "return (await list_ids({ 'stage.name': 'open', owned_by: 'u' })).length;",
    "const ids = await list_ids();\nreturn await find_user({ name: [ids[0]] });",
    "const [i] = await get_items({ ids: [7] });\nawait note({ text: i.hours });\nreturn await find_user({ name: i.hours > 3 });",
    "const items = await get_items({ ids: await list_ids() });\nconst late = items.filter((i) => i.due && daysBetween(i.due, today) > 30 && i.hours * 2 < 10);\nreturn `${late.length} of ${items.length}`;",
    "await note({ text: 'x', pages: '2' });\nconst stage = 'Open';\nawait set_stage({ ids: 'a', stage });\nreturn stage;",
    "const [a] = await get_items({ ids: ['a'] });\nif (new Date(a.due) < Date.now()) return 'late';\nreturn new Date(a.due).getTime() > 5 ? 'x' : 'y';",
    "let total = 0;\nfor (const item of await get_items({ ids: ['a'] })) {\n  if (item.stage !== 'done') total += item.hours;\n}\nreturn total;",
    "const items = await get_items({ ids: ['a'] });\nconst by = items.reduce((all, i) => ({ ...all, [i.stage]: (all[i.stage] ?? 0) + 1 }), {});\nreturn `${by.open} ${Object.keys(by).length}`;",
    "let stage = 'open';\nif (today > '2026') stage = 'done';\nawait set_stage({ ids: ['a'], stage });\nreturn stage;",
    "const it = await raw({ a: { b: 1 }, c: 2 });\nreturn it.some.thing[0].else;",
    "const it = await either({});\nif (it.error) return it.error;\nreturn it.value;",
    "const [user, ids] = await Promise.all([find_user({ name: 'x' }), list_ids()]);\nreturn `${user.toUpperCase()} ${ids.length}`;",
    "const [{ id, title = 'none', ...rest }] = await get_items({ ids: ['a'] });\nreturn `${id} ${title} ${rest.hours.toFixed(1)}`;",
    "const groups = groupBy(await get_items({ ids: ['a'] }), (i) => i.stage);\nreturn groups.map((g) => `${g.key}: ${round(average(g.items.map((i) => i.hours)), 1)}`).join();",
    "const x = await unknown_one({ a: 1 });\nreturn x.y.z;",
    "await note({ text: new Date(today), pages: 2 });\nreturn 'done';",
    "const x: number = (await find_user({ name: 'x' })) as unknown as number;\nreturn x!;",
    "const [i] = await get_items({ ids: ['a'] });\nreturn i['sla.name'];",
  ])("%s", (code) => {
    expect(found(code)).toEqual([]);
  });
});

describe("an object with a type of its own", () => {
  it.each([
    "const query: Query = { text: 'x' };\nawait note(query);\nreturn query.more ?? 'x';",
    "const all: [number, string][] = [[1, 'a']];\nreturn all.filter(([n]) => n < 2).length;",
    "const made = { a: { b: 1 } } as Made;\nreturn made.a.c ?? made.d;",
  ])("may have more fields than are written: %s", (code) => {
    expect(found(code)).toEqual([]);
  });
});

describe("a program that is wrong", () => {
  it.each<[string, RegExp]>([
    [
      "const args: Note = { text: 'x', pages: 'two' };\nawait note(args);\nreturn 'x';",
      /^2: "\w+" of note has to be/,
    ],
    [
      "const items: Item[] = await get_items({ ids: ['a'] });\nreturn items[0].owner;",
      /^2: Property 'owner' does not exist/,
    ],
    [
      "const [i] = await get_items({ ids: ['a'] });\nreturn i.owner;",
      /^2: Property 'owner' does not exist/,
    ],
    [
      "const [i] = await get_items({ ids: ['a'] });\nreturn i.titel;",
      /^2: .*Did you mean 'title'\?/,
    ],
    [
      "const ids = await list_ids();\nreturn ids.map((i) => i.title).join();",
      /^2: Property 'title' does not exist on type 'string'\. It is a text/,
    ],
    [
      "return (await list_ids({\n  stage: ['open'],\n})).length;",
      /^2: list_ids takes no argument "stage"\. Did you mean "stage\.name"\? It takes "stage\.name", "owned_by"/,
    ],
    ["return await who({ name: 'x' });", /^1: who takes no argument "name"\. It takes none\./],
    [
      "await set_stage({ ids: ['a'] });\nreturn 'x';",
      /^1: set_stage lacks "stage" \("open" \| "done"\)/,
    ],
    [
      "const args = {};\nconst more = { nam: 'x' };\nawait find_user(more);\nreturn 'x';",
      /^3: find_user takes no argument "nam"\. Did you mean "name"\?/,
    ],
    [
      "await note({ text: 'x', pages: 'two' });\nreturn 'x';",
      /^1: "pages" of note has to be number, and is (string|"two")/,
    ],
    [
      "const [i] = await get_items({ ids: ['a'] });\nawait set_stage({ ids: ['a'], stage: i.hours });\nreturn 'x';",
      /^2: "stage" of set_stage has to be "open" \| "done", and is number/,
    ],
    [
      "const items = await get_items({ ids: ['a'] });\nawait set_stage({ ids: items, stage: 'open' });\nreturn 'x';",
      /^2: "ids" of set_stage has to be string\[\], and is \{ id: string/,
    ],
    [
      "await set_stage({ ids: ['a'], stage: 'closed' });\nreturn 'x';",
      /^1: "stage" of set_stage has to be "open" \| "done", and is "closed"/,
    ],
    [
      "const items = await get_items({ ids: ['a'] });\nreturn items.filter((i) => i.stage === 'closed').length;",
      /^2: .*no overlap/,
    ],
    [
      "const [i] = await get_items({ ids: ['a'] });\nreturn i.due > 30 ? 'a' : 'b';",
      /^2: Operator '>' cannot be applied to types 'string' and 'number'/,
    ],
    [
      "const [i] = await get_items({ ids: ['a'] });\nfor (const x of i) await note({ text: x });\nreturn 'x';",
      /^2: Type '.*' is not an array type/,
    ],
    [
      "await plan_trip({ stops: [{ town: 'x', nights: 2 }] });\nreturn 'x';",
      /^1: "stops" of plan_trip.*"?nights/,
    ],
    [
      "for (const id of await list_ids()) {\n  const [i] = await get_items({ ids: [id] });\n  await note({ text: i.txt });\n}\nreturn 'x';",
      /^3: Property 'txt' does not exist/,
    ],
  ])("%s", (code, said) => {
    const issues = found(code);
    expect(issues[0]).toMatch(said);
    expect(issues).toHaveLength(1);
  });

  it("is told at most five things, each in a few words", () => {
    const lines = Array.from(
      { length: 9 },
      (_, at) => `const x${at} = (await get_items({ ids: ['a'] })).f${at};`,
    );
    const issues = found([...lines, "return 'x';"].join("\n"));
    expect(issues).toHaveLength(5);
    for (const issue of issues) expect(issue.length).toBeLessThan(400);
  });
});

it("checks the arguments and the result of a function of a group", () => {
  const parameters = { properties: { count: { type: "number" } }, required: ["count"] };
  const functions = [{ name: "git.log", parameters, returns: { type: "string" } }];
  const issuesOf = (code: string) => {
    const read = readProgram(code, { functions: new Map([["git.log", ["count"]]]) });
    if ("issues" in read) throw new Error("it was refused");
    return typeIssues(read.program, functions).map(({ problem }) => problem);
  };
  expect(issuesOf("const log = await git.log({ count: 2 }); return log.trim();")).toEqual([]);
  expect(issuesOf("return await git.log({ cuont: 2 });")).toEqual([
    expect.stringContaining('git.log takes no argument "cuont"'),
  ]);
});
