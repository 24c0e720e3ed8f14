// The build bundles both packages into this module (scripts/setup/build.mjs), because they would bring 80 packages into
// every installation.
export { View, parse } from "vega";
export { compile } from "vega-lite";
export type { Config, TopLevelSpec } from "vega-lite";
