import { Embeddings } from "@langchain/core/embeddings";
import { EXTRAS, missingPackages } from "../../common/extras.js";
import { WORDS_ALONE } from "../../tools/library/vectors/embedding.js";

/** Stands in for the packaged encoder where that is not installed: libraries are then searched by words alone. */
export class WordsAlone extends Embeddings {
  readonly identity = WORDS_ALONE;

  async embedDocuments(texts: string[]): Promise<number[][]> {
    return texts.map(() => [0]);
  }

  async embedQuery(): Promise<number[]> {
    return [0];
  }
}

let hasSaidSo = false;

/** Says once per process, on stderr, why searches go by words alone. */
export function sayWordsAlone(): void {
  if (hasSaidSo) return;
  hasSaidSo = true;
  const missing = missingPackages("encoder").join(", ");
  process.stderr.write(
    `tulipgraph: searching by words alone, because what ${EXTRAS.encoder.use} needs is not installed (${missing}). Install it with: npx tulipgraph setup encoder\n`,
  );
}
