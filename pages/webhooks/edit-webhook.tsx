// Adds a webhook, or changes one. Problems that the server finds stand beside their fields.
import { type Signal, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { reloadAll } from '../api/queries.ts';
import { Editing, ProblemSummary } from '../forms/edit/editing.tsx';
import { CheckField, TextField } from '../forms/edit/fields.tsx';
import { lensOf, member } from '../forms/edit/lens.ts';
import { SecretField, type SecretValue } from '../forms/edit/secret-field.tsx';
import { ServerProblems } from '../forms/edit/server-problems.ts';
import { asNames } from '../forms/edit/texts.ts';
import { STORED } from '../forms/edit/unsent.ts';
import type { Change } from '../forms/save/change.ts';
import { ChangeDialog } from '../forms/save/change-dialog.tsx';
import { BodyDraftOffer } from '../forms/save/draft-offer.tsx';
import type { Entity } from '../forms/save/entity.ts';
import { useBodyDraft } from '../forms/save/use-body-draft.ts';
import { FILTER_PARTS, type FilterPart, NEW_WEBHOOK, WEBHOOKS_ADDRESS, WEBHOOKS_VERSION, type WebhookBody } from './webhook.ts';
import { addressOfWebhook } from './webhook-requests.ts';

interface EditWebhookProps {
  /** undefined: a new webhook. */
  readonly entity: Entity<WebhookBody> | undefined;
  readonly onClose: () => void;
  /** Reads the current state from the server, and opens it again. */
  readonly onReload: () => void;
}

export function EditWebhook({ entity, onClose, onReload }: EditWebhookProps) {
  const original = entity?.value ?? NEW_WEBHOOK;
  const isNew = entity === undefined;
  const body = useMemo(() => signal(original), []);
  const problems = useMemo(() => new ServerProblems(body), []);
  const draft = useBodyDraft({
    form: isNew ? `${WEBHOOKS_ADDRESS} new` : addressOfWebhook(original.id),
    etag: entity?.etag,
    body,
    original,
  });
  const change = (): Change => {
    problems.clear();
    const sent = { version: WEBHOOKS_VERSION, body: body.peek() };
    if (isNew) return { method: 'POST', address: WEBHOOKS_ADDRESS, ...sent };
    return { method: 'PUT', address: addressOfWebhook(original.id), ...sent, ifMatch: draft.etag };
  };
  return (
    <ChangeDialog
      title={isNew ? 'Add a webhook' : `Change ${original.id}`}
      action="Save"
      change={change}
      done={`The webhook ${body.value.id} is ${isNew ? 'added' : 'changed'}.`}
      isReady={draft.offered === undefined}
      onRefused={(failure) => problems.take(failure)}
      onShowTheirs={() => {
        draft.keepForNewest();
        onReload();
      }}
      onClose={(isDone) => {
        if (isDone) {
          draft.discard();
          reloadAll(WEBHOOKS_ADDRESS);
        }
        onClose();
      }}
    >
      <Editing problems={problems} isReadOnly={draft.offered !== undefined} above={<BodyDraftOffer draft={draft} />}>
        <ProblemSummary problems={problems} />
        <Fields body={body} isNew={isNew} />
      </Editing>
    </ChangeDialog>
  );
}

function Fields({ body, isNew }: { readonly body: Signal<WebhookBody>; readonly isNew: boolean }) {
  const lens = lensOf(body);
  const filter = member(lens, 'filter');
  const { secret, encrypted_secret: encrypted, [STORED]: stored } = body.value;
  const setSecret = ({ plain, encrypted: kept, stored: replaced }: SecretValue): void => {
    const { secret: _, encrypted_secret: __, ...others } = body.peek();
    body.value = {
      ...others,
      ...(plain !== undefined && { secret: plain }),
      ...(kept !== undefined && { encrypted_secret: kept }),
      [STORED]: replaced,
    };
  };
  return (
    <div class="form">
      {isNew && <TextField label="Name" lens={member(lens, 'id')} />}
      <TextField label="Address" lens={member(lens, 'url')} placeholder="https://chat.example.org/hook" />
      <SecretField
        label="Secret, by which deliveries are signed"
        path={['secret']}
        value={{ plain: secret, encrypted, stored }}
        onChange={setSecret}
      />
      <fieldset>
        <legend>Which events</legend>
        <p class="quiet">Several are separated by commas; * and ? stand for anything. Left empty: all.</p>
        {(Object.keys(FILTER_PARTS) as FilterPart[]).map((name) => (
          <TextField
            key={name}
            isOptional
            label={FILTER_PARTS[name]}
            lens={asNames(member(filter, name))}
            placeholder={name === 'types' ? 'configuration.changed, backup.*' : undefined}
          />
        ))}
      </fieldset>
      <CheckField label="Enabled: while it is not, events wait" lens={member(lens, 'enabled')} />
    </div>
  );
}
