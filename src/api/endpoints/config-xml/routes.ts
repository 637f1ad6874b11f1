// The configuration as one XML document: as it is, and as it was.
import { Refusal } from '../../../kit/refusal.ts';
import { atAnyTime } from '../../engine/at-time.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import type { Answer, Route } from '../../engine/route.ts';

export interface ConfigDocument {
  readonly md5: string;
  readonly bytes: Uint8Array;
}

export interface ConfigDocuments {
  /** With every change acknowledged before this call. */
  current(): Promise<ConfigDocument>;
  /** The document that had this MD5 at some time. */
  find(md5: string): Promise<ConfigDocument | undefined>;
  /** The document of a revision. */
  at(revision: number): Promise<ConfigDocument>;
}

export interface ConfigXmlParts extends Pick<ResourceParts, 'past'> {
  readonly documents: ConfigDocuments;
}

const XML = 'text/xml';
const MD5 = /^[0-9a-f]{32}$/i;
export const EXAMPLE_SERVER_ID = '59f19e7e-a0f1-42a9-96c6-6c8ee7d80a7e';
/** The document of a server that was just started. */
export const EXAMPLE_DOCUMENT = `<?xml version="1.0" encoding="utf-8"?>
<cruise xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="cruise-config.xsd" schemaVersion="139">
  <server serverId="${EXAMPLE_SERVER_ID}">
    <security>
      <authConfigs>
        <authConfig id="password-file" pluginId="cd.go.authentication.passwordfile">
          <property>
            <key>PasswordFilePath</key>
            <value>password.properties</value>
          </property>
        </authConfig>
      </authConfigs>
      <admins>
        <user>admin</user>
      </admins>
    </security>
  </server>
</cruise>
`;
const EXAMPLE_MD5 = 'd41d8cd98f00b204e9800998ecf8427e';
export const UNKNOWN_MD5 = '0123456789abcdef0123456789abcdef';
export const neverWas = (md5: string): string => `No configuration ever had the MD5 '${md5}'.`;

export function configXmlRoutes({ documents, past }: ConfigXmlParts): Route[] {
  const common = { method: 'GET', version: null, permission: 'admin' } as const;
  const description = {
    chapter: 'config-xml',
    type: XML,
    response: { type: 'string' },
    example: EXAMPLE_DOCUMENT,
    hasEtag: true,
    answerHeaders: { 'X-CRUISE-CONFIG-MD5': { type: 'string', description: 'The MD5 of the body.' } },
  } as const;
  const current = async () => answerOf(await documents.current());
  const showing = (route: Route) => atAnyTime(route, { past }, async (revision) => answerOf(await documents.at(revision)));
  return [
    showing({
      ...common,
      path: '/api/admin/config.xml',
      description: { ...description, summary: 'The configuration as one XML document' },
      handle: current,
    }),
    showing({
      ...common,
      path: '/api/admin/config/current.xml',
      description: { ...description, summary: 'The configuration as one XML document, under another address' },
      handle: current,
    }),
    {
      ...common,
      path: '/api/admin/config/:md5.xml',
      description: {
        ...description,
        summary: 'The configuration as it was when its document had this MD5',
        parameters: { md5: { description: 'The MD5 of the document.', example: EXAMPLE_MD5 } },
        failures: { 404: { when: 'The configuration never had this MD5.', example: { message: neverWas(UNKNOWN_MD5) } } },
      },
      handle: async ({ params }) => {
        const md5 = params.md5!.toLowerCase();
        const document = MD5.test(md5) ? await documents.find(md5) : undefined;
        if (!document) throw new Refusal('notFound', neverWas(params.md5!));
        return answerOf(document);
      },
    },
  ];
}

function answerOf({ md5, bytes }: ConfigDocument): Answer {
  return { status: 200, body: bytes, type: `${XML}; charset=utf-8`, etag: md5, headers: ['X-CRUISE-CONFIG-MD5', md5] };
}
