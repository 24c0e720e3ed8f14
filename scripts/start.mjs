// `npm start -- "REQUEST"` runs the command line from a checkout.
import "../bin/tulipgraph.mjs";
