/** A JSON Schema as it is sent to model providers; the root of a tool's parameters is an object. */
export type JsonSchema = { [keyword: string]: unknown };
