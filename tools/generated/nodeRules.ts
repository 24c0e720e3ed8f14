import ts from "typescript";
import type { DraftProblem } from "./draft.js";
import { problemAtNode } from "./place.js";

/** Functions inside of functions: overloads are resolved anew at each level, which multiplies. */
const DEEPEST_FUNCTIONS = 6;

/** What is against the rules wherever it stands in a draft. */
export function nodeProblems(source: ts.SourceFile): DraftProblem[] {
  const problems: DraftProblem[] = [];
  const visit = (node: ts.Node, functions: number): void => {
    const depth = ts.isFunctionLike(node) ? functions + 1 : functions;
    const problem =
      depth > functions && depth === DEEPEST_FUNCTIONS + 1 ? TOO_DEEP : ruleAgainst(node);
    if (problem !== undefined) problems.push(problemAtNode(node, { kind: "rules", problem }));
    ts.forEachChild(node, (child) => {
      visit(child, depth);
    });
  };
  visit(source, 0);
  return problems;
}

const TOO_DEEP = `functions are nested more than ${DEEPEST_FUNCTIONS} deep; use statements or loops in their place`;

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

/** TypeScript's library of the language declares it, and the sandbox's engine has none. */
function isAbsent(node: ts.Identifier): boolean {
  const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
  return node.text === "Intl" && !isMember;
}
