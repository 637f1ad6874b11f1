// Keeps sockets and addresses of this machine, and accounts of the server, to system administrators: a user who may set up a cluster by a
// policy could have the server connect to services that only it can reach.
import type { AuthoredCheck } from '../../config/change.ts';
import { isEditOf } from '../../config/edit.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import { namesLoopback } from '../../kit/network/names-loopback.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import type { Property } from '../../shape/properties.ts';

export interface LocalClusterParts {
  /** Whether the user is a system administrator. */
  isAdmin(loginName: string): boolean;
  /** In clear. */
  clearValues(properties: readonly Property[]): SettingValues;
  /** The setting in which an account is missing, so that the cluster would be asked with one of the server. */
  missingAccount(pluginId: string, cluster: SettingValues): string | undefined;
}

const REFUSED = 'Only system administrators may enter a socket, or an address of the machine of the server itself.';
const NO_ACCOUNT = 'Only system administrators may let a cluster use the account of the server. Enter one of its own.';

/** Checks every save by the rights of its author. Values that are stored already may be sent again. */
export function keepsLocalClusters({ isAdmin, clearValues, missingAccount }: LocalClusterParts): AuthoredCheck {
  const localIn = (value: EntityNamed<'clusterProfiles'> | undefined) =>
    [...clearValues(value?.properties ?? [])].filter(([, text]) => isOfThisMachine(text));
  return (edit, _, { actor, address, isLimited = false }) => {
    // Changes by the server itself have no address.
    if (!isEditOf('clusterProfiles', edit) || !edit.after || address === null) return [];
    if (!isLimited && isAdmin(actor)) return [];
    const { before, after } = edit;
    const { pluginId, properties } = after.value;
    // Whichever setting has changed, the cluster is asked with that account.
    const missing = missingAccount(pluginId, clearValues(properties));
    if (missing !== undefined) return [{ at: ['properties'], message: `${missing}: ${NO_ACCOUNT}` }];
    const known = new Map(localIn(before?.value));
    const keys = properties.map(({ key }) => key);
    return localIn(after.value).flatMap(([key, text]) =>
      known.get(key) === text ? [] : [{ at: ['properties', keys.indexOf(key), key], message: REFUSED }],
    );
  };
}

/**
 * The problem of settings once secrets that are kept elsewhere are filled in: the user who saved the cluster did not enter their
 * values, and was checked without them. So they count as entered by a user who is no system administrator.
 */
export function hiddenProblem(
  written: SettingValues,
  resolved: SettingValues,
  missingAccount: (cluster: SettingValues) => string | undefined,
): string | undefined {
  const local = [...resolved].find(([key, text]) => written.get(key) !== text && isOfThisMachine(text));
  if (local) return `${local[0]} comes from a secret, and must not be a socket, or an address of the machine of the server itself.`;
  const missing = missingAccount(written) === undefined ? missingAccount(resolved) : undefined;
  return missing === undefined ? undefined : `${missing} comes from a secret, which is empty.`;
}

function isOfThisMachine(text: string): boolean {
  const address = text.trim();
  if (/^unix:/i.test(address)) return true;
  // The parser brings hosts of http into their usual form, and only those.
  const host = /^(?:tcp|https?):\/\//i.test(address) ? URL.parse(address.replace(/^tcp:/i, 'http:'))?.hostname : undefined;
  return host !== undefined && namesLoopback(host);
}
