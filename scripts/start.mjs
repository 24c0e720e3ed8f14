// `npm start -- "REQUEST"` is the command itself, from a checkout.
import "../bin/tulipgraph.mjs";
