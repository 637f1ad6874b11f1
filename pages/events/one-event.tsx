// The details of one event.
import type { Json } from '../api/json.ts';
import { useApi } from '../api/queries.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Fact, Facts } from '../kit/facts.tsx';
import { Empty, Loaded } from '../kit/states.tsx';
import { dateTimeText } from '../kit/text/time.ts';
import { EVENTS_VERSION, type EventList, pageWith, type ServerEvent } from './event.ts';

/** An event that a link names, also if the list does not show it. */
export function OneEvent({ number, onClose }: { readonly number: number; readonly onClose: () => void }) {
  const read = useApi<EventList>(pageWith(number), EVENTS_VERSION);
  return (
    <section class="one-event" aria-label={`Event ${number}`}>
      <Loaded read={read}>
        {({ _embedded: { events } }) => {
          const event = events.find((one) => one.number === number);
          if (event === undefined) return <Empty text={`There is no event ${number}.`} />;
          return (
            <>
              <h2>
                Event {number}: {event.type}
              </h2>
              <EventDetails event={event} />
            </>
          );
        }}
      </Loaded>
      <button type="button" class="button is-small" onClick={onClose}>
        Close
      </button>
    </section>
  );
}

export function EventDetails({ event }: { readonly event: ServerEvent }) {
  const { number, time, actor, about, data, hash, previous_hash } = event;
  return (
    <>
      <Facts>
        <Fact name="At">{dateTimeText(Date.parse(time))}</Fact>
        <Fact name="By">{actor ?? 'no known user'}</Fact>
        {Object.entries(data).map(([name, value]) => (
          <Fact key={name} name={name}>
            {textOf(value)}
          </Fact>
        ))}
      </Facts>
      {about.length > 0 && (
        <ul>
          {about.map(({ resource, id, operation }) => (
            <li key={`${resource} ${id} ${operation}`}>
              {operation} {resource} {id}
            </li>
          ))}
        </ul>
      )}
      <p class="event-hash">
        Hash <code>{hash}</code> <CopyButton text={`${number}:${hash}`} label="Copy number and hash" />
      </p>
      <p class="event-hash quiet">
        Hash before <code>{previous_hash}</code>
      </p>
    </>
  );
}

/** As people read it; objects and lists as JSON. */
function textOf(value: Json): string {
  if (value === null) return 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
