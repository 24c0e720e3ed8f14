import ts from "typescript";
import { type DraftProblem, problemAtNode } from "./draft.js";

/**
 * How deep a draft may nest; sensible ones stay far below. At each level the compiler repeats work, resolving overloads
 * in nested functions and following variables' types in nested loops, so its time doubles with every level, and it
 * cannot be interrupted.
 */
const DEEPEST = { functions: 6, loops: 6, nodes: 200 };

type Depth = typeof DEEPEST;

/** What is forbidden anywhere in a draft. */
export function nodeProblems(source: ts.SourceFile): DraftProblem[] {
  const problems: DraftProblem[] = [];
  const visit = (node: ts.Node, above: Depth): void => {
    const depth = depthAt(node, above);
    const tooDeep = depthProblem(depth);
    const problem = tooDeep ?? ruleAgainst(node);
    if (problem !== undefined) problems.push(problemAtNode(node, { kind: "rules", problem }));
    if (tooDeep !== undefined) return;
    ts.forEachChild(node, (child) => {
      visit(child, depth);
    });
  };
  visit(source, { functions: 0, loops: 0, nodes: 0 });
  return problems;
}

function depthAt(node: ts.Node, above: Depth): Depth {
  return {
    functions: above.functions + (ts.isFunctionLike(node) ? 1 : 0),
    loops: above.loops + (ts.isIterationStatement(node, false) ? 1 : 0),
    nodes: above.nodes + 1,
  };
}

function depthProblem({ functions, loops, nodes }: Depth): string | undefined {
  if (functions > DEEPEST.functions)
    return `functions are nested more than ${DEEPEST.functions} deep`;
  if (loops > DEEPEST.loops) return `loops are nested more than ${DEEPEST.loops} deep`;
  return nodes > DEEPEST.nodes ? "the code is nested too deep; use variables or a list" : undefined;
}

const NO_IMPORT = "no imports: the function has the language alone, without modules";

const NO_COMPUTED_TYPE =
  "no conditional, mapped or template types; write plain types, interfaces, unions or Record";

function ruleAgainst(node: ts.Node): string | undefined {
  switch (node.kind) {
    case ts.SyntaxKind.ImportType:
    case ts.SyntaxKind.MetaProperty:
      return isNewTarget(node) ? undefined : NO_IMPORT;
    case ts.SyntaxKind.CallExpression:
      return importsByCall(node as ts.CallExpression) ? NO_IMPORT : undefined;
    case ts.SyntaxKind.ConditionalType:
    case ts.SyntaxKind.MappedType:
    case ts.SyntaxKind.TemplateLiteralType:
      return NO_COMPUTED_TYPE;
    case ts.SyntaxKind.DebuggerStatement:
      return "no debugger statement";
    case ts.SyntaxKind.Identifier:
      return isAbsent(node as ts.Identifier)
        ? "there is no Intl here; format numbers and dates by hand"
        : undefined;
    default:
      return undefined;
  }
}

function isNewTarget(node: ts.Node): boolean {
  return ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.NewKeyword;
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
