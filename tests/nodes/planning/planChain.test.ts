import { expect, it } from "vitest";
import { cheapestChain } from "../../../nodes/planning/planChain.js";

const link = (id: string, [takes, gives]: [string[], string], price: number) => ({
  id,
  takes,
  gives: [gives],
  price,
});

const LINKS = [
  link("find", [["city"], "hotel"], 5),
  link("rate", [["hotel"], "rating"], 5),
  link("book", [["hotel", "rating"], "booking"], 5),
  link("findAndRate", [["city"], "rating"], 4),
  link("all", [["city"], "booking"], 16),
];
const asked = ["city"];

it("takes the cheapest way to what no tool takes, with all that each call needs", () => {
  const ends = ["booking"];
  const chain = cheapestChain(LINKS, { asked, ends, returned: [] });
  expect(chain?.toSorted()).toEqual(["book", "find", "findAndRate"]);
});

it("takes one dear call in place of cheap ones that cost more together", () => {
  const dear = LINKS.filter(({ id }) => id !== "findAndRate");
  const cheaper = dear.map((one) => (one.id === "all" ? { ...one, price: 14 } : one));
  expect(cheapestChain(cheaper, { asked, ends: ["booking"], returned: [] })).toEqual(["all"]);
});

it("goes on from what was returned", () => {
  const returned = ["hotel", "rating"];
  expect(cheapestChain(LINKS, { asked, ends: ["booking"], returned })).toEqual(["book"]);
});

it("is none if results lead to several ends, or to none", () => {
  expect(
    cheapestChain(LINKS, { asked, ends: ["booking", "receipt"], returned: [] }),
  ).toBeUndefined();
  expect(cheapestChain(LINKS, { asked: [], ends: ["booking"], returned: [] })).toBeUndefined();
});

it("is none where there are too many ways to look at, and says so in little time", () => {
  const many = Array.from({ length: 60 }, (_, at) => link(`side${at}`, [["city"], `side${at}`], 1));
  const far = link("all", [["city"], "booking"], 500);
  const used = link("use", [many.map(({ id }) => id), "booking"], 1);
  const all = [...many, used, far];
  expect(cheapestChain(all, { asked, ends: ["booking"], returned: [] })).toBeUndefined();
});
