import { describeCommands } from "./installed/describeCommands.js";
import { registryProblem } from "./installed/install.js";

// npm packages carry the programs of other versions of Node for this platform.
const others = process.platform === "linux" && process.arch === "x64" ? ["22", "24"] : [];

const noRegistry = await registryProblem();
if (noRegistry) process.stderr.write(`the package is not installed: ${noRegistry}\n`);
else {
  describeCommands({ manager: "pnpm" });
  for (const version of others) {
    describeCommands({ manager: "npm", version });
    describeCommands({ manager: "pnpm", version });
  }
}
