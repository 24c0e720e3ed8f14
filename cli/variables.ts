import { nearestName } from "../common/nearNames.js";

/** The variables of the environment that tulipgraph reads. */
export const VARIABLES = [
  "TULIPGRAPH_CHROMIUM",
  "TULIPGRAPH_DATABASE_URL",
  "TULIPGRAPH_EMBEDDINGS",
  "TULIPGRAPH_ENCODERS",
  "TULIPGRAPH_FAISS",
  "TULIPGRAPH_HOME",
  "TULIPGRAPH_KEY",
  "TULIPGRAPH_KEY_FILE",
  "TULIPGRAPH_LOCAL_MODELS",
  "TULIPGRAPH_LOG_LEVEL",
  "TULIPGRAPH_MODEL",
  "TULIPGRAPH_VECTOR_STORE",
];

/** Variables whose names must be misspelt, each in a line: with one of them, everything would go on as if it were not set. */
export function misspeltVariables(environment: Readonly<Record<string, unknown>>): string[] {
  const ours = Object.keys(environment).filter((name) => name.startsWith("TULIPGRAPH_"));
  return ours.flatMap((name) => {
    const near = VARIABLES.includes(name) ? undefined : nearestName(name, VARIABLES);
    return near === undefined ? [] : `note: ${name} is not read; did you mean ${near}?`;
  });
}
