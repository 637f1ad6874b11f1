// The message to all users about a webhook that fails. The answers of its receiver are among its deliveries, for administrators.
import type { HealthReports } from '../../kit/health-reports.ts';
import type { Queue } from '../../store/webhook-queues.ts';
import type { Webhook } from './webhook.ts';

const MIN_REPORTED_FAILURES = 3;

/** Without a queue there is nothing to report: this server does not deliver the events of the webhook now. */
export function reportProblem(
  health: HealthReports,
  { key, id }: Webhook,
  queue: Pick<Queue, 'failures' | 'failing_since'> | undefined,
): void {
  const about = `webhook ${key}`;
  if (!queue || queue.failures === 0) health.clear(about);
  else if (queue.failures >= MIN_REPORTED_FAILURES) {
    const detail = `Its events have been waiting since ${queue.failing_since}, and delivery is retried. See the deliveries of the webhook for the reason.`;
    health.raise(about, 'WARNING', `The webhook '${id}' cannot be delivered`, detail);
  }
}
