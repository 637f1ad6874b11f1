// A test that failed: the failure, since when, and how it went before.
import { useState } from 'preact/hooks';
import { path } from '../../api/address.ts';
import { useApi } from '../../api/queries.ts';
import { Link } from '../../kit/link.tsx';
import { pageOf } from '../../kit/routing.ts';
import { Loaded } from '../../kit/states.tsx';
import { StatusIcon, statusOf } from '../../kit/status.tsx';
import { durationText } from '../../kit/text/time.ts';
import type { JobLocator } from '../job.ts';
import { type FailedTest, type PipelineTests, TESTS_VERSION, type TestHistory } from './test-answers.ts';

interface TestFailureProps {
  readonly at: JobLocator;
  readonly test: FailedTest;
}

type Flaky = PipelineTests['flaky'][number];

export function TestFailure({ at, test, flaky }: TestFailureProps & { readonly flaky: Flaky | undefined }) {
  const { name, duration, message, trace } = test;
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  return (
    <>
      <div class="test-failure">
        <span class="status is-failed">
          <StatusIcon status="failed" />
          <span class="hidden">Failed:</span>
        </span>
        <strong class="test-name">{name}</strong>
        <span class="quiet">{test.class}</span>
        <span class="quiet number">{durationText(duration * 1_000)}</span>
        <Since at={at} test={test} />
        {flaky !== undefined && (
          <span>
            <span class="badge is-warning">flaky</span>{' '}
            <span class="quiet">
              failed {flaky.failed} of {flaky.failed + flaky.passed} times on the same revisions
            </span>
          </span>
        )}
        <button type="button" class="link-button" aria-expanded={isHistoryOpen} onClick={() => setIsHistoryOpen(!isHistoryOpen)}>
          History
        </button>
      </div>
      {isHistoryOpen && <History at={at} test={test} />}
      {message !== null && <p class="test-message">{message}</p>}
      {trace !== null && (
        <details>
          <summary>Trace</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
          <pre class="test-trace" tabIndex={0}>
            {trace}
          </pre>
        </details>
      )}
    </>
  );
}

/** The stage may have been run again there: its first run is the one that there is in any case. */
function Since({ at: { pipeline, counter, stage, job }, test }: TestFailureProps) {
  const { first_failed_in: first, may_have_failed_earlier: isEarlier } = test;
  if (first === counter) return <span class="badge is-warning">new</span>;
  return (
    <span>
      fails since <Link href={`${pageOf.job(pipeline, first, stage, 1, job)}?tab=tests`}>run {first}</Link>
      {isEarlier && ' or earlier'}
    </span>
  );
}

function History({ at: { pipeline, stage, job }, test }: TestFailureProps) {
  const query = new URLSearchParams({ name: test.name, class: test.class, page_size: '30' });
  const read = useApi<TestHistory>(`${path`/api/pipelines/${pipeline}/tests/history`}?${query}`, TESTS_VERSION);
  return (
    <Loaded read={read}>
      {({ runs }) => (
        <ol class="test-history" aria-label="The last runs of this test, oldest first">
          {runs.toReversed().map(({ counter, label, result, duration }) => {
            const text = `Run ${label}: ${result}, ${durationText(duration * 1_000)}`;
            const status = statusOf(result);
            return (
              <li key={counter}>
                <Link
                  class={`status is-${status}`}
                  href={`${pageOf.job(pipeline, counter, stage, 1, job)}?tab=tests`}
                  aria-label={text}
                  title={text}
                >
                  <StatusIcon status={status} /> {label}
                </Link>
              </li>
            );
          })}
        </ol>
      )}
    </Loaded>
  );
}
