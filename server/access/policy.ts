import { readFileSync } from "node:fs";
import { z } from "zod";
import { InvalidSetting, UnknownName } from "../../common/errors.js";
import { contextSchema, parseContext } from "../../state/context.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { SCOPES } from "./caller.js";
import { LOCAL_NAMES } from "./webRules.js";

/** Bytes of a request's body, if the operator's file says nothing else. */
const LARGEST_BODY = 1024 * 1024;

/** Failed authentications of one address in a minute. */
const MOST_FAILURES = 60;

/** Seconds by which the clock of whoever issues tokens may differ. */
const CLOCK_TOLERANCE = 10;

/** Settings of a run with a number that an operator may bound from above: the more, the more a run may take. */
export const LIMITED_SETTINGS = [
  "maxModelCalls",
  "maxPlanCalls",
  "maxSeconds",
  "maxOutputTokens",
  "modelTimeoutMs",
  "toolTimeoutMs",
  "topK",
  "primingTopK",
  "maxDepth",
  "searchDepth",
  "taskDepth",
  "maxDrafts",
  "maxReflections",
  "maxReplans",
  "maxParaphrases",
  "demos",
] as const satisfies readonly (keyof typeof contextSchema.shape)[];

export type LimitedSetting = (typeof LIMITED_SETTINGS)[number];

const SETTINGS = Object.keys(contextSchema.shape);

const names = z.array(z.string().min(1));
const count = z.number().int().positive();
const scope = z.enum(SCOPES);
const setting = z.string().refine((name) => SETTINGS.includes(name), {
  error: `is no setting of a run; they are: ${SETTINGS.join(", ")}`,
});

const hostName = z
  .string()
  .regex(/^(\*\.)?[A-Za-z0-9.-]+$|^\[[0-9a-f:.]+\]$/i, {
    error: 'is no name of a host; write "agents.example.com" without a scheme and a port',
  })
  .transform((name) => name.toLowerCase());

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'is no origin; write "https://smith.langchain.com" without a path',
});

const jwksUrl = z.string().refine(isSafeUrl, {
  error: "must be an address that begins with https:// (http:// on this machine alone)",
});

export const policySchema = z.strictObject({
  authentication: z
    .enum(["on", "off"])
    .optional()
    .describe(
      "on: everybody needs a key or a token; off: nobody does; by default as docs/access.md says",
    ),
  hosts: z
    .array(hostName)
    .default([])
    .describe(
      "names by which the server is known, beside those of this machine; *.example.com for all below",
    ),
  origins: z
    .array(origin)
    .default([])
    .describe("web pages that may use the server, such as https://smith.langchain.com for Studio"),
  jwt: z
    .strictObject({
      jwks: jwksUrl.describe("address of the issuer's public keys"),
      issuer: z.string().min(1),
      audience: z.string().min(1),
      ownerClaim: z.string().default("sub").describe("claim that names the owner"),
      scopesClaim: z
        .string()
        .default("scope")
        .describe("claim with the scopes, as a list or with spaces between"),
      scopesPrefix: z.string().default("").describe("what stands before a scope there"),
      defaultScopes: z.array(scope).default([]).describe("scopes of a token without that claim"),
      toleranceSeconds: z.number().min(0).max(300).default(CLOCK_TOLERANCE),
    })
    .optional(),
  graphs: names.optional().describe("graphs that may be run; all when absent"),
  models: names.optional().describe("chat models, openai:* for all of a provider"),
  embeddings: names.optional().describe("embedding models, likewise"),
  libraries: z
    .strictObject({
      shared: names
        .default(Object.keys(CATALOGS))
        .describe("libraries that everybody sees; the catalogues that ship when absent"),
      writable: z
        .boolean()
        .default(false)
        .describe("whether runs may add tools and experience to shared libraries"),
    })
    .optional(),
  settings: z
    .array(setting)
    .optional()
    .describe("settings that a caller may choose; when absent, all but those that lift protection"),
  limits: z
    .strictObject({
      ...Object.fromEntries(LIMITED_SETTINGS.map((name) => [name, count.optional()])),
      usd: z.number().positive().optional().describe("dollars of a run"),
    } as Record<LimitedSetting | "usd", z.ZodOptional<z.ZodNumber>>)
    .prefault({}),
  force: z.record(setting, z.unknown()).default({}).describe("settings that hold for every run"),
  budgets: z
    .strictObject({
      runs: count.optional(),
      tokens: count.optional(),
      usd: z.number().positive().optional(),
      whenUsedUp: z.enum(["refuse", "ask"]).default("refuse"),
    })
    .optional()
    .describe("what a caller may use on a day (UTC)"),
  requestsPerMinute: count.optional().describe("requests of a caller, in each process"),
  failuresPerMinute: count
    .default(MOST_FAILURES)
    .describe("failed authentications of an address, in each process"),
  bodyBytes: count.default(LARGEST_BODY),
  runs: z
    .strictObject({
      perCaller: count.optional().describe("runs of a caller that run or wait for their turn"),
      inAll: count.optional().describe("the same of all callers"),
    })
    .prefault({}),
});

