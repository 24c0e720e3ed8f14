import ts from "typescript";
import { type DraftProblem, problemAt, problemAtNode } from "./draft.js";

/** The function of a draft, and what is wrong with the draft's form. */
interface FormReading {
  /** The one top-level function; absent if there is none or more than one. */
  declaration?: ts.FunctionDeclaration;
  problems: DraftProblem[];
}

/**
 * Checks the form of a draft: one function and otherwise only types; no imports; no TypeScript checks switched off; no
 * types computed from types, because a few of them can keep the compiler busy for minutes.
 */
export function readForm(source: ts.SourceFile): FormReading {
  const functions = source.statements.filter(ts.isFunctionDeclaration);
  const [declaration, second] = functions;
  const problems = [
    ...source.statements.flatMap((statement) => statementProblem(statement, declaration) ?? []),
    ...[...source.text.matchAll(DIRECTIVE)].map(({ index, 0: found }) => {
      const problem = `no ${found.trim()}: the checks stay on; mend what they find`;
      return problemAt(source, index + found.search(/\S/), problem);
    }),
    ...nodeProblems(source),
  ];
  if (second !== undefined) {
    const isOverload = second.name?.text === declaration?.name?.text;
    const problem = isOverload
      ? `the function is declared ${functions.length} times; write it once, without overloads`
      : `there are ${functions.length} functions; write exactly one and put the others inside it`;
    return { problems: [problemAtNode(second, problem), ...problems] };
  }
  if (declaration === undefined) {
    const problem = "there is no function; write one: export function name(…): … { … }";
    const said = problems.length > 0 ? [] : [problemAt(source, 0, problem)];
    return { problems: [...said, ...problems] };
  }
  return { declaration, problems: [...problems, ...functionProblems(declaration)] };
}

/** Whether a statement only exports the function, which is fine because it is exported anyway. */
export function isOwnExport(
  statement: ts.Statement,
  declaration: ts.FunctionDeclaration | undefined,
): boolean {
  const own = declaration?.name?.text;
  if (ts.isExportAssignment(statement))
    return ts.isIdentifier(statement.expression) && statement.expression.text === own;
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier !== undefined) return false;
  const clause = statement.exportClause;
  return (
    clause !== undefined &&
    ts.isNamedExports(clause) &&
    clause.elements.every(({ name, propertyName }) => (propertyName ?? name).text === own)
  );
}

const INSIDE = "put it inside the function";

function statementProblem(
  statement: ts.Statement,
  declaration: ts.FunctionDeclaration | undefined,
): DraftProblem | undefined {
  if (isOwnExport(statement, declaration)) return undefined;
  if (hasModifier(statement, ts.SyntaxKind.DeclareKeyword))
    return problemAtNode(statement, "no `declare`: nothing is there beside the language");
  const problem = statementRule(statement);
  return problem === undefined ? undefined : problemAtNode(statement, problem);
}

function statementRule({ kind }: ts.Statement): string | undefined {
  if (ALLOWED.has(kind)) return undefined;
  return INSTEAD.get(kind) ?? `no statement beside the function; ${INSIDE}, or leave it out`;
}

const ALLOWED: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.EmptyStatement,
]);

const NO_IMPORT = "no imports: the function has the language alone, without modules";

const ONE_EXPORT = "export nothing but the one function";

const INSTEAD: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [
    ts.SyntaxKind.VariableStatement,
    `no variable beside the function; ${INSIDE}, and write the function as export function name(…): … { … }`,
  ],
  [ts.SyntaxKind.ImportDeclaration, NO_IMPORT],
  [ts.SyntaxKind.ImportEqualsDeclaration, NO_IMPORT],
  [ts.SyntaxKind.ExportDeclaration, ONE_EXPORT],
  [ts.SyntaxKind.ExportAssignment, ONE_EXPORT],
  [ts.SyntaxKind.ClassDeclaration, `no class beside the function; ${INSIDE}`],
  [ts.SyntaxKind.EnumDeclaration, "no enum; use a union of literals: type Kind = 'a' | 'b'"],
  [ts.SyntaxKind.ModuleDeclaration, "no namespace"],
]);

