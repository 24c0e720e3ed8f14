import { expect, it } from "vitest";
import { useDesk } from "./desk.js";
import { undoCase } from "./undoCases.js";

const desk = useDesk();

it("takes back 200 random programs, with runs broken off and changes by others, or names what it leaves", async () => {
  const faults: string[] = [];
  let whole = 0;
  for (let seed = 1; seed <= 200; seed++) {
    try {
      if ((await undoCase(seed, desk)).isWhole) whole += 1;
    } catch (error) {
      faults.push(`${seed}: ${String(error)}`);
    }
  }
  console.log(`${whole} of 200 as before, ${200 - whole - faults.length} with differences named`);
  expect(faults).toEqual([]);
});
