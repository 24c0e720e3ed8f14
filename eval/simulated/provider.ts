import { UnknownName } from "../../common/errors.js";
import { registerChatProvider } from "../../models/providers.js";

/** Registers the provider `simulated`; its model is loaded when opened. */
export function registerSimulated(): void {
  registerChatProvider("simulated", {
    structuredReplies: "stage",
    makeChat: async (model, { seed }) => {
      if (model === "policy") {
        const { simulatedPolicy } = await import("./policy.js");
        return simulatedPolicy({ seed });
      }
      const available = ["policy"];
      throw new UnknownName({ kind: "simulated model", wanted: model, available });
    },
  });
}
