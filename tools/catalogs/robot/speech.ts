import { peopleIn, requireName } from "./names.js";
import type { RobotContext } from "./state.js";

/** The addressee when the robot speaks to everybody. */
const ALL = "All";

/**
 * Say something aloud to a person or to everybody at the table. Only what is said with this tool is
 * heard.
 *
 * @name speak
 * @effects write
 * @param person_name Name of the person who is spoken to, or All
 * @param text What is said
 * @returns in words what was said to whom
 */
export function speak(person_name: string, text: string, ctx: RobotContext): string {
  const { scene, log } = ctx.world;
  const names = [...peopleIn(scene), ALL];
  const to = requireName({ kind: "person to speak to", wanted: person_name, names });
  if (text.trim() === "") throw new Error("there is nothing to say: text is empty");
  log.push({ act: "speak", to, text });
  return `You said to ${to === ALL ? "everybody" : to}: ${text}`;
}

/**
 * Point at an object, such as a glass or a phone, or at a person, to show where it is.
 *
 * @name point_at_object_or_agent
 * @effects write
 * @param name Name of the object or person
 * @returns in words what was pointed at
 */
export function pointAtObjectOrAgent(name: string, ctx: RobotContext): string {
  const { scene, log } = ctx.world;
  const names = [...Object.keys(scene.things), ...Object.keys(scene.agents)];
  const at = requireName({ kind: "object, person or robot", wanted: name, names });
  log.push({ act: "point", at });
  return `You pointed at ${at}.`;
}
