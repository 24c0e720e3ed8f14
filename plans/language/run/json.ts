import type { Work } from "./functions.js";
import type { HelperCall } from "./helpers.js";
import { momentOf } from "./moments.js";
import { plainOf } from "./plain.js";
import { Fault } from "./signals.js";
import { bounded, hostOf } from "./textMethods.js";
import {
  isUndefined,
  joined,
  list,
  object,
  type Origins,
  originsIn,
  ready,
  sound,
  text,
  UNDEFINED,
  type Value,
  valueOf,
} from "./values.js";
import { itemsOf, step, type Visit } from "./visit.js";

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
      const items = itemsOf(value, visit).map((item, at) => through(String(at), item));
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
