// The problems that the server reports about itself.
import type { AnswerOf } from '../api/answers.ts';
import { useApi } from '../api/queries.ts';
import { Empty, Loaded } from '../kit/states.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { useTitle } from '../kit/title.ts';

type HealthMessage = AnswerOf<'GET /api/server_health_messages'>[number];

export function HealthPage() {
  useTitle('Health');
  const read = useApi<readonly HealthMessage[]>('/api/server_health_messages', 1, { changedBy: ({ kind }) => kind === 'health' });
  return (
    <>
      <h1>Health</h1>
      <Loaded read={read}>{(messages) => <HealthMessages messages={messages} />}</Loaded>
    </>
  );
}

function HealthMessages({ messages }: { readonly messages: readonly HealthMessage[] }) {
  if (messages.length === 0) return <Empty text="All is well: the server has nothing to report." />;
  return (
    <ul class="health-messages">
      {messages.map(({ message, detail, level, time }) => (
        <li key={`${message}\n${detail}`} class={level === 'ERROR' ? 'is-failed' : 'is-warning'}>
          <h2>
            <span class={level === 'ERROR' ? 'badge is-failed' : 'badge is-warning'}>{level === 'ERROR' ? 'Error' : 'Warning'}</span>{' '}
            {message}
          </h2>
          {detail !== '' && <p>{detail}</p>}
          <p class="quiet">
            First seen <RelativeTime at={time} />
          </p>
        </li>
      ))}
    </ul>
  );
}
