import { cutObservation } from "./observation.js";
import type { Attempt } from "./stages.js";

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
    "You have been at this point before, and the following was tried here:",
    ...attempts.map((attempt, at) => `Try ${at + 1}\n${attemptText(attempt) || "(nothing)"}`),
    "Say in a few words why these tries may not have led to the answer, and then make a step that differs from all of them: another tool, or other arguments. Where no other step makes sense, call finish.",
  ].join("\n\n");
}
