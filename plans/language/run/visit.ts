import { counted } from "../../../common/text.js";
import type { Outcome, PlannedCall, ProgramInputs, ProgramTool, Progress } from "../progress.js";
import type { Reach } from "./reach.js";
import { Fault, typeError } from "./signals.js";
import {
  asList,
  type Callback,
  type Failed,
  kindOf,
  list,
  type List,
  sound,
  text,
  UNDEFINED,
  type Value,
} from "./values.js";

export interface ProgramLimits {
  steps: number;
  characters: number;
  items: number;
  /** Of loops and functions within each other, and so of recursion. */
  depth: number;
  /** For all matching of regular expressions in one pass, in milliseconds. */
  matching: number;
  calls: number;
}

export const PROGRAM_LIMITS: ProgramLimits = {
  steps: 500_000,
  characters: 1_000_000,
  items: 100_000,
  depth: 200,
  matching: 200,
  calls: 1_000,
};

/** One pass through a program, from the start to where it cannot continue. */
export class Visit {
  readonly tools: ReadonlyMap<string, ProgramTool>;
  readonly reaches = new Map<object, Reach>();
  /** The program's functions that a value may be. */
  readonly functions: Callback[] = [];
  /** Calls that have failed before anything waited for them. */
  readonly failures: Failed[] = [];
  steps = 0;
  /** Time that was spent on regular expressions. */
  matched = 0;
  /** Current iterations of loops and callbacks, and calls of the program's functions, outermost first. */
  readonly turns: (number | string)[] = [];
  /** Places reached: made calls, calls to make, looks. */
  reached = 0;
  /** Of these, those without an outcome. */
  open = 0;
  /** Whether a pending write may precede what comes next, which could change what is read. */
  mayWrite = false;
  /** What was logged so far. */
  readonly logs: { value: Value; isError: boolean }[] = [];
  readonly calls: PlannedCall[] = [];
  readonly writes: PlannedCall[] = [];
  complete = true;
  readonly counts: Record<string, number> = {};
  look: Progress["look"];
  need: Progress["need"];

  constructor(
    readonly inputs: ProgramInputs,
    readonly limits: ProgramLimits,
  ) {
    this.tools = new Map(inputs.tools.map((tool) => [tool.name, tool]));
  }
}

/** Copying and comparing is cheap: this many items or characters count as one step. */
const CHEAP = 256;

/** @param items how many items or characters are processed at once */
export function step(visit: Visit, items = CHEAP): void {
  visit.steps += Math.ceil(items / CHEAP);
  if (visit.steps <= visit.limits.steps) return;
  throw new Fault(
    `The program takes more than ${counted(visit.limits.steps)} steps. Go through less data, and let every loop end.`,
  );
}

/** Refuses a too long text before it is made. */
export function fits(characters: number, { limits }: Visit): void {
  if (characters <= limits.characters) return;
  throw new Fault(`A text has more than ${counted(limits.characters)} characters.`);
}

export function itemsOf(list: List, visit: Visit): readonly Value[] {
  fitsList(list.size, visit);
  step(visit, list.size);
  return list.items;
}

/**
 * What a value gives one after the other: the items of a list, or of the list in a result, the characters of a text,
 * what a Map or Set holds. What is added meanwhile is given, too.
 */
export function* iterate(value: Value, visit: Visit): Generator<Value> {
  const whole = asList(value);
  if (whole) {
    fitsList(whole.size, visit);
    for (let at = 0; at < whole.size; at += 1) {
      step(visit, 1);
      yield whole.items[at] ?? UNDEFINED;
    }
  } else if (value.kind === "text") {
    for (const character of sound(value).value) {
      step(visit, 1);
      yield text(character, value.origins);
    }
  } else if (value.kind === "map") {
    for (const pair of value.entries.values()) yield list(pair, value.origins);
  } else if (value.kind === "set") for (const [one] of value.entries.values()) yield one;
  else throw typeError(`A list is needed here, and this is ${kindOf(value)}.`, value);
}

export function fitsList(size: number, { limits }: Visit): void {
  if (size <= limits.items) return;
  throw new Fault(`A list has more than ${counted(limits.items)} items.`);
}

/** The same in each visit: the site in the text and the iterations around it. */
export function placeOf(site: number, visit: Visit): string {
  return [site, ...visit.turns].join(":");
}

export function inTurn<T>(turn: number | string, visit: Visit, work: () => T): T {
  if (visit.turns.length >= visit.limits.depth) {
    throw new Fault(
      `Loops and functions are more than ${visit.limits.depth} deep within each other. Recursion has to end sooner.`,
    );
  }
  step(visit);
  visit.turns.push(turn);
  try {
    return work();
  } finally {
    visit.turns.pop();
  }
}

/** Starts items together: a possible write of one does not keep the others from reading. */
export function atOnce<T>(visit: Visit, works: readonly (() => T)[]): T[] {
  const before = visit.mayWrite;
  let mayWrite = before;
  const results = works.map((work) => {
    visit.mayWrite = before;
    const result = work();
    mayWrite ||= visit.mayWrite;
    return result;
  });
  visit.mayWrite = mayWrite;
  return results;
}

export function comeTo(tool: ProgramTool, place: string, visit: Visit): Outcome | undefined {
  visit.reached += 1;
  if (visit.reached > visit.limits.calls) {
    throw new Fault(
      `The program makes more than ${counted(visit.limits.calls)} calls of tools. Make fewer.`,
    );
  }
  visit.counts[tool.id] = (visit.counts[tool.id] ?? 0) + 1;
  return visit.inputs.outcomes.get(place);
}

/**
 * Plans a call without an outcome if nothing before it can change it: a read together with other reads, a write
 * once everything before it has an outcome.
 *
 * @param call undefined if its arguments are not known yet
 */
export function planCall(call: PlannedCall | undefined, { effects }: ProgramTool, visit: Visit) {
  const isFirst = visit.open === 0;
  visit.open += 1;
  if (effects === "read") {
    if (call && (!visit.mayWrite || visit.inputs.ahead)) visit.calls.push(call);
    return;
  }
  visit.mayWrite = true;
  if (!call) visit.complete = false;
  else visit.writes.push(call);
  if (call && isFirst) visit.calls.push(call);
}
