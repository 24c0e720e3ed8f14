import { isDeepStrictEqual } from "node:util";
import type { RobotChange, RobotWorld, Scene } from "./state.js";

/** What a run has done; `{}` for nothing. Shares nothing with the world. */
export function changeSince(start: Scene, { scene, log }: RobotWorld): RobotChange {
  const changed = Object.entries(scene.things).filter(
    ([name, now]) => !isDeepStrictEqual(now, start.things[name]),
  );
  return structuredClone({
    ...(changed.length > 0 ? { things: Object.fromEntries(changed) } : {}),
    ...(log.length > 0 ? { log } : {}),
  });
}

/** The scene after a change. Shares nothing with either. */
export function sceneAfter(start: Scene, { things = {} }: RobotChange): Scene {
  return structuredClone({ ...start, things: { ...start.things, ...things } });
}
