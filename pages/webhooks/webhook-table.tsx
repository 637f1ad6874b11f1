// Webhooks in rows; one of them is open and shows its deliveries.
import { useState } from 'preact/hooks';
import { addressOf } from '../api/address.ts';
import { send } from '../api/client.ts';
import { messageOf } from '../api/failure.ts';
import { reloadOne, useApi } from '../api/queries.ts';
import { DeleteDialog } from '../forms/save/delete-dialog.tsx';
import { Menu } from '../kit/dialog/menu.tsx';
import { showMessage } from '../kit/messages.tsx';
import { navigate, pageOf, useParameter } from '../kit/routing.ts';
import { StatusIcon } from '../kit/status.tsx';
import { DeliveryList } from './deliveries.tsx';
import { Replay } from './replay.tsx';
import { type Deliveries, queueText, WEBHOOKS_ADDRESS, WEBHOOKS_VERSION, type Webhook, wantsText } from './webhook.ts';
import { addressOfWebhook } from './webhook-requests.ts';

const EVERY_MS = 10_000;

interface WebhookTableProps {
  readonly webhooks: readonly Webhook[];
  readonly onEdit: (id: string) => void;
}

export function WebhookTable({ webhooks, onEdit }: WebhookTableProps) {
  const [open, setOpen] = useParameter('open');
  const [asked, setAsked] = useState<{ readonly id: string; readonly what: 'delete' | 'replay' }>();
  const close = (): void => setAsked(undefined);
  return (
    <>
      <div class="table-scroll">
        <table class="webhooks">
          <thead>
            <tr>
              <th scope="col">Webhook</th>
              <th scope="col">Address</th>
              <th scope="col">Wants</th>
              <th scope="col">State</th>
              <td />
            </tr>
          </thead>
          {webhooks.map((webhook) => (
            <WebhookRows
              key={webhook.id}
              webhook={webhook}
              isOpen={open === webhook.id}
              onToggle={() => setOpen(open === webhook.id ? '' : webhook.id)}
              onEdit={() => onEdit(webhook.id)}
              onAsk={(what) => setAsked({ id: webhook.id, what })}
            />
          ))}
        </table>
      </div>
      {asked?.what === 'delete' && (
        <DeleteDialog
          what={`webhook ${asked.id}`}
          target={{ address: addressOfWebhook(asked.id), version: WEBHOOKS_VERSION }}
          note="Events that wait for it are not delivered any more."
          onClose={close}
          onDeleted={() => reloadOne(WEBHOOKS_ADDRESS)}
        />
      )}
      {asked?.what === 'replay' && <Replay id={asked.id} onClose={close} />}
    </>
  );
}

interface WebhookRowsProps {
  readonly webhook: Webhook;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onEdit: () => void;
  readonly onAsk: (what: 'delete' | 'replay') => void;
}

function WebhookRows({ webhook, isOpen, onToggle, onEdit, onAsk }: WebhookRowsProps) {
  const { id, url, enabled } = webhook;
  return (
    <tbody>
      <tr>
        <td>
          <button type="button" class="link-button" aria-expanded={isOpen} onClick={onToggle}>
            {isOpen ? '▾' : '▸'} {id}
          </button>{' '}
          {!enabled && <span class="badge is-warning">disabled</span>}
        </td>
        <td>{url}</td>
        <td>{wantsText(webhook)}</td>
        <td>
          <QueueState id={id} />
        </td>
        <td>
          <Menu
            label={`Actions of ${id}`}
            items={[
              { label: 'Change …', run: onEdit },
              { label: 'Send a test event', run: () => void tryOut(id) },
              { label: 'Deliver again …', run: () => onAsk('replay') },
              { label: 'History', run: () => navigate(addressOf(pageOf.entityChanges({ resource: 'webhooks', id }))) },
              { label: 'Delete …', run: () => onAsk('delete') },
            ]}
          >
            ⋯
          </Menu>
        </td>
      </tr>
      {isOpen && (
        <tr class="webhook-details">
          <td colSpan={5}>
            <DeliveryList id={id} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

function QueueState({ id }: { readonly id: string }) {
  const { data } = useApi<Deliveries>(`${addressOfWebhook(id)}/deliveries?page_size=1`, WEBHOOKS_VERSION, { everyMs: EVERY_MS });
  if (data === undefined) return null;
  const icon = data.queue.failures > 0 ? 'failed' : data.queue.behind > 0 ? 'waiting' : 'passed';
  return (
    <span class={`status is-${icon}`}>
      <StatusIcon status={icon} />
      {queueText(data.queue)}
    </span>
  );
}

interface Outcome {
  readonly is_delivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
}

async function tryOut(id: string): Promise<void> {
  try {
    const outcome = await send<Outcome>(`${addressOfWebhook(id)}/test`, { method: 'POST', version: WEBHOOKS_VERSION });
    if (outcome?.is_delivered) showMessage(`${id} took the test event, with status ${outcome.status}, in ${outcome.milliseconds} ms.`);
    else showMessage(`${id} did not take the test event. ${outcome?.error ?? ''}`, 'failed');
  } catch (failure) {
    showMessage(messageOf(failure), 'failed');
  }
}
