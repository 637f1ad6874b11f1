// Events and audit: what happened, the actor of each event, and how to check that the record is unchanged.
import { pathIn } from '../api/address.ts';
import { useApiPages } from '../api/queries.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { useParameter } from '../kit/routing.ts';
import { Empty, Failed, Loading } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { Audit } from './audit.tsx';
import { EVENTS_VERSION, type EventFilter, type EventList, firstPage, queryOf } from './event.ts';
import { EventTable } from './event-table.tsx';
import { Filters } from './filters.tsx';
import { OneEvent } from './one-event.tsx';
import { useNewEvents } from './use-new-events.ts';

export function EventsPage() {
  useTitle('Events');
  return (
    <AdminsOnly title="Events">
      <Events />
    </AdminsOnly>
  );
}

function Events() {
  const [type, setType] = useParameter('type');
  const [actor, setActor] = useParameter('actor');
  const [resource, setResource] = useParameter('resource');
  const [id, setId] = useParameter('id');
  const filter: EventFilter = { type, actor, resource, id };
  return (
    <>
      <h1>Events</h1>
      <Filters filter={filter} onChange={{ type: setType, actor: setActor, resource: setResource, id: setId }} />
      <EventPages key={queryOf(filter).toString()} filter={filter} />
    </>
  );
}

function EventPages({ filter }: { readonly filter: EventFilter }) {
  const [open, setOpen] = useParameter('open');
  const { pages, failure, isLoading, hasMore, isLoadingMore, loadMore, reload } = useApiPages<EventList>(
    firstPage(filter),
    EVENTS_VERSION,
    ({ _links: { next } }) => next && pathIn(next.href),
  );
  const events = pages.flatMap(({ _embedded }) => _embedded.events);
  const [newest] = events;
  const isRead = !isLoading && failure === undefined;
  const count = useNewEvents(filter, isRead ? (newest?.number ?? 'none') : undefined);
  const opened = Number(open);
  const isElsewhere = opened > 0 && isRead && !events.some(({ number }) => number === opened);
  return (
    <>
      {isLoading && <Loading />}
      {failure !== undefined && <Failed failure={failure} onRetry={reload} />}
      {isElsewhere && <OneEvent number={opened} onClose={() => setOpen('')} />}
      {count > 0 && (
        <p>
          <button type="button" class="button" onClick={reload}>
            {count} new
          </button>
        </p>
      )}
      {isRead && events.length === 0 && <Empty text="No event matches what you chose above." />}
      {events.length > 0 && (
        <EventTable events={events} open={opened} onOpen={(number) => setOpen(number === opened ? '' : String(number))} />
      )}
      {hasMore && (
        <button type="button" class="button" disabled={isLoadingMore} onClick={loadMore}>
          {isLoadingMore ? 'Loading …' : 'Older events'}
        </button>
      )}
      {newest !== undefined && <Audit newest={newest} />}
    </>
  );
}
