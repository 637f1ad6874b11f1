// Addresses that hosting services call when something was pushed: an update comes at once then.
import { addressOf, path } from '../api/address.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { WEBHOOK_PROVIDERS } from './config-repo.ts';

export function WebhookAddresses({ id }: { readonly id: string }) {
  return (
    <details>
      <summary>Webhook addresses</summary>
      <p>
        Enter one of these as webhook of the repository, with the webhook secret of this server. Every push is taken at once then, polled or
        not.
      </p>
      <dl class="webhooks">
        {WEBHOOK_PROVIDERS.map(({ provider, title }) => {
          const address = `${location.origin}${addressOf(path`/api/webhooks/${provider}/config_repos/${id}`)}`;
          return (
            <div key={provider}>
              <dt>{title}</dt>
              <dd>
                <code>{address}</code> <CopyButton text={address} label={`Copy for ${title}`} />
              </dd>
            </div>
          );
        })}
      </dl>
    </details>
  );
}
