import { createRequire } from "node:module";
import type { MathNode } from "mathjs";
import { requireExtra } from "../../common/extras.js";

/** An arithmetic expression found in a request. */
export interface FoundExpression {
  written: string;
  start: number;
  end: number;
  /** Steps in words, in the order in which they have to be done. */
  steps: string[];
  /** The request with a reference in place of the expression; empty if nothing else is asked. */
  rest: string;
}

/** Words that only ask for a value. */
const ASKING =
  /^(?:please|what|whats|is|are|the|result|results|value|answer|of|calculate|compute|evaluate|solve|find|determine|work|out|following|expression|to|me|tell|give|how|much|for|and|can|you|could|it|equal|equals|this)$/i;

const FUNCTION_NAMES: Record<string, string> = {
  sqrt: "square root",
  cbrt: "cube root",
  abs: "absolute value",
  log: "natural logarithm",
  ln: "natural logarithm",
  log10: "base 10 logarithm",
  log2: "base 2 logarithm",
  exp: "exponential",
  sin: "sine",
  cos: "cosine",
  tan: "tangent",
};

const CANDIDATE =
  /(?:\b[a-z]\w*(?=\()|\b(?:sqrt|cbrt|abs|log|ln|exp|sin|cos|tan)\s+(?=\()|\d+(?:,\d{3})+(?:\.\d+)?|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+|\*\*|[-+*/^%!()×÷·−]|(?<=[\d)]\s*)x(?=\s*[\d(])|,(?=\s*[\d(-])|\s+)+/giu;

/**
 * Reads the arithmetic expression in a request, if there is one. The expression is parsed, never
 * evaluated: its steps are left to tools.
 */
export function findExpression(asked: string): FoundExpression | undefined {
  const request = inSymbols(asked);
  for (const candidate of candidates(request)) {
    if (!looksArithmetic(candidate, request)) continue;
    const { parse } = loadMathjs();
    const steps = readSteps(() => parse(toSyntax(candidate.written)));
    if (!steps || steps.length === 0) continue;
    const around = [request.slice(0, candidate.start), request.slice(candidate.end)];
    const isWhole = wordsIn(around.join(" ")).every((word) => ASKING.test(word));
    const rest = isWhole ? "" : around.join(`the result of step ${steps.length}`);
    return { ...candidate, steps, rest };
  }
  return undefined;
}

/** The bundled file loads in a fifth of the time of its several hundred modules. */
function loadMathjs(): Pick<typeof import("mathjs"), "parse"> {
  requireExtra("rules");
  return createRequire(import.meta.url)("mathjs/lib/browser/math.js") as typeof import("mathjs");
}

/** Operations in words between numbers, with their sign or function. */
const SPOKEN: readonly [RegExp, string][] = [
  [/\b(?:the )?square root of (\d[\d.]*)/gi, "sqrt($1)"],
  [/(?<=\d)\s+squared\b/gi, "^2"],
  [/(?<=\d)\s+cubed\b/gi, "^3"],
  [/(?<=[\d)])\s+plus\s+(?=[\d(]|sqrt)/gi, " + "],
  [/(?<=[\d)])\s+minus\s+(?=[\d(]|sqrt)/gi, " - "],
  [/(?<=[\d)])\s+(?:times|multiplied by)\s+(?=[\d(]|sqrt)/gi, " * "],
  [/(?<=[\d)])\s+divided by\s+(?=[\d(]|sqrt)/gi, " / "],
  [/(?<=[\d)])\s+to the power of\s+(?=[\d(]|sqrt)/gi, " ^ "],
];

/** "3 plus 4 times 5" → "3 + 4 * 5"; a request without such an operation stays as it is. */
function inSymbols(request: string): string {
  const symbols = SPOKEN.reduce((text, [words, sign]) => text.replaceAll(words, sign), request);
  return /[\d)]\s*[-+*/^]\s*(?:[\d(]|sqrt)/.test(symbols) ? symbols : request;
}

function wordsIn(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

type Candidate = Pick<FoundExpression, "written" | "start" | "end">;

function candidates(request: string): Candidate[] {
  return [...request.matchAll(CANDIDATE)]
    .map((match) => trimCandidate(match[0], match.index))
    .filter(({ written }) => /\d/.test(written) && /[-+*/^%!×÷·−(x]/.test(written))
    .toSorted((one, other) => other.written.length - one.written.length);
}

/** Cuts off what cannot begin or end an expression: spaces, operators, an unmatched bracket. */
function trimCandidate(raw: string, index: number): Candidate {
  let start = index + raw.length - raw.trimStart().length;
  let written = raw.trim();
  const trimEnd = /(?:\*\*|[-+*/^%×÷·−,(x]|\s)$/;
  while (trimEnd.test(written)) written = written.replace(trimEnd, "").trimEnd();
  while (/^[+*/^%×÷·,)!]/.test(written)) {
    const rest = written.slice(1).trimStart();
    start += written.length - rest.length;
    written = rest;
  }
  return { written, start, end: start + written.length };
}

function looksArithmetic({ written, start, end }: Candidate, request: string): boolean {
  if (/^\d{4}-\d{1,2}-\d{1,2}|^\d{1,2}\/\d{1,2}\/\d{2,4}$|^\d{3}-\d{3,4}/.test(written))
    return false;
  if (written.endsWith("%") && !/%\s*\d/.test(written)) return false;
  const clear =
    /\d\s*(?:\*\*|[*^×÷·])\s*[\d(]|\d\s+[-+/%−]\s+[\d(]|\w+\(.*\d.*\)|\)\s*[-+*/]|\d\s*x\s*\d|\d!/i;
  if (!/(?:\*\*|[-+*/^%!×÷·−x]|\w\()/.test(written)) return false;
  const around = wordsIn(`${request.slice(0, start)} ${request.slice(end)}`);
  const isAllThereIs = around.every((word) => ASKING.test(word));
  return isAllThereIs || (clear.test(written) && !/\bx\b/.test(written));
}

function toSyntax(written: string): string {
  return written
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "")
    .replaceAll("**", "^")
    .replaceAll(/[×·]|(?<=[\d)\s])x(?=[\s\d(])/g, "*")
    .replaceAll("÷", "/")
    .replaceAll("−", "-");
}

/** Post-order steps of a parsed expression; undefined if it is not plain arithmetic. */
function readSteps(parse: () => MathNode): string[] | undefined {
  const steps: string[] = [];
  try {
    const root = parse();
    const value = stepInto(root, steps);
    return value === undefined ? undefined : steps;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Adds the steps for a node and returns how later steps refer to its value. */
function stepInto(node: MathNode, steps: string[]): string | undefined {
  const parts = partsOf(node);
  if (!parts) return undefined;
  if (parts.kind === "value") return parts.text;
  const values: string[] = [];
  for (const operand of parts.operands) {
    const value = stepInto(operand, steps);
    if (value === undefined) return undefined;
    values.push(value);
  }
  if (parts.kind === "bracket") return values[0];
  const negative = parts.name === "unaryMinus" && /^[\d.]/.test(values[0] ?? "");
  if (negative) return `-${values[0]}`;
  if (parts.name === "unaryPlus") return values[0];
  steps.push(inWords(parts.name, values));
  return `the result of step ${steps.length}`;
}

type NodeParts =
  | { kind: "value"; text: string }
  | { kind: "bracket" | "operation"; name: string; operands: MathNode[] };

function partsOf(node: MathNode): NodeParts | undefined {
  if (isConstant(node)) return { kind: "value", text: String(node.value) };
  if (node.type === "ParenthesisNode" && "content" in node) {
    return { kind: "bracket", name: "", operands: [node.content as MathNode] };
  }
  if (node.type === "OperatorNode" && "fn" in node && "args" in node) {
    return { kind: "operation", name: String(node.fn), operands: node.args as MathNode[] };
  }
  if (node.type === "FunctionNode" && "fn" in node && "args" in node) {
    const { name } = node.fn as { name: string };
    return { kind: "operation", name, operands: node.args as MathNode[] };
  }
  return undefined;
}

function isConstant(node: MathNode): node is MathNode & { value: unknown } {
  return node.type === "ConstantNode" && "value" in node;
}

function inWords(name: string, values: string[]): string {
  const [a = "", b = ""] = values;
  const words: Record<string, string> = {
    add: `add ${a} and ${b}`,
    subtract: `subtract ${b} from ${a}`,
    multiply: `multiply ${a} by ${b}`,
    divide: `divide ${a} by ${b}`,
    pow: `raise ${a} to the power of ${b}`,
    mod: `find the remainder of dividing ${a} by ${b}`,
    factorial: `calculate the factorial of ${a}`,
    unaryMinus: `multiply ${a} by -1`,
  };
  return words[name] ?? `calculate the ${FUNCTION_NAMES[name] ?? name} of ${values.join(" and ")}`;
}
