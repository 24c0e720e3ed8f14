import { graspProblem, takeThing } from "./gripper.js";
import { type Named, thingNamed } from "./names.js";
import type { RobotContext, RobotWorld, Thing } from "./state.js";

/** The least that a hand can pour, in millilitres. */
const LEAST_POUR = 0.1;

/** Less than this counts as nothing, in millilitres: a remainder of sums of fractions. */
const LEAST = 1e-6;

/**
 * Pour from one container, such as a bottle, into another, such as a glass, on the table or in a
 * person's hand. The robot takes the source into its hand, where it stays.
 *
 * @name pour_into
 * @effects write
 * @param source_container_name - Name of the container that is poured from
 * @param target_container_name - Name of the container that is filled
 * @param amount_ml - Millilitres to pour, at least 0.1; as much as goes into the target when left out
 * @returns in words how much was poured and what both containers hold now
 */
export function pourInto(
  source_container_name: string,
  target_container_name: string,
  amount_ml: number | undefined,
  ctx: RobotContext,
): string {
  const { world } = ctx;
  const source = containerNamed(world, source_container_name);
  const target = containerNamed(world, target_container_name);
  if (source.name === target.name) {
    throw new Error(`the ${source.name} cannot be poured into itself`);
  }
  const ml = amountToPour(source, target, amount_ml);
  requireNear(world, target);
  const putDown = takeThing(world, source);
  transfer({ world, source: source.name, target: target.name, ml });
  world.log.push({ act: "pour", from: source.name, into: target.name, ml: rounded(ml) });
  return [
    putDown && `You put down the ${putDown}.`,
    `You poured ${rounded(ml)} ml from the ${source.name} into the ${target.name}.`,
    fillText(thingNamed(world.scene, source.name)),
    fillText(thingNamed(world.scene, target.name)),
  ]
    .filter(Boolean)
    .join(" ");
}

type Container = Named<Thing> & { capacity: number };

function containerNamed({ scene }: RobotWorld, wanted: string): Container {
  const thing = thingNamed(scene, wanted);
  const { capacity } = thing;
  if (capacity !== undefined) return { ...thing, capacity };
  const containers = Object.keys(scene.things).filter(
    (name) => scene.things[name]?.capacity !== undefined,
  );
  throw new Error(`the ${thing.name} is not a container; containers are: ${containers.join(", ")}`);
}

function amountToPour(source: Container, target: Container, wanted: number = Infinity): number {
  const has = amountIn(source);
  const room = target.capacity - amountIn(target);
  if (!(wanted >= LEAST_POUR)) {
    throw new Error(`amount_ml must be ${LEAST_POUR} or more; got ${wanted}`);
  }
  if (has < LEAST) throw new Error(`the ${source.name} is empty`);
  if (room < LEAST) throw new Error(`the ${target.name} is full`);
  return Math.min(has, room, wanted);
}

/** A glass in a person's hand is always near enough: it is held out to be filled. */
function requireNear({ scene }: RobotWorld, target: Container): void {
  const problem = "heldBy" in target.place ? undefined : graspProblem(scene, target);
  if (problem) throw new Error(`the robot cannot pour into the ${target.name}: ${problem}`);
}

/** Mixed liquids flow in proportion to their amounts. */
function transfer(options: {
  world: RobotWorld;
  source: string;
  target: string;
  ml: number;
}): void {
  const { world, source, target, ml } = options;
  const { things } = world.scene;
  const { name: _source, ...from } = thingNamed(world.scene, source);
  const { name: _target, ...into } = thingNamed(world.scene, target);
  const share = ml / amountIn(from);
  const filled = { ...into.contents };
  for (const [liquid, has] of Object.entries(from.contents ?? {})) {
    filled[liquid] = (filled[liquid] ?? 0) + has * share;
  }
  const left = Object.entries(from.contents ?? {}).map(
    ([liquid, has]) => [liquid, has * (1 - share)] as const,
  );
  things[source] = { ...from, contents: Object.fromEntries(left.filter(([, has]) => has > LEAST)) };
  things[target] = { ...into, contents: filled };
}

/** The total amount of liquid in a container, in millilitres. */
function amountIn({ contents = {} }: Thing): number {
  return Object.values(contents).reduce((sum, ml) => sum + ml, 0);
}

function fillText({ name, contents = {} }: Named<Thing>): string {
  const parts = Object.entries(contents).map(([liquid, ml]) => `${rounded(ml)} ml of ${liquid}`);
  return `The ${name} ${parts.length > 0 ? `holds ${parts.join(" and ")}` : "is empty"}.`;
}

function rounded(ml: number): number {
  return Math.round(ml * 10) / 10;
}
