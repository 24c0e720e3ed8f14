import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** What is on a table, who sits at it, and what a robot with one hand holds. It is kept in `table.json`. */
interface Table {
  objects: Record<string, { place: string; holds?: string }>;
  people: Record<string, { busy: boolean; reaches: string[] }>;
  hand: string | null;
  said: string[];
}

const FILE = "table.json";

const AT_FIRST: Table = {
  objects: {
    glass: { place: "shelf" },
    bottle: { place: "left", holds: "cola" },
    cup: { place: "right" },
  },
  people: {
    Ana: { busy: false, reaches: ["left"] },
    Ben: { busy: true, reaches: ["right"] },
  },
  hand: null,
  said: [],
};

function table(): Table {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Table) : AT_FIRST;
}

function change(made: (table: Table) => string): string {
  const now = structuredClone(table());
  const told = made(now);
  writeFileSync(FILE, JSON.stringify(now));
  return told;
}

function object(now: Table, name: string): Table["objects"][string] {
  const found = now.objects[name];
  if (!found)
    throw new Error(`there is no ${name}; there are: ${Object.keys(now.objects).join(", ")}`);
  return found;
}

/** List all objects and where they are. @effects read */
export const listObjects = (): Table["objects"] => table().objects;

/** List the people at the table. @effects read */
export const listPeople = (): string[] => Object.keys(table().people);

/** Find the place of an object. @effects read */
export const findObject = (name: string): string => object(table(), name).place;

/** Tell whether a person is busy. @effects read */
export const isBusy = (person: string): boolean => table().people[person]?.busy ?? false;

/** Tell whether a person can reach an object without help. @effects read */
export const canReach = (person: string, name: string): boolean =>
  table().people[person]?.reaches.includes(object(table(), name).place) ?? false;

/** Tell what the robot holds in its hand. @effects read */
export const heldObject = (): string => table().hand ?? "nothing";

/** Grasp an object with the empty hand of the robot. */
export const graspObject = (name: string): string =>
  change((now) => {
    if (now.hand) throw new Error(`the hand holds the ${now.hand}; put it down first`);
    object(now, name).place = "hand";
    now.hand = name;
    return `holding the ${name}`;
  });

/** Put the held object down at a place of the table: left, right or shelf. */
export const putDown = (place: string): string =>
  change((now) => {
    if (!now.hand) throw new Error("the hand is empty; grasp an object first");
    const name = now.hand;
    Object.assign(object(now, name), { place });
    now.hand = null;
    return `the ${name} is at ${place}`;
  });

/** Hand the held object over to a person. */
export const handOver = (person: string): string =>
  change((now) => {
    if (!now.hand) throw new Error("the hand is empty; grasp an object first");
    const name = now.hand;
    Object.assign(object(now, name), { place: person });
    now.hand = null;
    return `${person} has the ${name}`;
  });

/** Pour what the held object contains into another object. */
export const pourInto = (name: string): string =>
  change((now) => {
    const from = object(now, now.hand ?? "held object");
    if (!from.holds) throw new Error(`the ${now.hand} is empty`);
    object(now, name).holds = from.holds;
    return `the ${name} holds ${from.holds}`;
  });

/** Say something to a person. */
export const speak = (person: string, text: string): string =>
  change((now) => {
    now.said.push(`${person}: ${text}`);
    return "said";
  });
