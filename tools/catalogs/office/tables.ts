/** A row as text by column; null where nothing is known. */
export type Row = Record<string, string | null>;

/** An event of the user's calendar. */
export type CalendarEvent = {
  /** Digits, eight of them. */
  event_id: string;
  event_name: string;
  participant_email: string;
  /** As "2023-11-30 09:00:00". */
  event_start: string;
  /** Minutes. */
  duration: string;
};

/** An email that the user has got or sent. */
export type Email = {
  email_id: string;
  /** "inbox" when the user has got it, "outbox" when the user has sent it. */
  "inbox/outbox": string;
  /** Address of the other side: the sender in the inbox, the recipient in the outbox. */
  "sender/recipient": string;
  subject: string;
  /** As "2023-11-30 09:00:00". */
  sent_datetime: string;
  body: string;
};

/** A visit to the company's website. */
export type Visit = {
  /** As "2023-11-30". */
  date_of_visit: string;
  /** The same visitor may come more than once. */
  visitor_id: string;
  page_views: string;
  session_duration_seconds: string;
  /** "direct", "referral", "search engine" or "social media". */
  traffic_source: string;
  /** "True" or "False". */
  user_engaged: string;
};

/** A task on a board of the project management. */
export type ProjectTask = {
  task_id: string;
  task_name: string;
  assigned_to_email: string;
  /** "Backlog", "In Progress", "In Review" or "Completed". */
  list_name: string;
  /** As "2023-11-30". */
  due_date: string;
  /** "Back end", "Front end" or "Design". */
  board: string;
};

/** A customer, or somebody who may become one. */
export type Customer = {
  customer_id: string;
  /** Address of the colleague who looks after the customer. */
  assigned_to_email: string;
  customer_name: string;
  customer_email: string | null;
  customer_phone: string | null;
  /** As "2023-11-30". */
  last_contact_date: string | null;
  /** "Software", "Hardware", "Services", "Consulting" or "Training". */
  product_interest: string | null;
  /** "Qualified", "Won", "Lost", "Lead" or "Proposal". */
  status: string;
  /** As "2023-11-30". */
  follow_up_by: string | null;
  notes: string | null;
};

/** All that the office knows at the start of a run. It never changes: runs keep what they change. */
export interface OfficeTables {
  events: readonly CalendarEvent[];
  emails: readonly Email[];
  visits: readonly Visit[];
  tasks: readonly ProjectTask[];
  customers: readonly Customer[];
  /** Addresses of all colleagues. */
  addresses: readonly string[];
}

/** The tables that runs change, under the names that a change has for them. */
export interface DatabaseRows {
  calendar: CalendarEvent;
  email: Email;
  project_management: ProjectTask;
  customer_relationship_manager: Customer;
}

export type Database = keyof DatabaseRows;

/** How a table that runs change is laid out. */
export interface DatabaseLayout {
  table: keyof OfficeTables;
  /** What a row is called in the tools' answers. */
  noun: string;
  idColumn: string;
  /** New ids are filled up with zeros to this length. */
  idLength: number;
  /** All columns in the order of a new row; the first one is the id. */
  columns: readonly string[];
}

/** The layout of every table that runs change. */
export const DATABASES: Readonly<Record<Database, DatabaseLayout>> = {
  calendar: {
    table: "events",
    noun: "Event",
    idColumn: "event_id",
    idLength: 8,
    columns: ["event_id", "event_name", "participant_email", "event_start", "duration"],
  },
  email: {
    table: "emails",
    noun: "Email",
    idColumn: "email_id",
    // The origin leaves the ids of sent emails as they are counted: "500" follows "00000499".
    idLength: 1,
    columns: ["email_id", "inbox/outbox", "sender/recipient", "subject", "sent_datetime", "body"],
  },
  project_management: {
    table: "tasks",
    noun: "Task",
    idColumn: "task_id",
    idLength: 8,
    columns: ["task_id", "task_name", "assigned_to_email", "list_name", "due_date", "board"],
  },
  customer_relationship_manager: {
    table: "customers",
    noun: "Customer",
    idColumn: "customer_id",
    idLength: 8,
    columns: [
      "customer_id",
      "assigned_to_email",
      "customer_name",
      "customer_email",
      "customer_phone",
      "last_contact_date",
      "product_interest",
      "status",
      "follow_up_by",
      "notes",
    ],
  },
};

/** The columns of a visit; visits never change and have no ids of their own. */
export const VISIT_COLUMNS: readonly string[] = [
  "date_of_visit",
  "visitor_id",
  "page_views",
  "session_duration_seconds",
  "traffic_source",
  "user_engaged",
];
