/** Keywords of JSON Schema that hold schemas by name: their keys are names of the user's and no keywords. */
export const SCHEMA_MAPS: readonly string[] = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
];
