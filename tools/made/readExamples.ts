import type { ExampleCheck } from "../tool.js";
import { type CalledFunction, bindArguments, sameCall, sameResult } from "./bindArguments.js";
import type { CommentTag } from "./comment.js";
import type { DraftProblem } from "./draft.js";
import { type StatedExample, readExampleText } from "./exampleText.js";

/** Fewer show too little; more than the maximum waste time in the sandbox. */
const FEWEST = 2;
const MOST = 30;

/** The examples in a draft's comment. */
export interface ExamplesReading {
  /** Distinct calls, in the order of the comment. */
  checks: ExampleCheck[];
  /** Each on one line, such as `square_root(16) => 4`. */
  texts: string[];
  problems: DraftProblem[];
}

/**
 * Reads `@example call => result` as checks.
 *
 * @param request.line line of the function, for problems that belong to no example
 */
export function readExamples({
  tags,
  called,
  mayCall,
  line,
}: {
  tags: readonly CommentTag[];
  called: CalledFunction;
  /** Whether it calls other tools, whose results may be unknown. */
  mayCall: boolean;
  line: number;
}): ExamplesReading {
  const problems: DraftProblem[] = [];
  const read: { check: ExampleCheck; text: string; line: number }[] = [];
  const report = (problem: string, at: number): void => {
    problems.push({ kind: "examples", problem, line: at });
  };
  for (const tag of tags.filter(({ name }) => name === "example")) {
    for (const stated of readExampleText({ tag, name: called.name })) {
      const example = checkOf(stated, called, mayCall);
      if ("problem" in example) {
        report(example.problem, stated.line);
        continue;
      }
      const { check, text } = example;
      const same = read.find((other) => sameCall(other.check, check));
      if (same === undefined) read.push({ check, text, line: stated.line });
      else if (!sameResult(same.check, check)) {
        report(`the same call has another result in line ${same.line}`, stated.line);
      }
    }
  }
  if (problems.length === 0 && read.length < FEWEST) report(tooFew(read.length, called.name), line);
  if (read.length > MOST) report(`there are ${read.length} examples; at most ${MOST}`, line);
  return { checks: read.map(({ check }) => check), texts: read.map(({ text }) => text), problems };
}

function checkOf(
  stated: StatedExample,
  called: CalledFunction,
  mayCall: boolean,
): { check: ExampleCheck; text: string } | { problem: string } {
  if ("problem" in stated) return stated;
  const { values, expects, text } = stated;
  const bound = bindArguments({ values, called });
  if ("problem" in bound) {
    return { problem: `the arguments of this example do not fit: ${bound.problem}` };
  }
  if (expects.kind === "runs" && !mayCall) {
    const wanted = `${called.name}(…) => result`;
    return { problem: `"runs" is for functions with @calls only; write the result: ${wanted}` };
  }
  return { check: { args: bound.args, expects }, text };
}

function tooFew(found: number, name: string): string {
  const other = found === 1 ? "there is one example" : "there are no examples";
  return `${other}; add at least ${FEWEST} with different arguments to the comment: "@example ${name}(…) => result", or "=> throws"`;
}
