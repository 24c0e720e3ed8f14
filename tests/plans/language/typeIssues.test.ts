import ts from "typescript";
import { describe, expect, it } from "vitest";
import { PRELUDE, helperName } from "../../../plans/language/check/prelude.js";
import { CONSTANTS, HELPERS, METHODS, type ValueKind } from "../../../plans/language/language.js";
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
  const issues = typeIssues({ program: read.program, functions: CHECKED });
  return issues.map(({ line, problem }) => `${line}: ${problem}`);
}

describe("the language in declarations", () => {
  it("is valid TypeScript", () => {
    const { diagnostics } = ts.transpileModule(PRELUDE, { reportDiagnostics: true });
    expect(diagnostics).toEqual([]);
  });

  it("has all methods of all kinds of values", () => {
    const interfaces = { list: "Array<T>", text: "String", number: "Number", date: "Date" };
    for (const [kind, methods] of Object.entries(METHODS)) {
      const name = ` ${interfaces[kind as ValueKind]} `;
      const declared = PRELUDE.split("\n").find((line) => line.includes(name)) ?? "";
      for (const method of Object.keys(methods))
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
  it.each<[string, string]>([
    [
      "takes a result for an argument",
      "const id = await find_user({ name: 'x' });\nreturn (await get_items({ ids: [id] }))[0].title;",
    ],
    [
      "names a constant like the function",
      "const find_user = await find_user({ name: 'x' });\nreturn find_user;",
    ],
    ["forgets to await", "const items = get_items({ ids: ['a'] });\nreturn items[0].title;"],
    [
      "takes an object around a list for the list",
      "const found = await search_items({});\nfor (const item of found) await note({ text: item.id });\nreturn found.filter((one) => one.hours > 1).length + found.length;",
    ],
    [
      "gives one value where a list is wanted",
      "return (await list_ids({ 'stage.name': 'open', owned_by: 'u' })).length;",
    ],
    [
      "gives a list of one where a single value is wanted",
      "const ids = await list_ids();\nreturn await find_user({ name: [ids[0]] });",
    ],
    [
      "gives numbers and booleans where texts are wanted",
      "const [i] = await get_items({ ids: [7] });\nawait note({ text: i.hours });\nreturn await find_user({ name: i.hours > 3 });",
    ],
    [
      "writes a number as a text, and an allowed value otherwise",
      "await note({ text: 'x', pages: '2' });\nconst stage = 'Open';\nawait set_stage({ ids: 'a', stage });\nreturn (await list_ids({ 'stage.name': ['Done'] })).length;",
    ],
    [
      "filters, counts and compares dates",
      "const items = await get_items({ ids: await list_ids() });\nconst late = items.filter((i) => i.due && daysBetween(i.due, today) > 30 && i.hours * 2 < 10);\nreturn `${late.length} of ${items.length}`;",
    ],
    [
      "takes dates from each other",
      "const items = await get_items({ ids: [] });\nconst days = items.map((i) => (new Date(today) - new Date(i.due)) / 86400000);\nreturn Math.max(...days);",
    ],
    [
      "compares dates",
      "const [a] = await get_items({ ids: ['a'] });\nif (new Date(a.due) < Date.now()) return 'late';\nreturn new Date(a.due).getTime() > 5 ? 'x' : 'y';",
    ],
    [
      "sorts by texts and numbers",
      "const items = await get_items({ ids: ['a'] });\nreturn items.sort((a, b) => b.hours - a.hours || a.title.localeCompare(b.title)).map((i) => i.title).join(', ');",
    ],
    [
      "adds up in a loop",
      "let total = 0;\nfor (const item of await get_items({ ids: ['a'] })) {\n  if (item.stage !== 'done') total += item.hours;\n}\nreturn total;",
    ],
    [
      "reduces to a record",
      "const items = await get_items({ ids: ['a'] });\nconst by = items.reduce((all, i) => ({ ...all, [i.stage]: (all[i.stage] ?? 0) + 1 }), {});\nreturn `${by.open} ${Object.keys(by).length}`;",
    ],
    [
      "keeps the best of several",
      "let best = null;\nfor (const i of await get_items({ ids: ['a'] })) if (!best || i.hours > best.hours) best = i;\nreturn best.title;",
    ],
    [
      "gathers in a list",
      "const ids = [];\nfor (const i of await get_items({ ids: ['a'] })) ids.push(i.id);\nawait set_stage({ ids, stage: 'open' });\nreturn ids.length;",
    ],
    [
      "keeps an allowed value in a variable",
      "let stage = 'open';\nif (today > '2026') stage = 'done';\nawait set_stage({ ids: ['a'], stage });\nreturn stage;",
    ],
    [
      "sets a flag in a callback",
      "let some = false;\n(await list_ids()).map((id) => { some = true; return id; });\nif (some === true) return 'yes';\nreturn 'no';",
    ],
    [
      "takes what is not declared as anything",
      "const it = await raw({ a: { b: 1 }, c: 2 });\nreturn it.some.thing[0].else;",
    ],
    [
      "looks for a field that only some results have",
      "const it = await either({});\nif (it.error) return it.error;\nreturn it.value;",
    ],
    [
      "asks for several at once",
      "const [user, ids] = await Promise.all([find_user({ name: 'x' }), list_ids()]);\nreturn `${user.toUpperCase()} ${ids.length}`;",
    ],
    [
      "asks for all of a list at once",
      "const all = await Promise.all((await list_ids()).map((id) => get_items({ ids: [id] })));\nreturn all.flat().map((i) => i.title).join();",
    ],
    [
      "takes results apart",
      "const [{ id, title = 'none', ...rest }] = await get_items({ ids: ['a'] });\nreturn `${id} ${title} ${rest.hours.toFixed(1)}`;",
    ],
    [
      "goes on after a failure",
      "try {\n  await set_stage({ ids: ['a'], stage: 'open' });\n} catch (error) {\n  return error.message;\n}\nreturn 'done';",
    ],
    [
      "groups and rounds",
      "const groups = groupBy(await get_items({ ids: ['a'] }), (i) => i.stage);\nreturn groups.map((g) => `${g.key}: ${round(average(g.items.map((i) => i.hours)), 1)}`).join();",
    ],
    [
      "looks and needs",
      "const text = look(await list_ids(), 'which?');\nconst more = await need('fly');\nreturn text.trim() + more.x;",
    ],
    ["calls what is not there yet", "const x = await unknown_one({ a: 1 });\nreturn x.y.z;"],
    [
      "gives a day where a text is wanted",
      "await note({ text: new Date(today), pages: 2 });\nreturn 'done';",
    ],
    [
      "has its own types and casts",
      "const x: number = (await find_user({ name: 'x' })) as unknown as number;\nreturn x!;",
    ],
    ["gives arguments in a constant", "const args = { name: 'x' };\nreturn await find_user(args);"],
    [
      "writes to a field with a dot in its name",
      "const [i] = await get_items({ ids: ['a'] });\nreturn i['sla.name'];",
    ],
  ])("%s", (_title, code) => {
    expect(found(code)).toEqual([]);
  });
});

describe("a program that is wrong", () => {
  it.each<[string, string, RegExp]>([
    [
      "names a field that is not there",
      "const [i] = await get_items({ ids: ['a'] });\nreturn i.owner;",
      /^2: Property 'owner' does not exist/,
    ],
    [
      "slips in a field's name",
      "const [i] = await get_items({ ids: ['a'] });\nreturn i.titel;",
      /^2: .*Did you mean 'title'\?/,
    ],
    [
      "takes ids for objects",
      "const ids = await list_ids();\nreturn ids.map((i) => i.title).join();",
      /^2: Property 'title' does not exist on type 'string'\. It is a text/,
    ],
    [
      "takes a list for one",
      "const items = await get_items({ ids: ['a'] });\nreturn items.title;",
      /^2: Property 'title' does not exist on type .*It is a list/,
    ],
    [
      "gives an argument that nothing takes",
      "return (await list_ids({\n  stage: ['open'],\n})).length;",
      /^2: list_ids takes no argument "stage"\. Did you mean "stage\.name"\? It takes "stage\.name", "owned_by"/,
    ],
    [
      "gives an argument to what takes none",
      "return await who({ name: 'x' });",
      /^1: who takes no argument "name"\. It takes none\./,
    ],
    [
      "leaves out a required argument",
      "await set_stage({ ids: ['a'] });\nreturn 'x';",
      /^1: set_stage lacks "stage" \("open" \| "done"\)/,
    ],
    [
      "leaves out all arguments",
      "await find_user();\nreturn 'x';",
      /^1: find_user lacks "name" \(string\)/,
    ],
    [
      "leaves them out of a constant",
      "const args = {};\nconst more = { nam: 'x' };\nawait find_user(more);\nreturn 'x';",
      /^3: find_user takes no argument "nam"\. Did you mean "name"\?/,
    ],
    [
      "gives a text for a number",
      "await note({ text: 'x', pages: 'two' });\nreturn 'x';",
      /^1: "pages" of note has to be number, and is (string|"two")/,
    ],
    [
      "gives a text that comes of a call for a number",
      "await note({ text: 'x', pages: await who() });\nreturn 'x';",
      /^1: "pages" of note has to be number, and is string/,
    ],
    [
      "gives a number where only some texts are allowed",
      "const [i] = await get_items({ ids: ['a'] });\nawait set_stage({ ids: ['a'], stage: i.hours });\nreturn 'x';",
      /^2: "stage" of set_stage has to be "open" \| "done", and is number/,
    ],
    [
      "gives two where one is wanted",
      "await find_user({ name: ['x', 'y'] });\nreturn 'x';",
      /^1: "name" of find_user has to be string, and is \[string, string\]/,
    ],
    [
      "gives objects where ids are wanted",
      "const items = await get_items({ ids: ['a'] });\nawait set_stage({ ids: items, stage: 'open' });\nreturn 'x';",
      /^2: "ids" of set_stage has to be string\[\], and is \{ id: string/,
    ],
    [
      "gives a list for one text",
      "await find_user({ name: await list_ids() });\nreturn 'x';",
      /^1: "name" of find_user has to be string, and is string\[\]/,
    ],
    [
      "gives a value that is not allowed",
      "await set_stage({ ids: ['a'], stage: 'closed' });\nreturn 'x';",
      /^1: "stage" of set_stage has to be "open" \| "done", and is "closed"/,
    ],
    [
      "gives one from a constant",
      "const stage = 'closed';\nawait set_stage({ ids: ['a'], stage });\nreturn 'x';",
      /^2: "stage" of set_stage/,
    ],
    [
      "compares with a value that never comes",
      "const items = await get_items({ ids: ['a'] });\nreturn items.filter((i) => i.stage === 'closed').length;",
      /^2: .*no overlap/,
    ],
    [
      "calls a text's method on a list",
      "return (await list_ids()).toUpperCase();",
      /^1: Property 'toUpperCase' does not exist on type 'string\[\]'/,
    ],
    [
      "reckons with texts",
      "const [i] = await get_items({ ids: ['a'] });\nreturn i.title * 2;",
      /^2: The left-hand side of an arithmetic operation/,
    ],
    [
      "compares a text with a number",
      "const [i] = await get_items({ ids: ['a'] });\nreturn i.due > 30 ? 'a' : 'b';",
      /^2: Operator '>' cannot be applied to types 'string' and 'number'/,
    ],
    [
      "goes through what is not a list",
      "const [i] = await get_items({ ids: ['a'] });\nfor (const x of i) await note({ text: x });\nreturn 'x';",
      /^2: Type '.*' is not an array type/,
    ],
    [
      "looks for what is not in the list",
      "const items = await get_items({ ids: ['a'] });\nreturn (await list_ids()).includes(items[0]) ? 'a' : 'b';",
      /^2: Argument of type '.*' is not assignable to parameter of type 'string'/,
    ],
    [
      "adds up objects",
      "return sum(await get_items({ ids: ['a'] }));",
      /^1: Argument of type .*'number\[\]'/,
    ],
    [
      "nests a field that is not there",
      "await plan_trip({ stops: [{ town: 'x', nights: 2 }] });\nreturn 'x';",
      /^1: "stops" of plan_trip.*"?nights/,
    ],
    [
      "is wrong in the turn of a loop",
      "for (const id of await list_ids()) {\n  const [i] = await get_items({ ids: [id] });\n  await note({ text: i.txt });\n}\nreturn 'x';",
      /^3: Property 'txt' does not exist/,
    ],
  ])("%s", (_title, code, said) => {
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
    return typeIssues({ program: read.program, functions }).map(({ problem }) => problem);
  };
  expect(issuesOf("const log = await git.log({ count: 2 }); return log.trim();")).toEqual([]);
  expect(issuesOf("return await git.log({ cuont: 2 });")).toEqual([
    expect.stringContaining('git.log takes no argument "cuont"'),
  ]);
});
