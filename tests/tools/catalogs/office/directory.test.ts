import { expect, it } from "vitest";
import { findEmailAddress } from "../../../../tools/catalogs/office/directory.js";
import { sampleContext } from "./support.js";

const ctx = sampleContext();

it("The directory finds addresses by first name, last name and both with a dot, whatever the case", () => {
  for (const name of ["Mei", "TAN", "mei.tan"]) {
    expect(findEmailAddress({ name }, ctx)).toEqual(["mei.tan@kestrel.example"]);
  }
});

it("The directory gives every address that fits, and none for a stranger", () => {
  expect(findEmailAddress({ name: "kestrel" }, ctx)).toHaveLength(7);
  expect(findEmailAddress({ name: "Zoe" }, ctx)).toEqual([]);
});

it("The directory says when no name is given", () => {
  expect(findEmailAddress({ name: "" }, ctx)).toBe("Name not provided.");
});
