import { describeCommands } from "./installed/describeCommands.js";

describeCommands({ manager: "npm" });
