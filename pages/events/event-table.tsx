// Events in rows; one of them is open and shows all there is to know of it.
import { TableHead } from '../kit/table-head.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { aboutText, type ServerEvent } from './event.ts';
import { EventDetails } from './one-event.tsx';

const COLUMNS = ['Event', 'When', 'What', 'Who', 'About'];

interface EventTableProps {
  readonly events: readonly ServerEvent[];
  /** The number of the open event. */
  readonly open: number;
  readonly onOpen: (number: number) => void;
}

export function EventTable({ events, open, onOpen }: EventTableProps) {
  return (
    <div class="table-scroll">
      <table class="events">
        <TableHead columns={COLUMNS} />
        <tbody>
          {events.map((event) => (
            <EventRows key={event.number} event={event} isOpen={event.number === open} onOpen={() => onOpen(event.number)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EventRows({ event, isOpen, onOpen }: { readonly event: ServerEvent; readonly isOpen: boolean; readonly onOpen: () => void }) {
  return (
    <>
      <tr>
        <td>
          <button type="button" class="link-button" aria-expanded={isOpen} onClick={onOpen}>
            {isOpen ? '▾' : '▸'} {event.number}
          </button>
        </td>
        <td>
          <RelativeTime at={event.time} />
        </td>
        <td>{event.type}</td>
        <td>{event.actor}</td>
        <td>{aboutText(event)}</td>
      </tr>
      {isOpen && (
        <tr class="event-details">
          <td colSpan={COLUMNS.length}>
            <EventDetails event={event} />
          </td>
        </tr>
      )}
    </>
  );
}
