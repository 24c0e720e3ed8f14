import { answerQuestions } from "../../../../tools/calls/workers/answerQuestions.js";

// Entry of a thread that returns the question, throws, or ends.

let answered = 0;

answerQuestions(async (said: string) => {
  if (said === "throw") throw new Error("no echo");
  if (said === "end") process.exit(3);
  // The first question takes longest: a later one must not overtake it.
  if (said === "slow") await new Promise((resolve) => setTimeout(resolve, 20));
  answered += 1;
  return `${said} ${answered}`;
});
