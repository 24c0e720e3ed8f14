import type { JsonSchema } from "../../../../common/schemas/jsonSchema.js";

const FORMATS: Record<string, string> = {
  "date-time": "2026-03-01T12:00:00Z",
  date: "2026-03-01",
  time: "12:00:00Z",
  email: "ada@example.org",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "127.0.0.1",
  ipv6: "::1",
};

/** For each pattern in GitHub's document, one of them fits. */
const PATTERNED = [
  "x",
  "1.0.0",
  "https://example.org",
  "AAAA",
  `sha256:${"0".repeat(64)}`,
  "0".repeat(40),
  "refs/heads/main",
  "ssh-rsa x",
];

/** A minimal value for a schema: what is required, nothing else. */
export function sampleOf(schema: JsonSchema): unknown {
  const { type, enum: values, anyOf, format, minLength, minimum, pattern } = schema;
  if (schema["const"] !== undefined) return schema["const"];
  if (Array.isArray(values)) return values.find((value) => value !== null && value !== "");
  if (Array.isArray(anyOf) && type === undefined) return sampleOf(anyOf[0] as JsonSchema);
  const kind: unknown = Array.isArray(type) ? type.find((each) => each !== "null") : type;
  if (kind === "object" || schema["properties"] !== undefined) return objectOf(schema);
  if (kind === "array") {
    const count = Number(schema["minItems"] ?? 1);
    return Array.from({ length: count }, () => sampleOf((schema["items"] ?? {}) as JsonSchema));
  }
  if (kind === "integer" || kind === "number") return Number(minimum ?? 1);
  if (kind === "boolean") return true;
  if (typeof pattern === "string") return PATTERNED.find((text) => new RegExp(pattern).test(text));
  return FORMATS[String(format)] ?? "x".repeat(Math.max(1, Number(minLength ?? 1)));
}

function objectOf({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  const names = required as string[];
  const schemas = properties as Record<string, JsonSchema>;
  return Object.fromEntries(names.map((name) => [name, sampleOf(schemas[name] ?? {})]));
}
