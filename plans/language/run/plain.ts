import { DEEPEST_ARGUMENTS } from "../../../common/bounds.js";
import { valueText } from "../../grounding/valueText.js";
import { isoText, momentOf } from "./moments.js";
import { Fault, typeError, Thrown, Undecided } from "./signals.js";
import {
  allOf,
  isUndefined,
  kindOf,
  ready,
  sound,
  type Text,
  type Value,
  joined,
  list,
  object,
  type Origins,
  originsIn,
  text,
  UNDEFINED,
  valueOf,
  errorOf,
  type Fields,
  FRESH,
  PENDING,
} from "./values.js";
import { fits, itemsOf, step, type Visit, comeTo, placeOf, planCall } from "./visit.js";
import type { Work } from "./functions.js";
import type { HelperCall } from "./helpers.js";
import { bounded, hostOf, wordsOf } from "./textMethods.js";
import type { At } from "../program.js";
import type { PlannedCall, ProgramTool } from "../progress.js";

const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["map", " Write Object.fromEntries(map), or [...map]."],
  ["set", " Write [...set]."],
]);

interface Leaving {
  visit: Visit;
  origins: Set<string>;
  characters: number;
  /** For a person: texts contain their parts in words. */
  isTold?: boolean;
  /** As `JSON.stringify` writes it. */
  isJson?: boolean;
}

/** A value as JSON, with the places of all calls it came from. All of it must be known data. */
export function plainOf(value: Value, visit: Visit, form: Pick<Leaving, "isTold" | "isJson"> = {}) {
  const origins = new Set<string>();
  const data = plain(value, { visit, origins, characters: 0, ...form }, 0);
  return { data, origins: [...origins] };
}

export function toldText(value: Value, visit: Visit): string {
  const { asTruth } = visit.inputs;
  return valueText(plainOf(value, visit, { isTold: true }).data, asTruth);
}

/** The same for a message or log; what cannot be told is left out. */
export function glimpse(value: Value | undefined, visit: Visit): unknown {
  try {
    return value && plainOf(value, visit, { isTold: true }).data;
  } catch {
    return undefined;
  }
}

function plain(given: Value, leaving: Leaving, depth: number): unknown {
  if (depth > DEEPEST_ARGUMENTS)
    throw new Fault(`A value has lists and objects more than ${DEEPEST_ARGUMENTS} deep.`);
  step(leaving.visit, 1);
  const isAbsent = (part: Value) =>
    isUndefined(part) || (leaving.isJson === true && part.kind === "function");
  const value = ready(given);
  for (const place of value.origins) leaving.origins.add(place);
  switch (value.kind) {
    case "function":
    case "format":
    case "map":
    case "set":
      throw new Fault(
        `${kindOf(value).replace(/^./, (first) => first.toUpperCase())} is not a value that can be given to a tool or be an answer.${INSTEAD.get(value.kind) ?? ""}`,
      );
    case "pattern":
      return leaving.isJson ? {} : String(value.pattern);
    case "number":
      if (Number.isFinite(value.value)) return value.value;
      throw new Fault(`A value is ${value.value}, which is not a number.`, { value });
    case "bigint":
      if (leaving.isJson) throw typeError("JSON has no big integers: write String(value).", value);
      return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : String(value.value);
    case "text":
      return textOut(value, leaving, depth);
    case "list":
      return allOf(itemsOf(value, leaving.visit)).map(([at, item]) => {
        if (!isAbsent(item)) return plain(item, leaving, depth + 1);
        if (leaving.isJson) return null;
        throw new Fault(`Item ${at} of a list has no value (undefined).`, { value });
      });
    case "object":
      if (leaving.isJson && value.error !== undefined) return {};
      return Object.fromEntries(
        Object.entries(value.fields)
          .filter(([, field]) => !isAbsent(field))
          .map(([key, field]) => [key, plain(field, leaving, depth + 1)]),
      );
    case "date":
      return leaving.isJson ? new Date(momentOf(value).value).toISOString() : isoText(value);
    default:
      return value.value;
  }
}

function textOut(text: Text, leaving: Leaving, depth: number): string {
  if (!leaving.isTold || !text.parts) return counted(sound(text).value, leaving);
  return text.parts
    .map((part) => {
      if (typeof part === "string") return counted(part, leaving);
      if (part.kind === "nothing") return String(part.value);
      const { asTruth } = leaving.visit.inputs;
      return valueText(plain(part, leaving, depth + 1), asTruth);
    })
    .join("");
}

/** Counts each occurrence, because a list may repeat a text a thousand times. */
function counted(text: string, leaving: Leaving): string {
  leaving.characters += text.length;
  fits(leaving.characters, leaving.visit);
  return text;
}

/** `JSON.stringify`: what has no JSON, such as a function, is left out, and null in lists. */
export function jsonOf(
  given: Value,
  { keys, space }: { keys?: string[] | undefined; space: Value },
  { origins, work, visit }: HelperCall,
): Value {
  const value = work ? passed(given, { work, visit, isInsideFirst: false }) : given;
  if (isUndefined(value) || value.kind === "function") return { ...UNDEFINED, origins };
  const { data } = plainOf(value, visit, { isJson: true });
  const width = space.kind === "nothing" ? 0 : hostOf(space);
  const made = JSON.stringify(data, keys, width as number);
  return bounded(made, joined([origins, originsIn(value)]), visit);
}

/** `JSON.parse`. What is not a text is what the text would have been: functions give values. */
export function jsonIn(given: Value, { origins, work, visit }: HelperCall): Value {
  const value = given.kind === "text" ? parsed(sound(given).value, origins, visit) : given;
  return work ? passed(value, { work, visit, isInsideFirst: true }) : value;
}

function parsed(words: string, origins: Origins, visit: Visit): Value {
  step(visit, words.length);
  try {
    return valueOf(JSON.parse(words), origins);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Fault(`A text is not JSON (${error.message}).`, {
      value: text(words, origins),
      thrownAs: "SyntaxError",
    });
  }
}

/** A value with what a function gives for each part of it, by its key. */
function passed(
  whole: Value,
  { work, visit, isInsideFirst }: { work: Work; visit: Visit; isInsideFirst: boolean },
): Value {
  let turn = 0;
  const inside = (value: Value): Value => {
    if (value.kind === "list") {
      const items = allOf(itemsOf(value, visit)).map(([at, item]) => through(String(at), item));
      return list(items, value.origins);
    }
    if (value.kind !== "object" || value.error !== undefined) return value;
    const fields = Object.entries(value.fields).map(([key, field]): [string, Value] => [
      key,
      through(key, field),
    ]);
    return object(
      fields.filter(([, field]) => !isUndefined(field)),
      value.origins,
    );
  };
  const through = (key: string, given: Value): Value => {
    const value = ready(given);
    if (isInsideFirst) return ready(work(turn++, text(key), inside(value)));
    const shown = value.kind === "date" ? new Date(momentOf(value).value).toISOString() : undefined;
    const next = work(turn++, text(key), shown === undefined ? value : text(shown, value.origins));
    return inside(ready(next));
  };
  return through("", whole);
}

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
