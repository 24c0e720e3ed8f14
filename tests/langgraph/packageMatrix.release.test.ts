import { describeCommands } from "./installed/describeCommands.js";

// npm packages carry the programs of other versions of Node for this platform.
const others = process.platform === "linux" && process.arch === "x64" ? ["22", "24"] : [];

describeCommands({ manager: "pnpm" });
for (const version of others) {
  describeCommands({ manager: "npm", version });
  describeCommands({ manager: "pnpm", version });
}
