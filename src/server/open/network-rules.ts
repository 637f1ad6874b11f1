// Where the server may connect to for others, by its settings.
import { type NetworkPolicy, TRUSTED } from '../../kit/network/reach.ts';
import type { Settings } from '../settings.ts';

const LOOPBACK = 'the machine of the server itself. The server connects there only when it is started with --allow-loopback.';
const PRIVATE = 'a private network. The server connects there only when it is started with --allow-private-repositories.';
const OF_WEBHOOKS =
  'an address on the network of the server. Webhooks may go there only when the server is started with --allow-private-webhooks.';

/** For package repositories, and for materials of all types. */
export function repositoryReach({
  allowLoopback,
  allowPrivateRepositories,
}: Pick<Settings, 'allowLoopback' | 'allowPrivateRepositories'>): NetworkPolicy {
  return {
    ...TRUSTED,
    ...(!allowLoopback && { loopback: LOOPBACK }),
    ...(!allowPrivateRepositories && { private: PRIVATE }),
  };
}

/** For clusters of elastic agents. Addresses that name this machine by themselves are excepted where they are used: administrators have entered them. */
export function clusterReach({ allowLoopback }: Pick<Settings, 'allowLoopback'>): NetworkPolicy {
  return allowLoopback ? TRUSTED : { ...TRUSTED, loopback: LOOPBACK };
}

export function webhookReach({ allowPrivateWebhooks }: Pick<Settings, 'allowPrivateWebhooks'>): NetworkPolicy {
  return allowPrivateWebhooks ? TRUSTED : { ...TRUSTED, loopback: OF_WEBHOOKS, private: OF_WEBHOOKS };
}
