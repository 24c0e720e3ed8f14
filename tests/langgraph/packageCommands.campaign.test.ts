import { describeCommands } from "./installed/describeCommands.js";
import { registryProblem } from "./installed/install.js";

const noRegistry = await registryProblem();
if (noRegistry) process.stderr.write(`the package is not installed: ${noRegistry}\n`);
else describeCommands({ manager: "npm" });
