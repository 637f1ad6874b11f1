// The results of which the user wants mail, and the mail address.
import { useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { Link } from '../kit/link.tsx';
import { runAction } from '../kit/messages.tsx';
import { Empty, Loaded } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { EditFilter } from './edit-filter.tsx';
import { MailSettingsForm, useMailUser } from './mail-settings.tsx';
import { EVENTS, FILTERS_ADDRESS, FILTERS_VERSION, type Filter, type FilterList, mailProblems, scopeText } from './notification.ts';

export function NotificationsPage() {
  useTitle('Notifications');
  return (
    <>
      <h1>Notifications</h1>
      <Filters />
      <MailSettingsForm />
    </>
  );
}

function Filters() {
  const read = useApi<FilterList>(FILTERS_ADDRESS, FILTERS_VERSION, { changedBy: ({ kind }) => kind === 'config' });
  return (
    <section aria-labelledby="filters">
      <h2 id="filters">When to send mail</h2>
      {read.data === undefined && read.failure?.status === 400 ? (
        <NoMailServer message={read.failure.message} />
      ) : (
        <Loaded read={read}>{({ _embedded: { filters } }) => <FilterTable filters={filters} />}</Loaded>
      )}
    </section>
  );
}

/** The server refuses filters as long as it cannot send mail. */
function NoMailServer({ message }: { readonly message: string }) {
  return (
    <Empty text={message}>
      {currentSession()?.is_admin && (
        <Link href="/admin/server_configuration/mailserver" class="button">
          Configure the mail server
        </Link>
      )}
    </Empty>
  );
}

function FilterTable({ filters }: { readonly filters: readonly Filter[] }) {
  const [edited, setEdited] = useState<Filter | 'new'>();
  const remove = async ({ id }: Filter): Promise<void> => {
    await runAction(() => send(`${FILTERS_ADDRESS}/${id}`, { method: 'DELETE', version: FILTERS_VERSION }), 'The filter is deleted.');
    reloadAll(FILTERS_ADDRESS);
  };
  const add = (
    <button type="button" class="button is-primary" onClick={() => setEdited('new')}>
      Add a filter
    </button>
  );
  return (
    <>
      {filters.length === 0 ? (
        <Empty text="You get no mail about stages yet. A filter says about which you want to be notified.">{add}</Empty>
      ) : (
        <>
          <div class="table-scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Happens</th>
                  <th scope="col">Commits</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {filters.map((filter) => (
                  <FilterRow key={filter.id} filter={filter} onEdit={() => setEdited(filter)} onRemove={() => void remove(filter)} />
                ))}
              </tbody>
            </table>
          </div>
          <Missing filters={filters} />
          <p>{add}</p>
        </>
      )}
      {edited !== undefined && <EditFilter filter={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

/** Warns when filters are saved, but no mail can be sent. */
function Missing({ filters }: { readonly filters: readonly Filter[] }) {
  const user = useMailUser().data;
  if (user === undefined) return null;
  return mailProblems(user, filters).map((text) => (
    <p key={text} class="stale" role="status">
      {text}
    </p>
  ));
}

interface FilterRowProps {
  readonly filter: Filter;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function FilterRow({ filter, onEdit, onRemove }: FilterRowProps) {
  const scope = scopeText(filter);
  return (
    <tr>
      <td>
        <button type="button" class="link-button" onClick={onEdit}>
          {scope}
        </button>
      </td>
      <td>{EVENTS[filter.event]}</td>
      <td>{filter.match_commits ? 'only with mine' : 'of any author'}</td>
      <td>
        <button type="button" class="button is-small" aria-label={`Delete the filter for ${scope}`} onClick={onRemove}>
          Delete
        </button>
      </td>
    </tr>
  );
}
