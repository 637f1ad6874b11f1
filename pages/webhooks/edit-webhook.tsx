// Adds a webhook, or changes one. Problems that the server finds stand beside their fields.
import type { Signal } from '@preact/signals';
import { reloadAll } from '../api/queries.ts';
import { CheckField, TextField } from '../forms/edit/fields.tsx';
import { lensOf, member } from '../forms/edit/lens.ts';
import { SecretField, type SecretValue } from '../forms/edit/secret-field.tsx';
import { asNames } from '../forms/edit/texts.ts';
import { STORED } from '../forms/edit/unsent.ts';
import { BodyDialog } from '../forms/save/body-dialog.tsx';
import type { Entity } from '../forms/save/entity.ts';
import { FILTER_PART_NAMES, FILTER_PARTS, NEW_WEBHOOK, WEBHOOKS_ADDRESS, WEBHOOKS_VERSION, type WebhookBody } from './webhook.ts';
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
  const address = isNew ? WEBHOOKS_ADDRESS : addressOfWebhook(original.id);
  return (
    <BodyDialog
      title={isNew ? 'Add a webhook' : `Change ${original.id}`}
      form={isNew ? `${WEBHOOKS_ADDRESS} new` : address}
      original={original}
      etag={entity?.etag}
      change={(body, ifMatch) => ({
        address,
        version: WEBHOOKS_VERSION,
        body,
        ...(isNew ? { method: 'POST' } : { method: 'PUT', ifMatch }),
      })}
      done={({ id }) => `The webhook ${id} is ${isNew ? 'added' : 'changed'}.`}
      onReload={onReload}
      onClose={(isDone) => {
        if (isDone) reloadAll(WEBHOOKS_ADDRESS);
        onClose();
      }}
      fields={(body) => <Fields body={body} isNew={isNew} />}
    />
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
        {FILTER_PART_NAMES.map((name) => (
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
