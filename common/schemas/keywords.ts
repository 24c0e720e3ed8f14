/** JSON Schema keywords that hold schemas by name: their keys are the user's names, not keywords. */
export const SCHEMA_MAPS: readonly string[] = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
];