/** The operator's file: what callers may do, and how much of it. */
export type Policy = z.infer<typeof policySchema>;

/**
 * Reads the operator's file.
 *
 * @param file its path; the defaults when absent
 * @throws InvalidSetting for a file that cannot be read or a field with an unusable value, UnknownName for a field
 * that there is not; both name the field
 * @example
 * const { limits } = readPolicy("serve.json");
 */
export function readPolicy(file?: string): Policy {
  if (file === undefined) return policySchema.parse({});
  const parsed = policySchema.safeParse(readJson(file));
  if (!parsed.success) throw unusable(file, parsed.error);
  requireSettings(file, parsed.data.force);
  return parsed.data;
}

/** Whether a policy says what a caller may choose or use. */
export function isCapping(policy: Policy): boolean {
  const { graphs, models, embeddings, libraries, settings, budgets, limits, force } = policy;
  return (
    [graphs, models, embeddings, libraries, settings, budgets].some((part) => part !== undefined) ||
    Object.keys({ ...limits, ...force }).length > 0
  );
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw fault({ file, problem: `cannot be read (${reason})`, hint: "Name a JSON file" });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw fault({ file, problem: `is not JSON (${reason})`, hint: FORM });
  }
}

const FORM = "docs/access.md has an example with every field";

function unusable(file: string, { issues: [issue] }: z.ZodError): Error {
  const field = issue?.path.join(".") ?? "";
  if (issue?.code === "unrecognized_keys") {
    const known = issue.path.reduce<object>(
      (schema, name) => fieldsOf(Reflect.get(schema, String(name))),
      policySchema.shape,
    );
    const wanted = issue.keys[0] ?? "";
    return new UnknownName({
      kind: `field of ${file}${field ? ` in ${field}` : ""}`,
      wanted,
      available: Object.keys(known),
    });
  }
  const problem = `${field || "the whole"}: ${issue?.message ?? "is not valid"}`;
  return fault({ file, problem, hint: FORM });
}

/** The fields of an object's schema, behind the wrappers of an optional one. */
function fieldsOf(schema: unknown): object {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodPrefault) inner = inner.unwrap();
  return inner instanceof z.ZodObject ? inner.shape : {};
}

/** Settings that are forced on every run must be ones that a run takes. */
function requireSettings(file: string, force: Record<string, unknown>): void {
  try {
    parseContext(force);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw fault({ file, problem: `force: ${problem}`, hint: FORM });
  }
}

function fault(details: { file: string; problem: string; hint: string }): InvalidSetting {
  const { file, problem, hint } = details;
  return new InvalidSetting({ setting: file, problem, hint });
}

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && LOCAL_NAMES.has(hostname));
}
