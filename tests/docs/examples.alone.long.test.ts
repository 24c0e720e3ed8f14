import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../../cli/commandLine.js";
import { messageOf } from "../../common/errors.js";
import { commandTree, examplesOf } from "../../scripts/commandTree.js";
import { parseSettings } from "../../state/settings.js";
import { findGraph } from "../../graphs/ownGraphs.js";
import { PAGES, blocksOf } from "./pages.js";

describe("the command line takes", () => {
  it("every example of the help", async () => {
    const { program, commands } = await commandTree();
    const lines = [program, ...commands].flatMap(examplesIn);
    expect(lines.length).toBeGreaterThan(60);
    expect(await refused(lines)).toEqual([]);
  });

  it.each(PAGES)("every command in the blocks of %s", async (page) => {
    // Those of a workflow are run by ci.alone.long.test.ts.
    const blocks = blocksOf(page).filter(({ language }) => language !== "yaml");
    const lines = blocks.flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"));
    const commands = lines.filter((line) =>
      /^\W*(?:\w+=\S+ |run: )*(?:npx )?tulipgraph\s/.test(line),
    );
    expect(await refused(commands)).toEqual([]);
  });
});

function examplesIn(command: Command): string[] {
  return [...examplesOf(command), ...command.commands.flatMap(examplesIn)];
}

/** The lines that the command line does not take, each with the reason. */
async function refused(lines: readonly string[]): Promise<string[]> {
  const problems = await Promise.all(lines.map(async (line) => [line, await problemOf(line)]));
  return problems.flatMap(([line, problem]) => (problem ? [`${line}: ${problem}`] : []));
}

/** Parses a line as a shell and the command line do, without doing anything. */
async function problemOf(line: string): Promise<string> {
  try {
    const { program, words } = await commandLine({ argv: wordsOf(line), exit: () => undefined });
    const called = idle(program);
    await program.parseAsync(words, { from: "user" });
    const { set, graph, graphs } = called().opts<{
      set?: object;
      graph?: string;
      graphs?: string[];
    }>();
    for (const id of [graph ?? [], graphs ?? []].flat()) if (id !== "all") findGraph(id);
    for (const [name, value] of Object.entries(set ?? {}))
      for (const one of [value].flat()) parseSettings({ [name]: one as unknown });
    return "";
  } catch (error) {
    return Object(error).exitCode === 0 ? "" : messageOf(error);
  }
}

/** Makes all commands do nothing; gives the one that was called. */
function idle(program: Command): () => Command {
  let called = program;
  const prepare = (command: Command) => {
    command.action((...given: unknown[]) => void (called = given.at(-1) as Command));
    command.configureOutput({ writeOut: () => undefined, outputError: () => undefined });
    for (const child of command.commands) prepare(child);
  };
  for (const command of program.commands) prepare(command);
  return () => called;
}

/** The words after `tulipgraph`, up to a comment, a pipe or a redirection. */
function wordsOf(line: string): string[] {
  const [, call = ""] = /\btulipgraph(?= )(.*)$/.exec(line.replace(/"\$\((.*?)\)"/, "$1")) ?? [];
  const words = [...call.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'";])+|;/g)].map(([word]) => word);
  const end = words.findIndex((word) => /^(?:#|[|&;]|\d?>)/.test(word));
  const own = words.slice(0, end === -1 ? undefined : end);
  return own.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** Packages that examples use without saying so. */
const PACKAGES = {
  z: "zod",
  END: "@langchain/langgraph",
  createAgent: "langchain",
  ChatOpenAI: "@langchain/openai",
  HumanMessage: "@langchain/core/messages",
};

interface Example {
  file: string;
  code: string;
  /** The file that is checked. */
  made: string;
}

const examples = sources().flatMap((file) =>
  tagged(parsed(file)).map((code, at): Example => {
    const made = join(dirname(resolve(file)), `__example_${at}_${file.replaceAll(/\W/g, "_")}.ts`);
    return { file, code, made };
  }),
);

describe("the compiler takes", () => {
  let program: ts.Program;
  beforeAll(() => {
    program = checkedProgram();
  }, 120_000);

  it.each(examples)("the example in $file: $code", ({ made }) => {
    const file = program.getSourceFile(made);
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ];
    const wrong = found.filter((each) => !isContext(each));
    expect(
      wrong.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")),
    ).toEqual([]);
  });
});

/** All files with comments for developers; those of tools are for models. */
function sources(): string[] {
  const listed = execFileSync("git", ["ls-files", "*.ts"]).toString().trim().split("\n");
  return listed.filter((file) => !/^(?:tests|examples|tools\/catalogs)\//.test(file));
}

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
}

/** The texts of the `@example` tags in a file. */
function tagged(node: ts.Node): string[] {
  const { jsDoc: comments = [] } = node as { jsDoc?: ts.JSDoc[] };
  const tags = comments.flatMap(({ tags = [] }) => [...tags]);
  const own = tags.filter(({ tagName }) => tagName.text === "example");
  const inside: string[] = [];
  ts.forEachChild(node, (child) => void inside.push(...tagged(child)));
  return [...own.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? ""), ...inside];
}

function checkedProgram(): ts.Program {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile("tsconfig.json", (file) => ts.sys.readFile(file)).config,
    ts.sys,
    ".",
  );
  const texts = new Map(
    examples.map((example) => [example.made, `${importsOf(example)}\n${example.code}`]),
  );
  const lenient = { noUnusedLocals: false, noUnusedParameters: false, verbatimModuleSyntax: false };
  const settings = { ...options, ...lenient };
  const host = ts.createCompilerHost(settings);
  host.readFile = (file) => texts.get(file) ?? ts.sys.readFile(file);
  host.fileExists = (file) => texts.has(file) || ts.sys.fileExists(file);
  return ts.createProgram([...texts.keys()], settings, host);
}

/** Imports of what an example uses of its own file, of the package, and of other packages. */
function importsOf({ file, code, made }: Example): string {
  const imported = new Set(
    [...code.matchAll(/^import \{ (.*) \}/gm)].flatMap(([, names = ""]) => names.split(", ")),
  );
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(code) && !imported.has(name);
  const own = exportsOf(parsed(file)).filter(isUsed);
  const published = exportsOf(parsed("index.ts")).filter(
    (name) => isUsed(name) && !own.includes(name),
  );
  const others = Object.entries(PACKAGES).filter(([name]) => isUsed(name));
  return [
    from(own, resolve(file).replace(dirname(made), ".").replace(/\.ts$/, ".js")),
    from(published, "tulipgraph"),
    ...others.map(([name, place]) => from([name], place)),
  ].join("\n");
}

function from(names: readonly string[], place: string): string {
  return `import { ${names.join(", ")} } from "${place}";`;
}

/** The names of a file's exports; those of overloads once. */
function exportsOf(file: ts.SourceFile): string[] {
  const names = file.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause } = statement;
      if (!exportClause) return [];
      if (ts.isNamespaceExport(exportClause)) return exportClause.name.text;
      return exportClause.elements.map(({ name }) => name.text);
    }
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    return "name" in statement ? (statement.name as ts.Identifier).text : [];
  });
  return [...new Set(names)];
}

/** Cannot find a name, also in short for a property, also with a suggestion. */
const UNKNOWN_NAMES = new Set([2304, 18004, 2552]);

/** Whether an example only uses a value without saying where it comes from; what it calls has to exist. */
function isContext({ code, file, start = 0, length = 0 }: ts.Diagnostic): boolean {
  return UNKNOWN_NAMES.has(code) && file?.text[start + length] !== "(";
}
