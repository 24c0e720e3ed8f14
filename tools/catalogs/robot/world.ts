import { UnknownName } from "../../../common/errors.js";
import { defineWorld, type WorldDefinition } from "../../runtime/worlds/worlds.js";
import { BREAKFAST } from "./breakfast.js";
import { changeSince, robotChangeFrom, sceneAfter } from "./change.js";
import type { RobotWorld, Scene } from "./state.js";

/**
 * The world that the robot's tools act on. For a run's copy, the name of its first scene and the change since are saved.
 *
 * @param options.scenes the scenes that a run may begin with, by name; never changed
 * @param options.start the default scene
 */
export function robotWorld(options: {
  scenes: Readonly<Record<string, Scene>>;
  start: string;
}): WorldDefinition<RobotWorld> {
  const { scenes } = options;
  return defineWorld<RobotWorld>({
    name: "robot",
    create: (start = options.start) => ({
      start,
      scene: structuredClone(sceneNamed(scenes, start)),
      log: [],
    }),
    save: (world) => ({ start: world.start, change: changeOf(scenes, world) }),
    load(saved) {
      const { start, change: form } = saved as { start: string; change: unknown };
      const change = robotChangeFrom(form);
      return { start, scene: sceneAfter(sceneNamed(scenes, start), change), log: change.log ?? [] };
    },
    change: (world) => changeOf(scenes, world),
  });
}

/** The robot at a breakfast table. */
export const shippedWorld = robotWorld({ scenes: { breakfast: BREAKFAST }, start: "breakfast" });

function changeOf(scenes: Readonly<Record<string, Scene>>, world: RobotWorld) {
  return changeSince(sceneNamed(scenes, world.start), world);
}

/** @throws UnknownName with all scenes */
function sceneNamed(scenes: Readonly<Record<string, Scene>>, name: string): Scene {
  const scene = Object.hasOwn(scenes, name) ? scenes[name] : undefined;
  if (scene) return scene;
  throw new UnknownName({ kind: "scene", wanted: name, available: Object.keys(scenes) });
}
