import { z } from "zod";
import { readAsWritten } from "../../../common/dataFile.js";
import { UnknownName } from "../../../common/errors.js";
import { defineWorld, type WorldDefinition } from "../../runtime/worlds/worlds.js";
import { changeSince, sceneAfter } from "./change.js";
import type { RobotChange, RobotWorld, Scene } from "./state.js";

/**
 * The table with which a run begins by default. Felix and Daniel sit at its ends. The red glass is out of Daniel's reach,
 * and the cereals hide the blue glass from Felix.
 */
export const BREAKFAST = readAsWritten(
  new URL("breakfast.json", import.meta.url),
  z.custom<Scene>(),
);

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
      // A copy, since runs go on writing into their log.
      const { start, change } = structuredClone(saved as { start: string; change: RobotChange });
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
