import { schemaExcess } from "../../../common/schemas/size.js";
import type { SourceProblem, SourceReading, ToolDefinition } from "../../tool.js";
import { type FunctionDocs, readDocs } from "./docs.js";
import { type ExportedFunction, type OtherExport, readExports } from "./exports.js";
import { sourceFile } from "../file.js";
import { problemAtNode, sameName } from "../problems.js";
import { type SourceProgram, openProgram } from "./sourceProgram.js";
import { type SignatureReading, readReturns, readSignature } from "./readSignature.js";
import { type ToolTags, readTags } from "./tags.js";

/** The result of reading a file, and the files it depended on, to detect changes. */
export interface FileReading extends SourceReading {
  /** Absolute paths: the file itself first, then the files it imports, except packages. */
  files: string[];
}

/** What the text of a program shows. */
export interface FunctionsReading extends FileReading {
  /** Exports in which the text shows no function to make a tool of. */
  others: OtherExport[];
}

export type FunctionTool = ToolDefinition & { source: { kind: "function" } };

/** A function read as a tool; any problem makes it unusable. */
export interface FunctionReading {
  /** As far as it could be read; absent for a function without a name. */
  tool?: FunctionTool;
  /** What is missing or wrong in its comment. */
  docProblems: SourceProblem[];
  /** Parameters that a JSON Schema cannot express. */
  signatureProblems: SourceProblem[];
}

/**
 * Reads the exported functions of a TypeScript or JavaScript file as tools, including re-exported ones and those in
 * exported objects. Name, description, parameters and result all come from the source.
 *
 * Loads the TypeScript compiler; import this module only to read a source.
 *
 * @param options.catalog name of the shipped catalog whose entry the file is; the tools' `source.file` is then
 *   relative to the package
 * @throws InvalidSetting when the file does not exist or is not program text
 */
export function readFunctions(options: { file: string; catalog?: string }): FunctionsReading {
  const { file, catalog } = options;
  const { path, shownAs } = sourceFile(file, catalog);
  const source = openProgram(path);
  const { files } = source;
  if (source.broken) return { tools: [], problems: source.problems, files, others: [] };
  const tools = new Map<string, ToolDefinition>();
  const problems = [...source.problems];
  const { functions, others } = readExports(source);
  for (const exported of functions) {
    const { tool, ...found } = readFunction({ exported, source, file: shownAs, catalog });
    const hindering = [...found.docProblems, ...found.signatureProblems];
    problems.push(...hindering);
    if (tool === undefined || hindering.length > 0) continue;
    const { name } = tool;
    const other = tools.get(name);
    if (other === undefined) tools.set(name, tool);
    else problems.push(exportProblem(exported, sameName(name, other)));
  }
  return { tools: [...tools.values()], problems, files, others };
}

/**
 * Reads a function of any program as a tool.
 *
 * @param request.file the tool's `source.file`
 */
export function readFunction({
  exported,
  source: { program, checker },
  file,
  catalog,
}: {
  exported: ExportedFunction;
  source: Pick<SourceProgram, "program" | "checker">;
  file: string;
  catalog?: string | undefined;
}): FunctionReading {
  const { declarations, exportName } = exported;
  const types = { program, checker };
  const docs = readDocs(declarations);
  const tags = readTags(docs.tags);
  const signature = readSignature(exported.signature, docs, types);
  const name = toolName(exported, tags, catalog);
  const shown = name ?? exportName;
  const problems = {
    docProblems: docProblems(exported, docs, { ...tags, name }),
    signatureProblems: withExcess(signature).map(({ node = declarations[0], problem }) =>
      problemAtNode(node, exportName, `function "${shown}": ${problem}`),
    ),
  };
  if (name === undefined) return problems;
  // Without its world, a function of a catalog only computes. Of others, nobody knows what they write.
  const isPure = catalog !== undefined && !signature.takesContext;
  const returns = readReturns(exported.signature, docs.returns, types);
  return {
    ...problems,
    tool: {
      id: name,
      name,
      description: docs.description,
      parameters: signature.parameters,
      ...(returns !== undefined ? { returns } : {}),
      source: {
        kind: "function",
        file,
        exportName,
        ...(catalog !== undefined ? { catalog } : {}),
        callStyle: signature.callStyle,
        parameterNames: signature.parameterNames,
        takesContext: signature.takesContext,
        ...(signature.rest ? { rest: true } : {}),
      },
      effects: tags.effects ?? (isPure ? "read" : "write"),
      ...tags.settings,
    },
  };
}

/** Functions of a catalog are named as its tools are, in camel case. */
function toolName(
  exported: ExportedFunction,
  tags: ToolTags,
  catalog: string | undefined,
): string | undefined {
  if (tags.name !== undefined || catalog === undefined) return tags.name ?? exported.name;
  return exported.name?.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function withExcess({ problems, parameters }: SignatureReading): SignatureReading["problems"] {
  const excess = schemaExcess(parameters);
  if (excess === undefined) return problems;
  return [...problems, { node: undefined, problem: `${excess}; use fewer or plainer types` }];
}

function docProblems(
  exported: ExportedFunction,
  docs: FunctionDocs,
  { name, problems: ofTags }: Pick<ToolTags, "name" | "problems">,
): SourceProblem[] {
  const { exportName } = exported;
  const shown = name ?? exportName;
  const problems: SourceProblem[] = [];
  if (name === undefined) {
    const problem = "the default export has no name; name the function or add a @name tag";
    problems.push(exportProblem(exported, problem));
  }
  if (docs.description === "") {
    const problem = `function "${shown}" has no description; add a TSDoc comment above it`;
    problems.push(exportProblem(exported, problem));
  }
  for (const { tag, problem } of ofTags)
    problems.push(problemAtNode(tag.node, exportName, `function "${shown}": ${problem}`));
  return problems;
}

function exportProblem(exported: ExportedFunction, problem: string): SourceProblem {
  const [node] = exported.declarations;
  return problemAtNode(node, exported.exportName, problem);
}
