import { expect, it } from "vitest";
import { namedIds } from "../../../plans/grounding/valueText.js";

const TODOS = [
  { id: 4, title: "Book the train" },
  { id: "u-1", name: "Ana", team: { id: "t-7", name: "Sales" } },
];

it("names what a number, a text and the ids of a list stand for, wherever the data holds it", () => {
  expect(namedIds({ id: 4 }, TODOS)).toEqual({ 4: "Book the train" });
  expect(namedIds({ owner: "u-1" }, TODOS)).toEqual({ "u-1": "Ana" });
  expect(namedIds({ change: { team_ids: ["t-7", "t-8"] } }, [[TODOS]])).toEqual({ "t-7": "Sales" });
});

it("takes no amount for an id, and no id for a name of itself", () => {
  expect(namedIds({ hours: 4 }, TODOS)).toEqual({});
  expect(namedIds({ room: "A" }, [{ id: "A", name: "A" }])).toEqual({});
});
