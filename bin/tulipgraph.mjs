#!/usr/bin/env node
import "./check-node.mjs";

// A dynamic import, so that the check above runs before anything newer is parsed.
void import("./launch.mjs").then(({ launch }) => launch());
