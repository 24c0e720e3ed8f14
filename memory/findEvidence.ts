import type { EvidenceRow, ToolEvidence } from "../state/budget/evidence.js";
import type { Database } from "../storage/sqlite.js";
import type { EvidenceQuestion } from "./experience.js";
import type { SimilarityReader } from "./similarities.js";

/**
 * What past calls say about each candidate. BTP weighs a past request by its similarity to the present one
 * ("Budget-Constrained Tool Learning with Planning", arXiv:2402.15960). Only requests with a judged call of a
 * candidate are compared.
 */
export async function findEvidence(options: {
  database: Database;
  similaritiesOf: SimilarityReader;
  question: EvidenceQuestion;
}): Promise<ToolEvidence[]> {
  const { database, similaritiesOf, question } = options;
  const { library, tools, query, embeddings } = question;
  const judged = database.prepare(
    `SELECT query, count(*) AS calls, sum(helpful) AS helpful FROM usages
     WHERE tool = (SELECT tools.number FROM tools JOIN libraries ON libraries.number = tools.library
       WHERE libraries.name = ? AND tools.id = ?) AND helpful IS NOT NULL
     GROUP BY query ORDER BY query`,
  );
  const judgements = tools.map((tool) => ({
    tool,
    rows: judged.all(library, tool) as Omit<EvidenceRow, "similarity">[],
  }));
  const requests = new Set(judgements.flatMap(({ rows }) => rows.map((row) => row.query)));
  if (requests.size === 0) return judgements.map(({ tool }) => ({ tool, rows: [] }));
  const past = Uint32Array.from(requests).toSorted();
  const similarities = await similaritiesOf({ query, past, embeddings });
  return judgements.map(({ tool, rows }) => ({
    tool,
    rows: rows.map((row) => ({ ...row, similarity: similarities[row.query] ?? 0 })),
  }));
}
