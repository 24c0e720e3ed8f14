// A part of `npm run docs`: makes pages of the reference from the code. They are not part of the repository.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const REFERENCE = "docs/reference";

// What the person who builds the site has set is not a default.
for (const name of ["OPENAI_API_KEY", "TULIPGRAPH_MODEL", "TULIPGRAPH_EMBEDDINGS"])
  delete process.env[name];

const { referencePages } = await import("./reference.js");
rmSync(REFERENCE, { recursive: true, force: true });
mkdirSync(REFERENCE, { recursive: true });
for (const [name, text] of Object.entries(await referencePages()))
  writeFileSync(join(REFERENCE, name), text);
