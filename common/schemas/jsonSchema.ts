/** A JSON Schema as it is sent to model providers; the root of a tool's parameters is an object. */
export type JsonSchema = { [keyword: string]: unknown };

/** The values of `type`. */
export const JSON_TYPES: ReadonlySet<unknown> = new Set(
  "object array string number integer boolean null".split(" "),
);
