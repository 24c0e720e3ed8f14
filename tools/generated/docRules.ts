import type { FunctionTool } from "../sources/functions.js";
import type { CommentTag } from "./comment.js";
import type { DraftProblem } from "./draft.js";

/** Descriptions are part of every search and every question to a model. */
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_PARAMETER_TEXT = 500;

/** Settings of a tool that only people may make. */
const SET_BY_LIBRARY = ["name", "effects", "cost", "timeout", "approval"];

/** Tags that a model may not set. */
export function tagProblems(tags: readonly CommentTag[]): DraftProblem[] {
  return tags
    .filter(({ name }) => SET_BY_LIBRARY.includes(name))
    .map(({ name, line }) => ({
      kind: "docs",
      problem: `@${name} is set by the library; leave it out`,
      line,
    }));
}

/** What the function's comment lacks, or says at too great length. */
export function descriptionProblems({
  tool,
  line,
}: {
  tool: Pick<FunctionTool, "description" | "parameters">;
  line: number;
}): DraftProblem[] {
  const { description, parameters } = tool;
  const problems: string[] = [];
  if (description.length > LONGEST_DESCRIPTION) {
    const length = description.length;
    problems.push(
      `the description has ${length} characters; at most ${LONGEST_DESCRIPTION}, one or two sentences are best`,
    );
  }
  for (const [name, { description: text }] of Object.entries(parameters.properties)) {
    if (typeof text !== "string" || text.trim() === "") {
      problems.push(`parameter "${name}" has no description; add "@param ${name} …"`);
    } else if (text.length > LONGEST_PARAMETER_TEXT) {
      problems.push(
        `the description of parameter "${name}" has ${text.length} characters; at most ${LONGEST_PARAMETER_TEXT}`,
      );
    }
  }
  return problems.map((problem) => ({ kind: "docs", problem, line }));
}
