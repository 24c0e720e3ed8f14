import { expect, it } from "vitest";
import { useDesk } from "./desk.js";
import { undoCase } from "./undoCases.js";

const desk = useDesk();

it.each([1, 2, 3, 4, 5, 6])(
  "takes back random program %i, or names what it leaves",
  async (seed) => {
    const { answer } = await undoCase(seed, desk);
    expect(answer).not.toBe("");
  },
);
