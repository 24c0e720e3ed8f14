#!/usr/bin/env node
import "./check-node.mjs";

// Dynamic, so that the check above is evaluated before anything newer is parsed.
void import("./launch.mjs").then(({ launch }) => launch());
