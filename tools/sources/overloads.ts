import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { ParametersSchema } from "../tool.js";
import { parametersSchema } from "./parametersSchema.js";
import type { SignatureReading } from "./readSignature.js";
import { anySchema } from "./typeSchema.js";

/**
 * Joins the overloads of a function into one: the parameters of all overloads, with `anyOf` if types differ, each
 * required only if all overloads require it.
 *
 * @returns the joined reading; with a problem if the overloads cannot be called in one way, because parameters at the
 *   same position have different names or only some overloads take an object
 */
export function mergeOverloads(
  readings: readonly [SignatureReading, ...SignatureReading[]],
): SignatureReading {
  const [first, ...others] = readings;
  if (others.length === 0) return first;
  const longest = readings.reduce((left, right) =>
    right.parameterNames.length > left.parameterNames.length ? right : left,
  );
  const problems = readings.flatMap((reading) => reading.problems);
  const conflict = problems.length === 0 ? callConflict(readings) : undefined;
  const parameters = mergeParameters(readings.map((reading) => reading.parameters));
  return {
    ...longest,
    parameters,
    parameterNames: Object.keys(parameters.properties),
    problems: conflict === undefined ? problems : [{ node: undefined, problem: conflict }],
  };
}

function mergeParameters(schemas: readonly ParametersSchema[]): ParametersSchema {
  const names = new Set(schemas.flatMap((schema) => Object.keys(schema.properties)));
  const properties: Record<string, JsonSchema> = {};
  for (const name of names) {
    const given = schemas.map((schema) => schema.properties[name]);
    properties[name] = mergeProperty(given.filter((schema) => schema !== undefined));
  }
  const required = [...names].filter((name) =>
    schemas.every((schema) => schema.required?.includes(name)),
  );
  const defs = Object.assign({}, ...schemas.map((schema) => schema.$defs)) as object;
  const merged = parametersSchema(properties, required);
  return Object.keys(defs).length === 0 ? merged : { ...merged, $defs: defs };
}

/** Keeps the description outside `anyOf`, so that it occurs once. */
function mergeProperty(schemas: readonly JsonSchema[]): JsonSchema {
  const text = schemas.map((schema) => schema.description).find((found) => found !== undefined);
  const plain = schemas.map((schema): JsonSchema => {
    const { description, ...rest } = schema;
    return description === text ? rest : schema;
  });
  const merged = anySchema(plain);
  return text === undefined ? merged : { ...merged, description: text };
}

const ADVICE = "export them as separate functions";

function callConflict(readings: readonly SignatureReading[]): string | undefined {
  const [first, ...others] = readings;
  if (first === undefined) return undefined;
  const sameStyle = others.every(
    (other) => other.callStyle === first.callStyle && other.takesContext === first.takesContext,
  );
  if (!sameStyle) return `its overloads are not called in the same way; ${ADVICE}`;
  const sharesPlaces = first.callStyle === "positional";
  return (sharesPlaces ? placeConflict(readings) : undefined) ?? defsConflict(readings);
}

function placeConflict(readings: readonly SignatureReading[]): string | undefined {
  const places = new Map<number, string>();
  for (const { parameterNames, rest } of readings) {
    for (const [index, name] of parameterNames.entries()) {
      const label = rest && index === parameterNames.length - 1 ? `...${name}` : name;
      const other = places.get(index) ?? label;
      if (other !== label) {
        return `its overloads call parameter ${index + 1} "${other}" and "${label}"; use one name or ${ADVICE}`;
      }
      places.set(index, label);
    }
  }
  return undefined;
}

function defsConflict(readings: readonly SignatureReading[]): string | undefined {
  const known = new Map<string, string>();
  for (const { parameters } of readings) {
    for (const [name, schema] of Object.entries(parameters.$defs ?? {})) {
      const text = JSON.stringify(schema);
      if ((known.get(name) ?? text) !== text) {
        return `its overloads use two recursive types named ${name}; rename one or ${ADVICE}`;
      }
      known.set(name, text);
    }
  }
  return undefined;
}
