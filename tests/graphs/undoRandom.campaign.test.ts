import { afterAll, expect, it } from "vitest";
import { useDesk } from "./desk.js";
import { undoCase } from "./undoCases.js";

const desk = useDesk();

/** Programs of one test, and tests. */
const EACH = 10;
const TESTS = 20;

let whole = 0;
let named = 0;
afterAll(() => console.log(`${whole} as before, ${named} with every difference named`));

it.each(Array.from({ length: TESTS }, (_, at) => at * EACH + 1))(
  "takes back ten random programs from %i on, with runs broken off and changes by others, or names what it leaves",
  async (first) => {
    const faults: string[] = [];
    for (let seed = first; seed < first + EACH; seed++) {
      try {
        const { isWhole } = await undoCase(seed, desk);
        if (isWhole) whole += 1;
        else named += 1;
      } catch (error) {
        faults.push(`${seed}: ${String(error)}`);
      }
    }
    expect(faults).toEqual([]);
  },
);
