import { z } from "zod";
import { InvalidSetting, UnknownName, messageOf } from "../../common/errors.js";
// Both register the providers that ship.
// oxlint-disable-next-line import/no-unassigned-import
import "../../models/chat/chat.js";
// oxlint-disable-next-line import/no-unassigned-import
import "../../models/embeddings/embeddings.js";
import { chatProvider, embeddingsProvider } from "../../models/providers.js";
import { fileText } from "../../common/dataFile.js";
import { fieldProblem } from "../../common/schemas/issueText.js";
import { graphNames } from "../../graphs/ownGraphs.js";
import { settingsSchema, parseSettings } from "../../state/settings.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { forbidden } from "../problem.js";
import { SCOPES } from "./caller.js";
import { fits, grantForm } from "./grants.js";

/** Names by which a machine means itself, as they are written in URLs. */
export const LOCAL_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

const LARGEST_BODY = 1024 * 1024;

/** Failed authentications of one address in a minute. */
const MOST_FAILURES = 60;

/** Seconds by which the token issuer's clock may differ. */
const CLOCK_TOLERANCE = 10;

/** Numeric settings that an operator may bound from above: the larger they are, the more a run may use. */
export const LIMITED_SETTINGS = [
  "maxModelCalls",
  "maxSeconds",
  "maxOutputTokens",
  "modelTimeoutMs",
  "toolTimeoutMs",
  "topK",
  "primingTopK",
  "maxDepth",
  "demos",
] as const satisfies readonly (keyof typeof settingsSchema.shape)[];

const SETTINGS = Object.keys(settingsSchema.shape);

const names = z.array(z.string().min(1));
const count = z.number().int().positive();
const scope = z.enum(SCOPES);
const setting = z.string().refine((name) => SETTINGS.includes(name), {
  error: ({ input }) =>
    new UnknownName({ kind: "setting", wanted: String(input), available: SETTINGS }).message,
});

/** The name of a graph, or the beginning of some: `react*`. */
const graph = z.string().refine((form) => graphNames().some((name) => fits(name, form)), {
  error: ({ input }) =>
    new UnknownName({ kind: "graph", wanted: String(input), available: graphNames() }).message,
});

/** Settings that are forced on every run must be valid. */
function requireSettings(force: Record<string, unknown>, context: z.RefinementCtx): void {
  try {
    parseSettings(force);
  } catch (error) {
    context.addIssue(messageOf(error));
  }
}

/** Names of models, whose provider must be known; `*` stands for any end of a name. */
const models = (provider: (spec: string) => unknown) =>
  z.array(
    z.string().superRefine((form, context) => {
      // Without a colon, it stands for several providers.
      if (/^[^:]*\*$/.test(form)) return;
      try {
        provider(form);
      } catch (error) {
        context.addIssue(messageOf(error));
      }
    }),
  );

const hostName = z
  .string()
  .regex(/^(\*\.)?[A-Za-z0-9.-]+$|^\[[0-9a-f:.]+\]$/i, {
    error: 'is not a host name; write "agents.example.com" without a scheme and a port',
  })
  .transform((name) => name.toLowerCase());

const webhookHost = z
  .string()
  .toLowerCase()
  .regex(/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/, {
    error: 'is not the host of an address; write "hooks.example.com" or "hooks.example.com:8443"',
  });

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'is not an origin; write "https://smith.langchain.com" without a path',
});

const jwksUrl = z.string().refine(isSafeUrl, {
  error: "must be an address that begins with https:// (http:// only on this machine)",
});

