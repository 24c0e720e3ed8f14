import { OFFICE_BACKGROUND } from "./office/background.js";
import { ROBOT_CHARACTER } from "./robot/background.js";
import { WORK_BACKGROUND } from "./work/background.js";

/** A set of tools that ships with the project. */
export interface Catalog {
  /** What its tools are about, for people and for planning. */
  description: string;
  /** The file that exports its functions, relative to the package root. */
  file: string;
  /** Facts about its world that a model has to be told. */
  background?: string;
}

/** The catalogues by name; each is a library of that name from its first use on. */
export const CATALOGS: Record<string, Catalog> = {
  math: {
    description:
      "Mathematics: arithmetic and powers, number theory, sequences and sums, plane and solid geometry, trigonometry, statistics, interest on money, and conversion of temperatures and angles",
    file: "tools/catalogs/math/index.ts",
  },
  office: {
    description:
      "A simulated office: calendar, emails, website analytics, project tasks, customer records and the company directory",
    file: "tools/catalogs/office/index.ts",
    background: OFFICE_BACKGROUND,
  },
  robot: {
    description:
      "A simulated robot at a table with people, bottles and glasses: seeing, speaking, pointing, pouring, handing over and moving objects",
    file: "tools/catalogs/robot/index.ts",
    background: ROBOT_CHARACTER,
  },
  work: {
    description:
      "A simulated product for work items: issues, tickets and tasks with sprints, parts of the product, customers, users, comments, links, labels, due dates, time and service levels",
    file: "tools/catalogs/work/index.ts",
    background: WORK_BACKGROUND,
  },
};
