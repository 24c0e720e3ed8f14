import { schemaExcess } from "../../common/schemas/size.js";
import { FLOW_FORM, readFlow, type ToolFlow } from "../flow/labels.js";
import type { ParametersSchema, ToolDefinition } from "../tool.js";

type Settings = Pick<ToolDefinition, "effects" | "cost" | "timeoutMs" | "approval"> & ToolFlow;

/**
 * The settings that a tool of a kit carries for us, and those that are unusable.
 *
 * @param options.place where they stand, for whoever has to mend them: "metadata"
 */
export function readSettings({
  place,
  values: metadata,
}: {
  place: string;
  values: Record<string, unknown>;
}): { values: Settings; problems: string[] } {
  const problems = SETTINGS.flatMap(({ key, wants, fits }) => {
    const value = metadata[key];
    return value === undefined || fits(value)
      ? []
      : [`has ${place}.${key} ${JSON.stringify(value)}; it wants ${wants}`];
  });
  const given = SETTINGS.filter(({ key, fits }) => fits(metadata[key]));
  const values = Object.fromEntries(given.map(({ key }) => [key, metadata[key]]));
  return { values: { effects: "write", ...values, ...readFlow(metadata["flow"]) }, problems };
}

const SETTINGS: readonly {
  key: keyof Settings;
  wants: string;
  fits: (value: unknown) => boolean;
}[] = [
  {
    key: "effects",
    wants: '"read" or "write"',
    fits: (value) => value === "read" || value === "write",
  },
  {
    key: "cost",
    wants: "a number of budget units, 0 or more",
    fits: (value) => Number.isFinite(value) && Number(value) >= 0,
  },
  {
    key: "timeoutMs",
    wants: "a number of milliseconds above 0",
    fits: (value) => Number.isFinite(value) && Number(value) > 0,
  },
  { key: "approval", wants: "true or false", fits: (value) => typeof value === "boolean" },
  { key: "flow", wants: FLOW_FORM, fits: (value) => readFlow(value) !== undefined },
];

/** A schema as a tool's parameters: an object with `properties`, without the dialect's address. */
export function rootSchema(
  schema: unknown,
): { parameters: ParametersSchema } | { problem: string } {
  if (!isRecord(schema) || schema.type !== "object") {
    return { problem: "takes no object; its schema has to be an object with named properties" };
  }
  const excess = schemaExcess(schema);
  if (excess !== undefined) return { problem: `cannot be used: ${excess}` };
  const { $schema: _dialect, properties = {}, ...rest } = schema;
  return { parameters: { ...rest, properties } as ParametersSchema };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
