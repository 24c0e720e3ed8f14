import type { Expression } from "../program.js";
import { Fault } from "./signals.js";
import { kindOf, type Value } from "./values.js";

/** A fault that says which part of the code lacks what. */
export function without(expression: Expression, value: Value, lack: string): Fault {
  const where = said(expression);
  const problem =
    value.kind === "nothing"
      ? `${where} is ${String(value.value)} here, so it has ${lack}. Test for it first.`
      : `${where} is ${kindOf(value)} here, and it has ${lack}.`;
  return new Fault(problem, { value });
}

/** A name for a part of the code, for messages. */
export function said(expression: Expression): string {
  const words = chain(expression);
  return words ? `\`${words}\`` : "This value";
}

/** Undefined if there is no short name. */
export function chain(expression: Expression): string | undefined {
  if (expression.kind === "name") return expression.name;
  if (expression.kind === "tool") return `${expression.name}(…)`;
  if (expression.kind !== "field" && expression.kind !== "item" && expression.kind !== "method") {
    return undefined;
  }
  const of = chain(expression.of);
  if (of === undefined) return undefined;
  if (expression.kind === "field") return `${of}.${expression.key}`;
  return expression.kind === "item" ? `${of}[…]` : `${of}.${expression.name}(…)`;
}
