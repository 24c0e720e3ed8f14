import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ToolDefinition } from "../../tool.js";
import { argumentsOf, isJson } from "./arguments.js";
import type { Operation } from "./operations.js";
import { ALL_PAGES, pagingOf } from "./paging.js";
import { plainSchema } from "./plainSchema.js";
import { plainText } from "./plainText.js";

/** Characters of a tool's description. */
const LONGEST_DESCRIPTION = 1200;

/** Characters of a result's schema, which is shown to models that write plans. */
const LONGEST_RETURNS = 6000;

/** What the tools of one document have in common. */
export interface ApiFacts {
  /** The source's name. */
  api: string;
  /** The document, whose references point only into itself. */
  document: JsonSchema;
  provider: string;
  providerDescription?: string;
}

/**
 * An operation as a tool.
 *
 * @param options.server absolute address where it answers
 * @returns undefined if it has more arguments than a model can be shown
 */
export function toTool(options: {
  operation: Operation;
  id: string;
  server: string;
  facts: ApiFacts;
}): ToolDefinition | undefined {
  const { operation, id, server, facts } = options;
  const { api, document, provider, providerDescription } = facts;
  const { method, path, security, texts, tags } = operation;
  const isRead = method === "GET" || method === "HEAD";
  const { body: sent, parameters: declared } = withPathParameters(operation);
  // GET and HEAD requests have no body.
  const taken = argumentsOf({ parameters: declared, body: isRead ? undefined : sent }, document);
  if (!taken) return undefined;
  const { parameters, places, body } = taken;
  const paging = pagingOf({ operation, document, places });
  const returns = returnsOf(operation, document);
  return {
    id: `${api}.${id}`,
    name: id.replaceAll(/\W+/g, "_").replaceAll(/^_+|_+$/g, "") || "call",
    description: plainText(
      texts.map(asSentence).join("\n\n") || `${method} ${path}`,
      LONGEST_DESCRIPTION,
    ),
    provider,
    ...(providerDescription === undefined ? {} : { providerDescription }),
    ...(tags[0] === undefined ? {} : { category: tags[0] }),
    parameters: paging
      ? { ...parameters, properties: { ...parameters.properties, [paging.all]: ALL_PAGES } }
      : parameters,
    ...(returns ? { returns } : {}),
    source: {
      kind: "openapi",
      file: `openapi:${api}`,
      api,
      operation: {
        method,
        server,
        path,
        places,
        ...(body ? { body } : {}),
        ...(security ? { security } : {}),
        ...(paging ? { paging } : {}),
      },
    },
    effects: isRead ? "read" : "write",
  };
}

function asSentence(text: string): string {
  return /[.!?:;]$/.test(text) ? text : `${text}.`;
}

/** Some documents name parameters only in the path. */
function withPathParameters(operation: Operation): Operation {
  const { parameters, path } = operation;
  const declared = new Set(parameters.filter((each) => each.in === "path").map(({ name }) => name));
  const missing = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = ""]) => name).filter(
    (name) => !declared.has(name),
  );
  const added = [...new Set(missing)].map((name) => ({
    name,
    in: "path" as const,
    required: true,
    schema: { type: "string" },
  }));
  return { ...operation, parameters: [...parameters, ...added] };
}

function returnsOf({ success }: Operation, document: JsonSchema): JsonSchema | undefined {
  const [, schema] = Object.entries(success.content).find(([type]) => isJson(type)) ?? [];
  if (schema === undefined) return undefined;
  const returns = plainSchema(schema, { document, side: "response", most: LONGEST_RETURNS });
  return returns && Object.keys(returns).length > 0 ? returns : undefined;
}
