import type { ToolContext } from "../../tool.js";

/** A place on the table, or of a person at its edge, in metres; x runs along the table. */
export type Point = [x: number, y: number];

/** Where a thing is: on the table or in somebody's hand, never both. */
export type Place =
  | { at: Point }
  /** `takenFrom`: where it stood before, and where it is put back. */
  | { heldBy: string; takenFrom: Point };

/** Something on the table. */
export interface Thing {
  kind: string;
  place: Place;
  /** Half of its width, in metres. */
  radius: number;
  /** What stands behind it, as seen by somebody, is hidden from them and not to be grasped by the robot. */
  tall?: boolean;
  /** In millilitres; absent for what holds no liquid. */
  capacity?: number;
  /** Liquids by their names, in millilitres; only of containers. */
  contents?: Record<string, number>;
}

/** A person at the table, or the robot. */
export interface Agent {
  kind: "person" | "robot";
  at: Point;
  /** Length of the arm, in metres. */
  reach: number;
  /** How many things it can hold. */
  hands: number;
  /** What it is doing with its hands, as in "mixing the salad"; absent when it is idle. */
  busyWith?: string;
}

/** A table with those around it, as it is at one moment. */
export interface Scene {
  /** Length and depth of the table, in metres; its corner is at 0, 0. */
  table: { length: number; depth: number };
  agents: Record<string, Agent>;
  things: Record<string, Thing>;
}

/** What the robot has done, as far as anybody at the table could notice. */
export type RobotEvent =
  | { act: "speak"; to: string; text: string }
  | { act: "point"; at: string }
  | { act: "pour"; from: string; into: string; ml: number }
  | { act: "hand over"; thing: string; to: string }
  | { act: "move to"; thing: string; person: string }
  | { act: "move away"; thing: string; from: string }
  | { act: "put down"; thing: string };

/** A run's copy of the world. Agents neither move nor change what they do. */
export interface RobotWorld {
  /** Name of the scene that the run began with. */
  start: string;
  scene: Scene;
  /** In the order in which it happened. */
  log: RobotEvent[];
}

/** What a tool gets besides its arguments. */
export type RobotContext = ToolContext<RobotWorld>;

/** What a run has done, relative to the scene that it began with; what is empty is left out. */
export interface RobotChange {
  /** Things that are no longer as they were, as they are now. */
  things?: Record<string, Thing>;
  log?: RobotEvent[];
}

/** The name by which the tools know the robot. */
export const ROBOT = "Robot";
