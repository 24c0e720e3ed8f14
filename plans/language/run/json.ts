import type { HelperCall } from "./helpers.js";
import { plainOf } from "./plain.js";
import { Fault } from "./signals.js";
import { bounded, hostOf, wordsOf } from "./textMethods.js";
import {
  isUndefined,
  joined,
  type Origins,
  originsIn,
  sound,
  text,
  UNDEFINED,
  type Value,
  valueOf,
} from "./values.js";
import { step, type Visit } from "./visit.js";

const NO_FUNCTION = "JSON takes no function here: change the value itself.";

/** `JSON.stringify`: what has no JSON, such as a function, is left out, and null in lists. */
export function jsonOf(
  value: Value,
  [only, space]: [Value, Value],
  { origins, work, visit }: HelperCall,
): Value {
  if (work) throw new Fault(NO_FUNCTION);
  const keys = only.kind === "list" ? only.items.map(wordsOf) : undefined;
  if (isUndefined(value) || value.kind === "function") return { ...UNDEFINED, origins };
  const { data } = plainOf(value, visit, { isJson: true });
  const width = space.kind === "nothing" ? 0 : hostOf(space);
  const made = JSON.stringify(data, keys, width as number);
  return bounded(made, joined([origins, originsIn(value)]), visit);
}

/** `JSON.parse`. What is not a text is what the text would have been: functions give values. */
export function jsonIn(given: Value, { origins, work, visit }: HelperCall): Value {
  if (work) throw new Fault(NO_FUNCTION);
  return given.kind === "text" ? parsed(sound(given).value, origins, visit) : given;
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
