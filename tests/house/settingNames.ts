import { settingsSchema } from "../../state/settings.js";

/** The names of all settings of a run. */
export const settingNames = () => Object.keys(settingsSchema.shape);
