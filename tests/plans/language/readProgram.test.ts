import { describe, expect, it } from "vitest";
import type { Program } from "../../../plans/language/program.js";
import { readProgram } from "../../../plans/language/readProgram.js";

/** What is on offer. */
const functions = new Map([
  ["gcd", ["a", "b"]],
  ["find_user", ["name"]],
  ["list_work", ["owner", "stage"]],
  ["close_work", ["id"]],
  ["who_am_i", []],
]);

function programOf(text: string, options: { functions?: Map<string, string[]> } = {}): Program {
  const read = readProgram(text, options);
  if ("issues" in read) throw new Error(read.issues.map(({ problem }) => problem).join("; "));
  return read.program;
}

/** What was understood, without the code's own lines. */
function meaningOf(text: string, options?: { functions?: Map<string, string[]> }): unknown {
  const json = JSON.stringify(programOf(text, options).body, (key, value: unknown) =>
    ["line", "turn", "isHeld", "isTyped"].includes(key) ? undefined : value,
  );
  return JSON.parse(json);
}

/** What is understood of lines that come before the end. */
function understood(lines: string): unknown {
  return meaningOf(`let x = 1, s = "a", list = [1]; const o = { a: 1 };\n${lines}\nreturn "";`);
}

describe("a program", () => {
  it.each([
    ["const y = 1, z = 2;", "const y = 1; const z = 2;"],
    ["let y;", "let y = undefined;"],
    ["const t = `plain`;", 'const t = "plain";'],
    ["const y = { s, 'a': 1 };", "const y = { s: s, a: 1 };"],
    ["const y = o['a'];", "const y = o.a;"],
    ["if (x > 1) x = 2;", "if (x > 1) { x = 2; } else {}"],
    [
      "if (x) stop(`no ${x}`); else return stop(s);",
      "if (x) throw new Error(`no ${x}`); else throw new Error(s);",
    ],
    [
      "const y = list.map(function (i) { return i; });",
      "const y = list.map((i) => { return i; });",
    ],
    [
      "const y = list.map(Number).map(Math.round);",
      "const y = list.map((value) => Number(value)).map((value) => Math.round(value));",
    ],
    ["const y = Number.parseInt(s);", "const y = parseInt(s);"],
    ["const y = [1_000, 0x10, 1e3];", "const y = [1000, 16, 1000];"],
  ])("understands %s as %s", (code, meant) => {
    expect(understood(code)).toEqual(understood(meant));
  });

  it("names its calls in text order, with the arguments given", () => {
    const { calls } = programOf(
      'const a = f({ x: 1, "y z": 2 });\nfor (const i of a) {\n  g({ i, of: h() });\n}\nconst given = { k: 1 };\nk(given);\nreturn `${a}`;',
    );
    expect(calls).toEqual([
      { site: 0, name: "f", given: ["x", "y z"], line: 1 },
      { site: 1, name: "g", given: ["i", "of"], line: 3 },
      { site: 2, name: "h", given: [], line: 3 },
      { site: 3, name: "k", given: ["k"], line: 6 },
    ]);
  });

  it("means the function if a name is called, even if a constant has that name", () => {
    const code =
      "const gcd = await gcd({ a: 252, b: 198 });\nconst more = await gcd({ a: gcd, b: 2 });\nreturn gcd;";
    expect(programOf(code).calls.map(({ name }) => name)).toEqual(["gcd", "gcd"]);
  });

  it("means the tool that shares a helper's name if it gets an object", () => {
    const code = "const sum = sum({ numbers: [1, 2] });\nconst all = [1, sum];\nreturn sum(all);";
    const { body, calls } = programOf(code);
    expect(calls).toMatchObject([{ name: "sum", given: ["numbers"] }]);
    expect(body.at(-1)).toMatchObject({ kind: "return", value: { kind: "helper", name: "sum" } });
  });
});

