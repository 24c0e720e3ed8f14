import type { Theme } from "./vocabulary.js";

/** Themes of trade, transport and technology. */
export const TRADE_THEMES: readonly Theme[] = [
  {
    name: "shipping",
    facets: [
      ["customs fee", "import duty", "charge at the border"],
      ["delivery date", "day of arrival", "expected handover day"],
      ["shipping weight", "mass in kilograms", "heaviness on the scale"],
      ["storage bay", "warehouse position", "shelf in the depot"],
      ["carrier name", "haulage company", "transport firm"],
      ["insured value", "coverage amount", "compensation ceiling"],
    ],
    families: [
      {
        noun: "parcel",
        prefix: "PK",
        openings: ["My parcel {ref} comes from abroad.", "A neighbour waits for the parcel {ref}."],
      },
      {
        noun: "container",
        prefix: "CN",
        openings: [
          "The container {ref} left the harbour on a freight ship.",
          "We booked the sea container {ref} for machine parts.",
        ],
      },
      {
        noun: "removal",
        prefix: "RM",
        openings: [
          "Our household removal {ref} goes to another town.",
          "The removal {ref} includes a piano plus boxes of books.",
        ],
      },
    ],
  },
  {
    name: "lodging",
    facets: [
      ["nightly rate", "price per night", "overnight tariff"],
      ["room category", "kind of bedroom", "type of sleeping quarters"],
      ["breakfast hours", "morning buffet times", "timetable of the early meal"],
      ["cancellation deadline", "last free withdrawal", "latest moment to call off"],
      ["tourist levy", "visitor surcharge", "city guest contribution"],
      ["parking space", "garage slot", "place for the car"],
    ],
    families: [
      {
        noun: "hotel booking",
        prefix: "HB",
        openings: [
          "I hold the hotel booking {ref} for a conference.",
          "My hotel booking {ref} is for a double bed downtown.",
        ],
      },
      {
        noun: "hostel stay",
        prefix: "HS",
        openings: [
          "Our backpacking group made the hostel stay {ref}.",
          "The hostel stay {ref} is in a dormitory near the station.",
        ],
      },
      {
        noun: "holiday cottage",
        prefix: "HC",
        openings: [
          "The family rented the holiday cottage {ref} by the lake.",
          "We spend the summer in the holiday cottage {ref}.",
        ],
      },
    ],
  },
  {
    name: "travel",
    facets: [
      ["departure gate", "boarding platform", "exit to the vehicle"],
      ["seat number", "assigned chair", "reserved sitting position"],
      ["baggage allowance", "permitted luggage", "suitcase limit"],
      ["fare class", "ticket category", "tariff bracket"],
      ["current delay", "minutes behind schedule", "lateness so far"],
      ["onward connection", "next transfer", "following leg"],
    ],
    families: [
      {
        noun: "flight",
        prefix: "FL",
        openings: [
          "I am at the airport for the flight {ref}.",
          "My sister flies home with the flight {ref}.",
        ],
      },
      {
        noun: "train journey",
        prefix: "TJ",
        openings: [
          "The train journey {ref} crosses the mountains by rail.",
          "I stand in the railway station before the train journey {ref}.",
        ],
      },
      {
        noun: "ferry crossing",
        prefix: "FC",
        openings: [
          "We sail to the island with the ferry crossing {ref}.",
          "The ferry crossing {ref} takes our bicycles over the sea.",
        ],
      },
    ],
  },
  {
    name: "energy",
    facets: [
      ["meter reading", "counter state", "registered consumption figure"],
      ["monthly instalment", "regular prepayment", "advance debit each month"],
      ["grid operator", "network owner", "company behind the lines"],
      ["outage window", "planned interruption", "supply break schedule"],
      ["kilowatt price", "energy unit tariff", "rate for consumed power"],
      ["inspection engineer", "responsible technician", "assigned fitter"],
    ],
    families: [
      {
        noun: "power contract",
        prefix: "PC",
        openings: [
          "The electricity in our flat runs under the power contract {ref}.",
          "We changed the supplier of electricity with the power contract {ref}.",
        ],
      },
      {
        noun: "gas connection",
        prefix: "GC",
        openings: [
          "The boiler in the cellar uses the gas connection {ref}.",
          "Our kitchen stove is fed by the gas connection {ref}.",
        ],
      },
      {
        noun: "solar installation",
        prefix: "SI",
        openings: [
          "The panels on the roof belong to the solar installation {ref}.",
          "The solar installation {ref} feeds sunshine into the net.",
        ],
      },
    ],
  },
  {
    name: "repair",
    facets: [
      ["repair estimate", "projected workshop bill", "expected mending expense"],
      ["spare part code", "replacement component identifier", "substitute piece number"],
      ["warranty end", "guarantee expiry", "final covered day"],
      ["fault diagnosis", "detected defect", "cause of the malfunction"],
      ["pickup slot", "collection appointment", "hour to fetch it"],
      ["loan device", "temporary substitute machine", "courtesy unit"],
    ],
    families: [
      {
        noun: "car service",
        prefix: "CS",
        openings: [
          "The brakes squeal, so the garage opened the car service {ref}.",
          "The engine of my automobile is in the car service {ref}.",
        ],
      },
      {
        noun: "laptop case",
        prefix: "LC",
        openings: [
          "The screen of my computer is dark, see the laptop case {ref}.",
          "The keyboard sticks, which is the laptop case {ref}.",
        ],
      },
      {
        noun: "washing machine job",
        prefix: "WM",
        openings: [
          "Water leaks in the bathroom, hence the washing machine job {ref}.",
          "The drum no longer turns, see the washing machine job {ref}.",
        ],
      },
    ],
  },
];
