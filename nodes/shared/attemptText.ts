import { cutObservation } from "../../state/observation.js";
import type { Attempt } from "./stageInputs.js";

/** A step as text: what was said, and each call with what came of it. */
export function attemptText({ text, calls }: Attempt): string {
  const said = text.trim();
  return [
    ...(said ? [`Thought: ${said}`] : []),
    ...calls.map(({ name, args, observation }) =>
      [
        `Call: ${name}(${JSON.stringify(args)})`,
        ...(observation ? [`Result: ${cutObservation(observation)}`] : []),
      ].join("\n"),
    ),
  ].join("\n");
}

/**
 * Asks for something else than what was tried at the same point before (the diversity message of
 * DFSDT); empty where nothing was.
 */
export function attemptsText(attempts: readonly Attempt[]): string {
  if (attempts.length === 0) return "";
  return [
    "The following was proposed at this very point before. It is no part of the work above, so that nothing can be built on its results:",
    ...attempts.map((attempt, at) => `Try ${at + 1}\n${attemptText(attempt) || "(nothing)"}`),
    "Make a step that is an alternative to it: another tool, other arguments, or another order. Where nothing else makes sense, call finish: give_answer if the work above holds the answer, give_up_and_restart if not.",
  ].join("\n\n");
}