function functionProblems(declaration: ts.FunctionDeclaration): DraftProblem[] {
  const problems: DraftProblem[] = [];
  if (declaration.asteriskToken !== undefined) {
    const problem = "no generator; return a list";
    problems.push(problemAtNode(declaration.asteriskToken, problem));
  }
  if (declaration.body === undefined)
    problems.push(problemAtNode(declaration, "the function has no body; write it out"));
  if (declaration.type === undefined) {
    const problem = "the function has no return type; write it after the parameters: (…): number";
    problems.push(problemAtNode(declaration.name ?? declaration, problem));
  }
  return problems;
}

/** TypeScript obeys such comments anywhere; refusing a string with the same words is not a loss. */
const DIRECTIVE = /@ts-[a-z-]+|^[ \t]*\/\/\/[ \t]*<.*/gm;

function hasModifier(statement: ts.Statement, kind: ts.SyntaxKind): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some((modifier) => modifier.kind === kind) ?? false;
}

/**
 * How deep a draft may nest; sensible ones stay far below. At each level the compiler repeats work, resolving overloads
 * in nested functions and following variables' types in nested loops, so its time doubles with every level, and it
 * cannot be interrupted.
 */
const DEEPEST = { functions: 6, loops: 6, nodes: 200 };

type Depth = typeof DEEPEST;

function nodeProblems(source: ts.SourceFile): DraftProblem[] {
  const problems: DraftProblem[] = [];
  const visit = (node: ts.Node, above: Depth): void => {
    const depth = {
      functions: above.functions + (ts.isFunctionLike(node) ? 1 : 0),
      loops: above.loops + (ts.isIterationStatement(node, false) ? 1 : 0),
      nodes: above.nodes + 1,
    };
    const tooDeep = depthProblem(depth);
    const problem = tooDeep ?? ruleAgainst(node);
    if (problem !== undefined) problems.push(problemAtNode(node, problem));
    if (tooDeep !== undefined) return;
    ts.forEachChild(node, (child) => {
      visit(child, depth);
    });
  };
  visit(source, { functions: 0, loops: 0, nodes: 0 });
  return problems;
}

function depthProblem({ functions, loops, nodes }: Depth): string | undefined {
  if (functions > DEEPEST.functions)
    return `functions are nested more than ${DEEPEST.functions} deep`;
  if (loops > DEEPEST.loops) return `loops are nested more than ${DEEPEST.loops} deep`;
  return nodes > DEEPEST.nodes ? "the code is nested too deep; use variables or a list" : undefined;
}

const NO_COMPUTED_TYPE =
  "no conditional, mapped or template types; write plain types, interfaces, unions or Record";

const FORBIDDEN: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.ImportType, NO_IMPORT],
  [ts.SyntaxKind.ConditionalType, NO_COMPUTED_TYPE],
  [ts.SyntaxKind.MappedType, NO_COMPUTED_TYPE],
  [ts.SyntaxKind.TemplateLiteralType, NO_COMPUTED_TYPE],
  [ts.SyntaxKind.DebuggerStatement, "no debugger statement"],
]);

function ruleAgainst(node: ts.Node): string | undefined {
  // The other meta property is new.target.
  const isImportMeta = ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword;
  if (isImportMeta || (ts.isCallExpression(node) && importsByCall(node))) return NO_IMPORT;
  if (ts.isIdentifier(node) && isAbsent(node))
    return "there is no Intl here; format numbers and dates by hand";
  return FORBIDDEN.get(node.kind);
}

function importsByCall({ expression }: ts.CallExpression): boolean {
  const isRequire = ts.isIdentifier(expression) && expression.text === "require";
  return isRequire || expression.kind === ts.SyntaxKind.ImportKeyword;
}

/** Whether TypeScript's library declares it but the sandbox's engine lacks it. */
function isAbsent(node: ts.Identifier): boolean {
  const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
  return node.text === "Intl" && !isMember;
}
