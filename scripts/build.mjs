// Builds dist/ as the set-up does; with --types also the type declarations, for publishing.
import "../bin/check-node.mjs";

void import("./setup.mjs").then(async ({ setUpOrExplain }) => {
  const ready = await setUpOrExplain();
  if (!ready) process.exitCode = 2;
  else if (process.argv.includes("--types")) {
    const { writeDeclarations } = await import("./setup/declarations.mjs");
    process.exitCode = writeDeclarations();
  }
});
