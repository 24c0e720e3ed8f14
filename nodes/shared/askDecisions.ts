import { interrupt } from "@langchain/langgraph";
import { z } from "zod";

/**
 * Pauses the run with LangGraph's `interrupt` until a person has decided, which is done by resuming it with
 * `new Command({ resume: { decisions } })`. An answer that does not give the decisions is asked for again.
 *
 * @param options.request what the person is shown; its `problem` says what was wrong with the answer before
 * @param options.decisions how many there are to be, and what each of them is
 * @param options.wanted the same in words, for a person whose answer was something else
 */
export function askDecisions<Decisions>(options: {
  request: { problem: string };
  decisions: z.ZodType<Decisions>;
  wanted: string;
}): Decisions {
  const { request, decisions, wanted } = options;
  const schema = z.object({ decisions });
  let { problem } = request;
  while (true) {
    const answer = schema.safeParse(interrupt({ ...request, problem }));
    if (answer.success) return answer.data.decisions;
    problem = `it is no decision: resume with { "decisions": [{ "type": "approve" | "edit" | "reject", … }] }, ${wanted}`;
  }
}
