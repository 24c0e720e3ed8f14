// The build bundles these into this module (scripts/setup/build.mjs): every run of a tool needs them, and one file loads
// faster than eighty.
export { Ajv } from "ajv";
export { Ajv2020 } from "ajv/dist/2020.js";
export { default as addFormats } from "ajv-formats";
