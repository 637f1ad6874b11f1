// The login of a private registry, as it is handed to Docker with the order to use an image.
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { isBlank, isTrue, readText } from '../../../setting-values.ts';

const DOCKER_HUB = 'docker.io';
const NAMES_OF_DOCKER_HUB = new Set(['index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com']);

/** As a header. Docker shows a login to whichever registry the image names, so it gets one only for the registry that the login is for. */
export function loginAt(cluster: SettingValues, image: string): Record<string, string> {
  if (!isTrue(cluster, 'enable_private_registry_authentication') || isBlank(cluster, 'private_registry_username')) return {};
  const server = readText(cluster, 'private_registry_server');
  if (registryOf(image) !== (hostIn(server) || DOCKER_HUB)) return {};
  const login = {
    username: readText(cluster, 'private_registry_username'),
    password: readText(cluster, 'private_registry_password'),
    serveraddress: server,
  };
  return { 'x-registry-auth': Buffer.from(JSON.stringify(login)).toString('base64url') };
}

/** The part before the first slash is a registry if it cannot be the name of a user of Docker Hub. */
export function registryOf(image: string): string {
  const [first = '', ...rest] = image.trim().split('/');
  const isHost = rest.length > 0 && (/[.:A-Z]/.test(first) || first === 'localhost');
  return isHost ? hostIn(first) : DOCKER_HUB;
}

/** The host, with its port unless that is the one of HTTPS. */
function hostIn(address: string): string {
  const [host = ''] = address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split('/');
  const short = host.replace(/:443$/, '');
  return NAMES_OF_DOCKER_HUB.has(short) ? DOCKER_HUB : short;
}
