interface Ticket {
  id: string;
  title: string;
  owner: string;
}

const TICKETS: Ticket[] = [
  { id: "TCK-41", title: "Printer on floor 3", owner: "Ada" },
  { id: "TCK-57", title: "Badge of a guest", owner: "Ada" },
  { id: "TCK-62", title: "Slow wifi", owner: "Ben" },
];

/**
 * Lists open tickets.
 *
 * @name list_tickets
 * @param ownedBy only those of this person
 * @effects read
 */
export function listTickets(ownedBy?: string): Ticket[] {
  return TICKETS.filter(({ owner }) => ownedBy === undefined || owner === ownedBy);
}

/**
 * Closes a ticket.
 *
 * @name close_ticket
 * @param ticket id of the ticket
 * @effects write
 */
export function closeTicket(ticket: string): string {
  return `${ticket} is closed`;
}
