// Tests the rules for the address agents use, with every text.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ServerFacts, SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { checkDockerServerUrl, checkKubernetesServerUrl } from './server-url.ts';

type Check = (values: SettingValues, server: ServerFacts) => readonly SettingProblem[];
type UrlCase = readonly [contextPath: string, url: string, message: string | undefined];

function testUrls(check: Check, cases: readonly UrlCase[], secureSiteUrl?: string): void {
  for (const [contextPath, url, message] of cases) {
    test(`the server URL «${url}» is checked at a server with context path «${contextPath}»`, () => {
      const expected = message === undefined ? [] : [{ key: 'go_server_url', message }];
      assert.deepEqual(check(new Map([['go_server_url', url]]), { contextPath, secureSiteUrl }), expected);
    });
  }
}

describe('docker and docker-swarm', () => {
  const invalid = 'Go Server URL must be a valid URL (http://example.com:8153/go)';
  const otherProtocol = 'Go Server URL must use http or https protocol';
  const localhost = 'Go Server URL must not be localhost, since this gets resolved on the agents';
  const otherPath = "Go Server URL must be a valid URL ending with '/go' (http://example.com:8153/go)";

  testUrls(checkDockerServerUrl, [
    ['/go', '', undefined],
    ['/go', 'https://example.com:8154/go', undefined],
    ['/go', 'https://example.com:8154/go/', undefined],
    ['/go', 'https://example.com:8154/proxied/go', undefined],
    ['/go', 'foobar', invalid],
    ['/go', 'example.com', invalid],
    ['/go', 'http:example.com/go', invalid],
    ['/go', 'http:///example.com/go', invalid],
    ['/go', 'http://exa mple.com/go', invalid],
    ['', 'foobar', invalid],
    ['/ci', 'foobar', 'Go Server URL must be a valid URL (http://example.com:8153/ci)'],
    ['/go', 'ftp://example.com/go', otherProtocol],
    ['/go', 'https://localhost:8154/go', localhost],
    ['/go', 'https://LOCALHOST/go', localhost],
    ['/go', 'https://127.0.0.1:8154/go', localhost],
    ['/go', 'https://[::1]:8154/go', localhost],
    ['/go', 'https://example.com:8154/', otherPath],
    ['/go', 'https://example.com:8154/gogo', otherPath],
    ['/go', 'https://example.com:8154/go/on', otherPath],
    ['/ci', 'https://example.com/go', "Go Server URL must be a valid URL ending with '/ci' (http://example.com:8153/ci)"],
    ['/ci', 'https://example.com/ci', undefined],
    ['', 'https://example.com', undefined],
    ['', 'https://example.com/anything', undefined],
    ['/', 'https://example.com/anything', undefined],
  ]);
});

describe('kubernetes', () => {
  const invalid = 'go_server_url must be a valid URL (https://example.com:8154/go).';
  const localhost = 'go_server_url must not be localhost, since this gets resolved on the agents.';

  testUrls(checkKubernetesServerUrl, [
    ['/go', '', 'Secure site url is not configured. Please specify Go Server Url.'],
    ['/go', 'something', invalid],
    ['/go', 'ftp://example.com/go', invalid],
    ['', 'something', invalid],
    ['/ci', 'something', 'go_server_url must be a valid URL (https://example.com:8154/ci).'],
    ['/go', 'https://localhost:8154/go', localhost],
    ['/go', 'https://127.0.0.1:8154/go', localhost],
    ['/go', 'https://example.com', 'go_server_url must be in format https://<GO_SERVER_URL>:<GO_SERVER_PORT>/go.'],
    ['/ci', 'https://example.com/go', 'go_server_url must be in format https://<GO_SERVER_URL>:<GO_SERVER_PORT>/ci.'],
    ['/go', 'https://example.com:8154/go', undefined],
    ['', 'https://example.com/anything', undefined],
  ]);
});

describe('kubernetes at a server that knows its secure site URL', () => {
  testUrls(
    checkKubernetesServerUrl,
    [
      ['/go', '', undefined],
      ['/go', 'something', 'go_server_url must be a valid URL (https://example.com:8154/go).'],
    ],
    'https://cd.example.com/go',
  );
});
