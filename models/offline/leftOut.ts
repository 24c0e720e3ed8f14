import type { ActInput } from "../../nodes/acting/actInput.js";
import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { readGiven } from "./given.js";
import { withoutItemNumbers } from "./sentences.js";
import { type Mention, readMentions } from "./quantities.js";
import { conceptOf, conceptsOf } from "./text.js";

/** Operations in words. A step that still contains one was misread. */
const OPERATION = /\b(?:plus|minus|doubled|tripled|halved|squared|cubed)\b/i;

/** Longer clauses are not quoted. */
const LONGEST_CLAUSE = 60;

/**
 * The parts of a request that no call used, quoted: numbers that are not an argument of any call, and operations that
 * no called tool does. Numbers in words do not count, because they often are not values ("one of them", "on four
 * days").
 */
export function leftOut(options: {
  request: string;
  steps: readonly string[];
  tools: readonly OfferedTool[];
  calls: readonly { tool: string; args: unknown }[];
}): string[] {
  const { steps, tools, calls } = options;
  const request = withoutItemNumbers(options.request);
  const called = tools.filter(({ name }) => calls.some(({ tool }) => tool === name));
  const about = called.map(({ name, description }) => `${name} ${description}`);
  const used = [...calls.flatMap(({ args }) => textsIn(args)), ...about.flatMap(numbersIn)];
  const numbers = numbersSaid(request).filter((mention) => !isUsed(mention, used));
  const concepts = new Set(about.flatMap((text) => conceptsOf(text)));
  const undone = steps.flatMap((step) => operationIn(readGiven(step).asked, concepts) ?? []);
  return [...new Set([...numbers.map((mention) => clauseOf(request, mention)), ...undone])];
}

/** Like {@link leftOut}, for the calls made so far. */
export function unusedBy(input: ActInput, steps: readonly string[]): string[] {
  const { request, observations, retired = [] } = input;
  const calls = observations.filter(({ error }) => error === undefined);
  return leftOut({ request, steps, tools: [...input.tools, ...retired], calls });
}

function numbersSaid(request: string): Mention[] {
  return readMentions(request).filter(
    ({ kind, written }) => kind === "number" && /\d/.test(written),
  );
}

function numbersIn(text: string): string[] {
  return text.match(/\d+(?:\.\d+)?/g) ?? [];
}

/** All values in arguments, as texts. */
function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return [String(value)];
}

/** Whether a number is an argument: as it is, without its sign, as the fraction of a percentage, or within a text. */
function isUsed({ value, written }: Mention, used: readonly string[]): boolean {
  const size = Math.abs(Number(value));
  const same = new Set([size, Number(`${size}e-2`)]);
  return used.some((text) => {
    const isNumber = text.trim() !== "" && !Number.isNaN(Number(text));
    return isNumber ? same.has(Math.abs(Number(text))) : text.includes(written);
  });
}

/** The clause around a value if it is short; otherwise the value. */
function clauseOf(request: string, { start, end, written }: Mention): string {
  const before =
    request
      .slice(0, start)
      .split(/[.;,?!:]\s|\s(?:and|with)\s|\n/)
      .at(-1) ?? "";
  const after = request.slice(end).split(/[.;,?!:](?:\s|$)|\s(?:and|with)\s|\n/)[0] ?? "";
  const clause = `${before}${request.slice(start, end)}${after}`.replaceAll(/\s+/g, " ").trim();
  return clause.length > LONGEST_CLAUSE ? written : clause;
}

function operationIn(asked: string, concepts: ReadonlySet<string>): string | undefined {
  const said = OPERATION.exec(asked);
  if (!said || concepts.has(conceptOf(said[0].toLowerCase()))) return undefined;
  return asked.slice(said.index).slice(0, LONGEST_CLAUSE);
}
