import type { Expression, Pattern } from "../program.js";
import { evaluate, ownField, spreadItems } from "./evaluateExpression.js";
import { entriesOf } from "./helpers.js";
import { isUndefined, list, number, object, UNDEFINED, type Scope, type Value } from "./values.js";
import type { Visit } from "./visit.js";

/** Gives a new name its value, or several names the parts of it. */
export function bind(pattern: Pattern, value: Value, scope: Scope, visit: Visit): void {
  if (pattern.kind === "name") {
    scope.names.set(pattern.name, value);
    return;
  }
  for (const [inner, part, otherwise] of partsOf(pattern, value, visit)) {
    bind(
      inner,
      isUndefined(part) && otherwise ? evaluate(otherwise, scope, visit) : part,
      scope,
      visit,
    );
  }
}

type Part = [Pattern, Value, Expression | undefined];

function partsOf(pattern: Exclude<Pattern, { kind: "name" }>, value: Value, visit: Visit): Part[] {
  const isPending = value.kind === "pending";
  const rest = (part: () => Value): Part[] =>
    pattern.rest === undefined
      ? []
      : [[{ kind: "name", name: pattern.rest }, isPending ? value : part(), undefined]];
  if (pattern.kind === "items") {
    const items = isPending ? [] : spreadItems(value, visit);
    return [
      ...pattern.items.flatMap((item, at): Part[] =>
        item ? [[item.pattern, isPending ? value : (items[at] ?? UNDEFINED), item.otherwise]] : [],
      ),
      ...rest(() => list(items.slice(pattern.items.length), value.origins)),
    ];
  }
  const fields = isPending ? {} : Object.fromEntries(fieldsOf(value, visit));
  const taken = new Set(pattern.fields.map(({ key }) => key));
  return [
    ...pattern.fields.map(({ key, pattern, otherwise }): Part => {
      const field = ownField(fields, key) ?? { ...UNDEFINED, origins: value.origins };
      return [pattern, isPending ? value : field, otherwise];
    }),
    ...rest(() =>
      object(
        Object.entries(fields).filter(([key]) => !taken.has(key)),
        value.origins,
      ),
    ),
  ];
}

function fieldsOf(value: Value, visit: Visit): [string, Value][] {
  if (value.kind === "list") return [["length", number(value.size, value.origins)]];
  return entriesOf(value, visit);
}
