import type { SimilarityReader } from "../similarities.js";
import type { Demonstration, DemonstrationQuestion } from "./demonstration.js";
import type { StoredDemonstration } from "./demonstrationStore.js";

/** See `DemonstrationStore.select`. */
export async function selectDemonstrations(options: {
  /** Those of the question's library, oldest first. */
  demonstrations: readonly StoredDemonstration[];
  similaritiesOf: SimilarityReader;
  question: DemonstrationQuestion;
}): Promise<Demonstration[]> {
  const { similaritiesOf, question } = options;
  const { query, available, retrieved, threshold, count, embeddings } = question;
  if (count === 0) return [];
  const usable = options.demonstrations.filter(({ demonstration }) =>
    demonstration.calls.every(({ tool }) => available.has(tool)),
  );
  const ranked = async (candidates: readonly StoredDemonstration[]) =>
    await mostSimilarFirst({ candidates, query, similaritiesOf, embeddings });
  const ofTasks = await ranked(usable.filter(isOf("subtask")));
  const alike = ofTasks.filter(({ similarity }) => similarity > threshold);
  if (alike.length > 0) return alike.slice(0, count).map(({ demonstration }) => demonstration);
  const found = new Set(retrieved);
  const ofTools = await ranked(
    usable.filter((each) => isOf("tool")(each) && found.has(toolOf(each.demonstration))),
  );
  return [...found].flatMap(
    (tool) => ofTools.find((each) => toolOf(each.demonstration) === tool)?.demonstration ?? [],
  );
}

function isOf(level: Demonstration["level"]): (stored: StoredDemonstration) => boolean {
  return ({ demonstration }) => demonstration.level === level;
}

/** The tool of a demonstration of level `tool`, which has one call. */
function toolOf({ calls }: Demonstration): string {
  return calls[0]?.tool ?? "";
}

async function mostSimilarFirst(options: {
  candidates: readonly StoredDemonstration[];
  query: string;
  similaritiesOf: SimilarityReader;
  embeddings: DemonstrationQuestion["embeddings"];
}): Promise<{ demonstration: Demonstration; similarity: number }[]> {
  const { candidates, query, similaritiesOf, embeddings } = options;
  if (candidates.length === 0) return [];
  const past = Uint32Array.from(new Set(candidates.map((candidate) => candidate.query))).toSorted();
  const similarities = await similaritiesOf({ query, past, embeddings });
  return candidates
    .map(({ query, demonstration }) => ({ demonstration, similarity: similarities[query] ?? 0 }))
    .toSorted((one, other) => other.similarity - one.similarity);
}
