import type { At } from "../program.js";
import type { PlannedCall, ProgramTool } from "../progress.js";
import { plainOf } from "./plain.js";
import { Fault, Thrown, Undecided } from "./signals.js";
import { wordsOf } from "./textMethods.js";
import {
  errorOf,
  type Fields,
  FRESH,
  isUndefined,
  joined,
  kindOf,
  object,
  originsIn,
  PENDING,
  ready,
  text,
  valueOf,
  type Value,
} from "./values.js";
import { comeTo, placeOf, planCall, type Visit } from "./visit.js";

/** The outcome of a call; without one yet, the call is planned. */
export function runTool(expression: At<"tool">, args: Value | undefined, visit: Visit): Value {
  const tool = visit.tools.get(expression.name);
  if (!tool) throw new Fault(`There is no function ${expression.name}.`);
  const place = placeOf(expression.site, visit);
  const outcome = comeTo(tool, place, visit);
  if (!outcome) {
    planCall(
      callOf(tool, args ?? { kind: "nothing" }, { ...expression, place }, visit),
      tool,
      visit,
    );
    return FRESH;
  }
  const origins = new Set([place]);
  if ("error" in outcome) {
    const { line, isHeld } = expression;
    const error = new Thrown(errorOf(outcome.error, origins), { line, tool: tool.name });
    if (!isHeld) throw error;
    const held = { kind: "failed", error, origins } as const;
    visit.failures.push(held);
    return held;
  }
  return valueOf("skipped" in outcome ? null : outcome.result, origins);
}

/** Shows a known value to the model; its answer is a text. */
export function runLook({ site }: At<"look">, value: Value, question: Value, visit: Visit): Value {
  const place = placeOf(site, visit);
  const said = visit.inputs.looks.get(place);
  if (said !== undefined) return text(said, joined([originsIn(value), new Set([place])]));
  visit.open += 1;
  try {
    const shown = plainOf(value, visit).data;
    visit.look ??= { place, value: shown, question: wordsOf(question) };
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
  }
  return PENDING;
}

/** A missing tool leaves the program unknown, so it is completed before anything is written. */
export function runNeed({ line }: At<"need">, phrase: Value, visit: Visit): Value {
  visit.open += 1;
  visit.mayWrite = true;
  visit.complete = false;
  visit.need ??= { phrase: wordsOf(phrase), line };
  return PENDING;
}

/** Undefined if an argument is not known yet. */
function callOf(
  tool: ProgramTool,
  known: Value | { kind: "nothing" },
  { place, line, alone }: Pick<PlannedCall, "place" | "line"> & Pick<At<"tool">, "alone">,
  visit: Visit,
) {
  if (known.kind === "pending") return undefined;
  const whole = "origins" in known ? ready(known) : known;
  const isAlone = alone !== undefined && "origins" in whole && whole.kind !== "object";
  const given = isAlone ? object([[alone, whole]]) : whole;
  if (given.kind !== "object" && given.kind !== "nothing") {
    const problem = `${tool.name} takes one object of its arguments, and this is ${kindOf(given)}.`;
    throw new Fault(problem, { value: given });
  }
  const fields = given.kind === "object" ? fieldsIn(given) : [];
  if (!fields) return undefined;
  for (const [name, value] of fields) {
    // JavaScript would pass undefined: a list's owner would be dropped, and the list be everybody's.
    if (!isUndefined(value) || value.origins.size === 0) continue;
    throw new Fault(
      `\`${name}\` of ${tool.name} has no value here: the result that it comes from holds none (undefined). Test for it before the call.`,
    );
  }
  try {
    const settled = fields
      .filter(([, value]) => !isUndefined(value))
      .map(([name, value]) => [name, plainOf(value, visit)] as const);
    return {
      place,
      tool,
      line,
      args: Object.fromEntries(settled.map(([name, { data }]) => [name, data])),
      origins: Object.fromEntries(settled.map(([name, { origins }]) => [name, origins])),
    };
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/** Undefined if they may still change. */
function fieldsIn(given: Fields): [string, Value][] | undefined {
  return given.isUnsettled ? undefined : Object.entries(given.fields);
}
