import { nearestName } from "../common/nearNames.js";

/** The variables of the environment that tulipgraph reads. */
export const VARIABLES =
  "CHROMIUM DATABASE_URL EMBEDDINGS ENCODERS FAISS HOME KEY KEY_FILE LOCAL_MODELS LOG_LEVEL MODEL VECTOR_STORE"
    .split(" ")
    .map((name) => `TULIPGRAPH_${name}`);

/** Variables whose names must be misspelt, each in a line: with one of them, everything would go on as if it were not set. */
export function misspeltVariables(environment: Readonly<Record<string, unknown>>): string[] {
  const ours = Object.keys(environment).filter((name) => name.startsWith("TULIPGRAPH_"));
  return ours.flatMap((name) => {
    const near = VARIABLES.includes(name) ? undefined : nearestName(name, VARIABLES);
    return near === undefined ? [] : `note: ${name} is not read; did you mean ${near}?`;
  });
}
