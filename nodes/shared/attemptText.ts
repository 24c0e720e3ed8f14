import { cutObservation } from "../../state/observation.js";
import type { Attempt } from "./stageInputs.js";

/** A step as text: what was said, and each call with its result. */
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
