import type { EvidenceRow, ToolEvidence } from "../budget/evidence.js";
import type { Database } from "../storage/sqlite.js";
import type { EvidenceQuestion } from "./experience.js";
import { FIELDS, type Judgements, readJudgements } from "./judgements.js";
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
  const { tools, query, embeddings } = question;
  const judgements = judgementsOfTools({ database, question });
  const past = pastRequests(judgements);
  if (past.length === 0) return tools.map((tool) => ({ tool, rows: [] }));
  const similarities = await similaritiesOf({ query, past, embeddings });
  return tools.map((tool, index) => {
    return { tool, rows: rowsOf(judgements[index] ?? new Uint32Array(), similarities) };
  });
}

function judgementsOfTools({
  database,
  question,
}: {
  database: Database;
  question: EvidenceQuestion;
}): Judgements[] {
  const numberOf = database
    .prepare(
      `SELECT tools.number FROM tools JOIN libraries ON libraries.number = tools.library
       WHERE libraries.name = ? AND tools.id = ?`,
    )
    .pluck();
  return question.tools.map((id) => {
    const tool = numberOf.get(question.library, id) as number | undefined;
    return tool === undefined ? new Uint32Array() : readJudgements({ database, tool });
  });
}

/** The numbers of all past requests with a judged call of any of the tools, ascending. */
function pastRequests(judgements: readonly Judgements[]): Uint32Array {
  const last = Math.max(0, ...judgements.map((rows) => rows.at(-FIELDS) ?? 0));
  const occurs = new Uint8Array(last + 1);
  let count = 0;
  for (const rows of judgements) {
    for (let at = 0; at < rows.length; at += FIELDS) {
      const query = rows[at] ?? 0;
      count += 1 - (occurs[query] ?? 0);
      occurs[query] = 1;
    }
  }
  const past = new Uint32Array(count);
  for (let query = 0, at = 0; query <= last; query += 1) {
    if (occurs[query] === 1) past[at++] = query;
  }
  return past;
}

function rowsOf(judgements: Judgements, similarities: Float64Array): EvidenceRow[] {
  const rows: EvidenceRow[] = [];
  for (let at = 0; at < judgements.length; at += FIELDS) {
    const query = judgements[at] ?? 0;
    rows.push({
      query,
      similarity: similarities[query] ?? 0,
      calls: judgements[at + 1] ?? 0,
      helpful: judgements[at + 2] ?? 0,
    });
  }
  return rows;
}