describe("a function of a group", () => {
  const git = new Map([
    ["git.log", ["count"]],
    ["git.find", ["name"]],
  ]);
  const called = (text: string, groups: string[] = []) => {
    const read = readProgram(text, { functions: git, groups });
    return "issues" in read ? read.issues : read.program.calls.map(({ name }) => name);
  };

  it.each([
    ["with arguments by name", "return await git.log({ count: 3 });", ["git.log"]],
    ["with arguments in order", "return await git.log(3);", ["git.log"]],
    ["into a value of the group's name", "const git = await git.log({}); return git;", ["git.log"]],
    ["beside a method of such a value", "const git = [1]; return git.find((n) => n > 0);", []],
  ])("is called by its full name, %s", (_, text, names) => {
    expect(called(text)).toEqual(names);
  });

  it("may be one that is not offered, if its group is known", () => {
    const text = "return await gh.merge({ id: 1 });";
    expect(called(text, ["gh"])).toEqual(["gh.merge"]);
    expect(called(text)[0]).toMatchObject({ problem: expect.stringContaining("gh") });
  });
});

describe("what is tolerated", () => {
  const plain = meaningOf("const n = gcd({ a: 1, b: 2 });\nreturn `It is ${n}.`;");
  const lines = "const n = await gcd({ a: 1, b: 2 });\nreturn `It is ${n}.`;";

  it.each([
    ["a missing await", "const n = gcd({ a: 1, b: 2 });\nreturn `It is ${n}.`;"],
    ["a fence", `\`\`\`ts\n${lines}\n\`\`\``],
    ["prose around a fence", `Here it is:\n\n\`\`\`\n${lines}\n\`\`\`\nIt calls gcd.`],
    ["an earlier try", `\`\`\`ts\nwhile (true) {}\n\`\`\`\nBetter:\n\`\`\`ts\n${lines}\n\`\`\``],
    [
      "code in two fences",
      "First:\n```ts\nconst n = gcd({ a: 1, b: 2 });\n```\nThen:\n```ts\nreturn `It is ${n}.`;\n```",
    ],
    ["a fence of tildes", `~~~ts\n${lines}\n~~~`],
    ["tags", `Thought: I call it.\n<code>\n${lines}\n</code>`],
    ["a fence in tags", `<code>\n\`\`\`ts\n${lines}\n\`\`\`\n</code>`],
    ["an object", JSON.stringify({ program: lines })],
    ["an object behind words", `Here it is:\n${JSON.stringify({ source: lines })}`],
    ["an object with a reply", JSON.stringify({ response: `\`\`\`ts\n${lines}\n\`\`\`` })],
    ["tags of an answer", `<answer>\n${lines}\n</answer>`],
    ["tags as a page has them", `<pre><code>\n${lines}\n</code></pre>`],
    ["a section of XML", `<program><![CDATA[\n${lines}\n]]></program>`],
    ["an object with lines", JSON.stringify({ code: lines.split("\n") })],
    ["an object named after the language", JSON.stringify({ typescript: lines })],
    ["an object with a fence", JSON.stringify({ answer: `\`\`\`ts\n${lines}\n\`\`\`` })],
    ["a text of JSON", JSON.stringify(`\`\`\`ts\n${lines}\n\`\`\``)],
    [
      "a call of what runs code",
      `<tool_call>\n${JSON.stringify({ name: "run_code", arguments: { code: lines } })}\n</tool_call>`,
    ],
    ["tags of the language", `<typescript>\n${lines}\n</typescript>`],
    ["tags with attributes", `<code lang="ts">\n${lines}\n</code>`],
    ["an artifact", `<antArtifact identifier="p" language="typescript">\n${lines}\n</antArtifact>`],
    ["a fence that only ends", `${lines}\n\`\`\``],
    ["a fence on one line", `\`\`\`ts ${lines.replace("\n", " ")} \`\`\``],
    [
      "declarations of what is offered",
      `declare function gcd(args: { a: number; b: number }): Promise<number>;\n${lines}`,
    ],
    ["a fenced object", `\`\`\`json\n${JSON.stringify({ language: "ts", code: lines })}\n\`\`\``],
    ["data behind it", `\`\`\`ts\n${lines}\n\`\`\`\nOutput:\n\`\`\`json\n{"n": 1}\n\`\`\``],
    ["an output behind it", `\`\`\`ts\n${lines}\n\`\`\`\nIt gives:\n\`\`\`\nIt is 1.\n\`\`\``],
    [
      "a naive one before it",
      `Naive:\n\`\`\`ts\nreturn gcd({});\n\`\`\`\nThat is wrong. Correct:\n\`\`\`ts\n${lines}\n\`\`\``,
    ],
    [
      "prose without a fence",
      `Here is the program that you want:\n\n${lines}\n\nIt calls the function once.`,
    ],
    [
      "types and casts",
      "type N = number;\ninterface R { a: N }\nconst n: N = (gcd<N>({ a: 1 as N, b: <N>2 } satisfies object) as unknown as N)!;\nreturn `It is ${n}.` as string;",
    ],
    [
      "declarations copied from the prompt",
      `declare function gcd(args: { a: number; b: number }): Promise<number>;\n${lines}`,
    ],
    ["imports", `import { gcd } from "tools";\nconst fs = require("fs");\n${lines}`],
    [
      "comments and missing semicolons",
      "// first\nconst n = gcd({ a: 1, /* and */ b: 2 }) // one\nreturn `It is ${n}.` // end",
    ],
    ["a function around it", `async function main(): Promise<string> {\n${lines}\n}\nmain();`],
    [
      "a function that shows its value",
      `async function main() {\n${lines}\n}\n\nmain().then(console.log).catch(console.error);`,
    ],
    ["a function that nobody calls", `export default async function () {\n${lines}\n}`],
    ["a function called in its place", `(async () => {\n${lines}\n})();`],
    [
      "a function in a function",
      `async function main() { return (async () => {\n${lines}\n})(); }\nawait main();`,
    ],
    ["an answer without return", "const n = gcd({ a: 1, b: 2 });\n`It is ${n}.`"],
  ])("is %s", (_, text) => {
    expect(meaningOf(text)).toEqual(plain);
  });

  it.each(['main().then((n) => console.log("It is", n));', 'console.log("It is", await main());'])(
    "keeps a function around it if %s shows more than its value",
    (shown) => {
      const code = `async function main() {\n${lines}\n}\n${shown}`;
      expect(programOf(code).code).toBe(code);
    },
  );

  it("keeps the code before the call of a wrapping function", () => {
    const code = "const most = 3;\nasync function main() {\n  return most;\n}\nmain();";
    expect(programOf(code).code).toBe("const most = 3;\n\n  return most;");
  });

  it.each([
    ["a call", "list_work({});\nreturn 'listed';"],
    ["a question", 'stop("Shall I close it?");'],
    ["an answer", "return 'There is nothing to close.';"],
  ])("runs nothing of earlier fences if the last one is %s", (_, last) => {
    for (const draft of ["close_work({ id: 1 });", "close_work({ id: 1 });\nreturn 'done';"]) {
      const text = `First:\n\`\`\`ts\n${draft}\n\`\`\`\nThen:\n\`\`\`ts\n${last}\n\`\`\``;
      expect(meaningOf(text)).toEqual(meaningOf(last));
    }
  });

  it.each([
    ["Do not write this, it is wrong:", ""],
    ["This would not close it:", ""],
    ["Or:", "Don't run the second one."],
    ["Or:", "The last one is wrong."],
    ["Or:", "Shall I close it?"],
  ])("is no program of several of which one is not to be run: %s … %s", (between, behind) => {
    const [one, two] = [1, 2].map((id) => `\`\`\`ts\nclose_work({ id: ${id} });\n\`\`\``);
    const read = readProgram(`${one}\n\n${between}\n${two}\n${behind}`, { functions });
    expect(read).toMatchObject({ issues: [{ kind: "language" }] });
  });

  it("has the characters that a page has written otherwise", () => {
    const code =
      'const ids = [1, 2].filter((id) => id > 1 && true);\nreturn `It is ${ids} or "2".`;';
    const escaped = code.replaceAll("&", "&amp;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
    expect(meaningOf(escaped)).toEqual(meaningOf(code));
    expect(meaningOf("const n = gcd({});\nreturn “It is ” + n;")).toEqual(
      meaningOf('const n = gcd({});\nreturn "It is " + n;'),
    );
  });

  it("keeps such characters in a program that can be read as it is", () => {
    const code = "return 'Say “a &gt; b”.';";
    expect(programOf(code).code).toBe(code);
  });

  it("is none in the thoughts of an object", () => {
    const said = JSON.stringify({ thought: "close_work({ id: 1 });", answer: "Shall I close it?" });
    expect(readProgram(said, { functions })).toHaveProperty("issues");
  });

  it("is none in a call of a tool that has code among its arguments", () => {
    const call = JSON.stringify({
      name: "save_code",
      arguments: { code: "close_work({ id: 1 });" },
    });
    expect(readProgram(call, { functions })).toHaveProperty("issues");
  });

  it("counts lines in the code alone", () => {
    const text = "Sure:\n\n```ts\n\n// close it\nclose_work({ id: 1 });\nreturn 'done';\n```";
    const { code, calls } = programOf(text);
    expect(code.split("\n")[(calls[0]?.line ?? 0) - 1]).toBe("close_work({ id: 1 });");
  });
});

describe("clear deviations from the language", () => {
  it.each([
    ["return gcd(252, 198);", "return gcd({ a: 252, b: 198 });"],
    ["close_work(7);\nreturn '';", "close_work({ id: 7 });\nreturn '';"],
    ["return today();", "return today;"],
    ["const workId = 7;\nreturn work_id + workId;", "const workId = 7;\nreturn workId + workId;"],
    [
      "const id_a = 7;\nclose_work({ id: idA });\nreturn '';",
      "const id_a = 7;\nclose_work({ id: id_a });\nreturn '';",
    ],
  ])("reads %s", (code, meant) => {
    expect(meaningOf(code, { functions })).toEqual(meaningOf(meant, { functions }));
    expect(readProgram(code, { functions })).toMatchObject({ repairs: [expect.any(String)] });
  });

  it("does not choose between two names of the same words", () => {
    const code = "const workId = 7;\nconst WORK_ID = 8;\nreturn work_id;";
    expect(readProgram(code, { functions })).toMatchObject({ issues: [expect.anything()] });
  });

  it("leaves an argument that is known to be an object", () => {
    const code =
      "const l = [{ a: 1, b: 2 }];\nfor (const one of l) gcd(one);\nreturn l.map((one) => gcd(one));";
    expect(readProgram(code, { functions })).toMatchObject({ repairs: [] });
  });
});

describe("a text in a program that looks like a block of a reply", () => {
  const code = [
    "const user = await find_user({ name: 'Ada' });",
    "return `Found:",
    "<answer>${user.id}</answer>",
    "<code>",
    "const x = 1;",
    "</code>`;",
  ].join("\n");

  it("belongs to the program, in a reply without a fence and where the code is read once more", () => {
    const alone = code.split("\n").slice(0, 3).join("\n") + "`;";
    expect(programOf(alone).calls).toHaveLength(1);
    expect(programOf(`\`\`\`ts\n${code}\n\`\`\``).calls).toHaveLength(1);
    const again = readProgram(code, { functions, isCode: true });
    expect(again).toMatchObject({ program: { code, calls: [{ name: "find_user" }] } });
  });

  it.each([
    [
      "a fence in a text",
      '```ts\nconst user = await who_am_i();\nreturn "```json\\n" + user.id + "```";\n```',
    ],
    ["other marks of a fence", "const user = await who_am_i();\nreturn `\n~~~\n${user.id}\n~~~`;"],
    [
      "code in tags",
      "const user = await who_am_i();\nreturn `\n<script>\nconst id = ${user.id};\n</script>`;",
    ],
  ])("does not end the program: %s", (_, text) => {
    expect(programOf(text).calls).toHaveLength(1);
  });

  it("may be code in a fence, where a person has written it", () => {
    const fenced = "```ts\nreturn `${(await who_am_i()).name}`;\n```";
    expect(readProgram(fenced, { functions, isCode: true })).toHaveProperty("program");
  });
});
