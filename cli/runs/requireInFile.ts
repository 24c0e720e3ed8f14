import { GRAPH_IDS } from "../../graphs/index.js";
import { isMadeHere } from "../../models/hosted.js";
import { parseModelSpec } from "../../models/providers.js";
import { LOCAL_EMBEDDINGS, parseSettings } from "../../state/settings.js";
import { VECTOR_STORE } from "../../tools/library/vectors/vectorStore.js";
import { NotInFile } from "../notInFile.js";

/** Embeddings whose code shares no objects of LangChain with ours. */
const OWN_EMBEDDINGS = [parseModelSpec(LOCAL_EMBEDDINGS).provider, "openai", "transformers"];

/**
 * Sees that a run in the one file meets no other code that works with LangChain's objects: two copies of LangChain do not
 * always know each other's.
 *
 * @throws NotInFile
 */
export function requireInFile(graph: string, given: Record<string, unknown>): void {
  const { model, reflectModel = model, embeddings } = parseSettings(given);
  const isOwn =
    GRAPH_IDS.some((id) => id === graph) &&
    !process.env[VECTOR_STORE] &&
    isMadeHere(model) &&
    isMadeHere(reflectModel) &&
    OWN_EMBEDDINGS.includes(parseModelSpec(embeddings).provider);
  if (!isOwn) throw new NotInFile();
}