export const policySchema = z.strictObject({
  authentication: z.enum(["on", "off"]).optional(),
  hosts: z.array(hostName).default([]),
  origins: z.array(origin).default([]),
  jwt: z
    .strictObject({
      jwks: jwksUrl,
      issuer: z.string().min(1),
      audience: z.string().min(1),
      ownerClaim: z.string().default("sub"),
      scopesClaim: z.string().default("scope"),
      scopesPrefix: z.string().default(""),
      groupsClaim: z.string().default("groups"),
      defaultScopes: z.array(scope).default([]),
      toleranceSeconds: z.number().min(0).max(300).default(CLOCK_TOLERANCE),
    })
    .optional(),
  graphs: z.array(graph).optional(),
  models: models(chatProvider).optional(),
  embeddings: models(embeddingsProvider).optional(),
  libraries: z
    .strictObject({
      shared: names.default(Object.keys(CATALOGS)),
      writable: z.boolean().default(false),
    })
    .optional(),
  grants: z.array(grantForm).optional(),
  settings: z.array(setting).optional(),
  limits: z
    .strictObject({
      ...Object.fromEntries(LIMITED_SETTINGS.map((name) => [name, count.optional()])),
      usd: z.number().positive().optional(),
    } as Record<(typeof LIMITED_SETTINGS)[number] | "usd", z.ZodOptional<z.ZodNumber>>)
    .prefault({}),
  force: z.record(setting, z.unknown()).superRefine(requireSettings).default({}),
  budgets: z
    .strictObject({
      runs: count.optional(),
      tokens: count.optional(),
      usd: z.number().positive().optional(),
    })
    .optional(),
  requestsPerMinute: count.optional(),
  failuresPerMinute: count.default(MOST_FAILURES),
  bodyBytes: count.default(LARGEST_BODY),
  webhooks: z.array(webhookHost).default([]),
  runs: z
    .strictObject({
      perCaller: count.optional(),
      inAll: count.optional(),
    })
    .prefault({}),
  retention: z
    .strictObject({
      days: count.optional(),
      perOwner: count.optional(),
    })
    .prefault({}),
});

/** The operator's file: what callers may do, and how much of it. */
export type Policy = z.infer<typeof policySchema>;

/**
 * Reads the operator's file.
 *
 * @param file its path; without one, the defaults hold
 * @throws InvalidSetting for a file that cannot be read, an unknown field, or one with an unusable value
 * @example
 * const { limits } = readPolicy("serve.json");
 */
export function readPolicy(file?: string): Policy {
  if (file === undefined) return policySchema.parse({});
  const given = readJson(file);
  const parsed = policySchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const { path, problem } = fieldProblem({ form: policySchema, error: parsed.error, given });
  throw fault(file, `${path.join(".") || "the file"}: ${problem}`);
}

/** Whether a policy limits what callers may choose or use. */
export function isCapping(policy: Policy): boolean {
  const { graphs, models, embeddings, libraries, grants, settings, budgets } = policy;
  const parts = [graphs, models, embeddings, libraries, grants, settings, budgets];
  const { limits, force } = policy;
  return (
    parts.some((part) => part !== undefined) || Object.keys({ ...limits, ...force }).length > 0
  );
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(fileText(file));
  } catch (error) {
    if (error instanceof SyntaxError) throw fault(file, `is not JSON (${messageOf(error)})`);
    const problem = `cannot be read (${messageOf(error)})`;
    throw new InvalidSetting({ setting: file, problem, hint: "Name a JSON file" });
  }
}

function fault(file: string, problem: string): InvalidSetting {
  const hint = "An example with every field is in docs/access.md";
  return new InvalidSetting({ setting: file, problem, hint });
}

/**
 * @param hasApp whether a project's app is served, which paths belong to
 * @throws HttpProblem 403 for an address that the operator's file does not allow to be told of the end of a run
 */
export function requireWebhook(webhook: string, { webhooks }: Policy, hasApp: boolean): void {
  if (hasApp && webhook.startsWith("/") && !webhook.startsWith("//")) return;
  const { host, hostname } = URL.canParse(webhook) ? new URL(webhook) : { host: "", hostname: "" };
  if (isSafeUrl(webhook) && (webhooks.includes(host) || webhooks.includes(hostname))) return;
  throw forbidden(
    `webhook: ${webhook.slice(0, 200)} may not be called`,
    `The operator's file allows: ${webhooks.join(", ") || "none"} (webhooks)`,
  );
}

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && LOCAL_NAMES.has(hostname));
}
