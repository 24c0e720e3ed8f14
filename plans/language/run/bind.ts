import type { Expression, Pattern } from "../program.js";
import { store } from "./assign.js";
import { evaluate, knownField } from "./evaluateExpression.js";
import { entriesOf } from "./helpers.js";
import { without } from "./signals.js";
import { wordsOf } from "./textMethods.js";
import { isUndefined, list, object, ready, type Scope, UNDEFINED, type Value } from "./values.js";
import { iterate, type Visit } from "./visit.js";

interface Bound {
  pattern: Pattern;
  otherwise: Expression | undefined;
}

/** Gives a new name its value, or several names the parts of it. */
export function bind(bound: Bound, given: Value, scope: Scope, visit: Visit): void {
  const give = (name: string, value: Value) => void scope.names.set(name, value);
  spread(bound, given, { scope, visit, give });
}

/** Takes a value apart, for names and other targets. */
export function spread({ pattern, otherwise }: Bound, given: Value, to: Giving): void {
  const { scope, visit, give } = to;
  const value = otherwise && isUndefined(given) ? evaluate(otherwise, scope, visit) : given;
  if (pattern.kind === "name") give(pattern.name, value);
  else if (pattern.kind === "target") store(pattern.target, value, scope, visit);
  else {
    // A key may use a name that the part before it gives a value.
    const parts =
      value.kind === "pending"
        ? innerOf(pattern).map((part): [Bound, Value] => [{ ...part, otherwise: undefined }, value])
        : partsOf(pattern, value, to);
    for (const [bound, part] of parts) spread(bound, part, to);
  }
}

interface Giving {
  scope: Scope;
  visit: Visit;
  give: (name: string, value: Value) => void;
}

type Whole = Exclude<Pattern, { kind: "name" | "target" }>;

function innerOf(pattern: Whole): Bound[] {
  const { rest } = pattern;
  const parts: (Bound | undefined)[] = pattern.kind === "items" ? pattern.items : pattern.fields;
  return [...parts, rest && { pattern: rest, otherwise: undefined }].filter(
    (part) => part !== undefined,
  );
}

function* partsOf(
  pattern: Whole,
  whole: Value,
  { scope, visit }: Giving,
): Generator<[Bound, Value]> {
  const value = ready(whole);
  const rest = pattern.rest && { pattern: pattern.rest, otherwise: undefined };
  if (pattern.kind === "items") {
    const items = [...iterate(value, visit)];
    for (const [at, item] of pattern.items.entries()) {
      if (item) yield [item, items[at] ?? UNDEFINED];
    }
    if (rest) yield [rest, list(items.slice(pattern.items.length), value.origins)];
    return;
  }
  const fields = fieldsOf(value, visit);
  const items = new Map(value.kind === "object" ? [] : fields);
  const keys = new Set<string>();
  for (const field of pattern.fields) {
    const { key: written } = field;
    const key = typeof written === "string" ? written : wordsOf(evaluate(written, scope, visit));
    keys.add(key);
    const missing = { ...UNDEFINED, origins: value.origins };
    yield [field, items.get(key) ?? knownField(value, key) ?? missing];
  }
  if (rest)
    yield [
      rest,
      object(
        fields.filter(([key]) => !keys.has(key)),
        value.origins,
      ),
    ];
}

function fieldsOf(value: Value, visit: Visit): [string, Value][] {
  if (value.kind === "list" || value.kind === "text" || value.kind === "object")
    return entriesOf(value, visit);
  if (value.kind !== "nothing") return [];
  throw without({ line: 0, kind: "literal", value: null }, value, "no fields");
}
