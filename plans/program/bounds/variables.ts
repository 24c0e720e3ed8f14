import {
  type Bound,
  NONE,
  perhaps,
  plus,
  times,
  anything,
  eitherShape,
  type Shape,
} from "./lengths.js";
import type { Expression, Pattern, Statement } from "../program.js";
import { shapeOf } from "./shapes.js";
import { maybe, type Walk } from "./walk.js";

export interface Scope {
  names: Map<string, Shape | Pattern>;
  outer: Scope | undefined;
}

/** What reassigned variables hold, by declaration. */
export interface Variables {
  /** Names reassigned anywhere. */
  assigned: ReadonlySet<string>;
  found: Map<Pattern, Variable>;
  /** From the previous walk; undefined in the first. */
  known: ReadonlyMap<Pattern, Variable> | undefined;
}

export interface Variable {
  /** How often it is declared, which resets it. */
  declared: Bound;
  values: Shape[];
  /** Items appended to its list, and how many. */
  added: Shape[];
  grown: Bound;
}

/** Binds names to the shape of their values. */
export function bind(pattern: Pattern, shape: Shape, walk: Walk): void {
  if (pattern.kind === "name") return declare(pattern, shape, walk);
  const parts =
    pattern.kind === "fields"
      ? pattern.fields.map(({ key, ...part }) => ({ ...part, shape: shape.field(key) }))
      : pattern.items.flatMap((part) => (part ? [{ ...part, shape: shape.item() }] : []));
  for (const { pattern: inner, otherwise, shape: part } of parts) {
    bind(inner, otherwise ? eitherShape([part, maybe(otherwise, walk)]) : part, walk);
  }
  if (pattern.rest === undefined) return;
  const rest = pattern.kind === "items" ? shape : anything("the length of a list in the rest");
  declare({ kind: "name", name: pattern.rest }, { ...rest, length: perhaps(rest.length) }, walk);
}

function declare(pattern: Extract<Pattern, { kind: "name" }>, shape: Shape, walk: Walk): void {
  const { variables, scope } = walk;
  if (!variables.assigned.has(pattern.name)) {
    scope.names.set(pattern.name, shape);
    return;
  }
  scope.names.set(pattern.name, pattern);
  const variable = variables.found.get(pattern);
  variables.found.set(pattern, {
    declared: plus(variable?.declared ?? NONE, walk.times),
    values: [...(variable?.values ?? []), shape],
    added: variable?.added ?? [],
    grown: variable?.grown ?? NONE,
  });
}

export function assign(statement: Extract<Statement, { kind: "assign" }>, walk: Walk): void {
  const { name, value } = statement;
  const shape = shapeOf(value, walk);
  const pattern = find(name, walk.scope);
  const variable = pattern && "kind" in pattern ? walk.variables.found.get(pattern) : undefined;
  if (!variable) return;
  const added = appended(statement);
  if (!added) variable.values.push(shape);
  else {
    variable.grown = plus(variable.grown, times(walk.times, exactly(added.length)));
    variable.added.push(shape.item());
  }
}

function exactly(many: number): Bound {
  return { least: many, most: many };
}

/** The items appended to a list: `all = [...all, one, other]`, as `all.push(one, other)` is read. */
function appended({ name, value }: { name: string; value: Expression }): Expression[] | undefined {
  if (value.kind !== "list") return undefined;
  const [first, ...others] = value.items;
  if (!first || !("spread" in first)) return undefined;
  if (first.spread.kind !== "name" || first.spread.name !== name) return undefined;
  const items = others.filter((item) => "kind" in item);
  return items.length === others.length ? items : undefined;
}

/** The shape of a name's value. */
export function named(name: string, walk: Walk): Shape {
  const found = find(name, walk.scope);
  if (!found) return anything(`the length of ${name}`);
  if (!("kind" in found)) return found;
  const variable = walk.variables.known?.get(found);
  return variable ? held(variable, name) : anything(`the length of ${name}`);
}

function find(name: string, scope: Scope | undefined): Shape | Pattern | undefined {
  return scope && (scope.names.get(name) ?? find(name, scope.outer));
}

/** What a variable may hold at any time. */
function held({ values, added, grown, declared }: Variable, name: string): Shape {
  const [first, ...others] = values;
  if (!first) return anything(`the length of ${name}`);
  const whole = eitherShape([first, ...others]);
  if (added.length === 0) return { ...whole, literal: undefined };
  // If it is reset in each iteration, it only grows within one.
  const most = grown.most === 0 ? 0 : grown.most / Math.max(1, declared.most);
  const growth: Bound = Number.isFinite(most)
    ? { least: 0, most: Math.ceil(most) }
    : { ...grown, least: 0, most: Infinity };
  return {
    ...whole,
    isOne: false,
    literal: undefined,
    length: perhaps(plus(whole.length, unknownWhere(growth, name))),
    item: () => eitherShape([whole.item(), ...added]),
  };
}

function unknownWhere(bound: Bound, name: string): Bound {
  if (Number.isFinite(bound.most) || bound.unknown) return bound;
  return { ...bound, unknown: { by: `the length of ${name}` } };
}
