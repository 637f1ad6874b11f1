// Checks the address under which agents made on demand reach this server.
import type { ServerFacts, SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { isBlank, readText } from '../../setting-values.ts';

export const GO_SERVER_URL = 'go_server_url';
export const SERVER_URL_ABOUT = 'Where agents reach this server.';

type Fault = 'unparsable' | 'otherProtocol' | 'localhost' | 'otherPath';
type FaultMessages = Readonly<Record<Fault, (path: string) => string>>;

const dockerMessages: FaultMessages = {
  unparsable: (path) => `Go Server URL must be a valid URL (http://example.com:8153${path})`,
  otherProtocol: () => 'Go Server URL must use http or https protocol',
  localhost: () => 'Go Server URL must not be localhost, since this gets resolved on the agents',
  otherPath: (path) => `Go Server URL must be a valid URL ending with '${path}' (http://example.com:8153${path})`,
};

const kubernetesUnparsable = (path: string) => `go_server_url must be a valid URL (https://example.com:8154${path}).`;

const kubernetesMessages: FaultMessages = {
  unparsable: kubernetesUnparsable,
  otherProtocol: kubernetesUnparsable,
  localhost: () => 'go_server_url must not be localhost, since this gets resolved on the agents.',
  otherPath: (path) => `go_server_url must be in format https://<GO_SERVER_URL>:<GO_SERVER_PORT>${path}.`,
};

// Under an empty context path every path is right, so the protocol's customary one is a true example.
const CUSTOMARY_PATH = '/go';

const localHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** A blank address is left to the field being required. */
export function checkDockerServerUrl(values: SettingValues, server: ServerFacts): readonly SettingProblem[] {
  return describeFault(values, server, dockerMessages);
}

export function checkKubernetesServerUrl(values: SettingValues, server: ServerFacts): readonly SettingProblem[] {
  if (!isBlank(values, GO_SERVER_URL)) return describeFault(values, server, kubernetesMessages);
  if (server.secureSiteUrl) return [];
  return [{ key: GO_SERVER_URL, message: 'Secure site url is not configured. Please specify Go Server Url.' }];
}

function describeFault(values: SettingValues, server: ServerFacts, messages: FaultMessages): readonly SettingProblem[] {
  if (isBlank(values, GO_SERVER_URL)) return [];
  const contextPath = withoutEndingSlash(server.contextPath);
  const fault = findFault(readText(values, GO_SERVER_URL), contextPath);
  return fault === undefined ? [] : [{ key: GO_SERVER_URL, message: messages[fault](contextPath || CUSTOMARY_PATH) }];
}

function findFault(text: string, contextPath: string): Fault | undefined {
  // URL.parse also repairs addresses without `//` or with too many slashes, which agents would not understand.
  const url = /^[a-z][a-z\d+.-]*:\/\/[^/]/i.test(text) ? URL.parse(text) : null;
  if (url === null) return 'unparsable';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'otherProtocol';
  if (localHosts.includes(url.hostname)) return 'localhost';
  if (!withoutEndingSlash(url.pathname).endsWith(contextPath)) return 'otherPath';
  return undefined;
}

function withoutEndingSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
