import { openCalls } from "../state/controls.js";
import type { Condition } from "./wire.js";

/** The last reply has calls that are still to be answered. */
export const calling: Condition = (state) => openCalls(state).calls.length > 0;
