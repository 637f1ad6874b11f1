// Which server this is, and where to read more.
import { addressOf } from '../api/address.ts';
import { currentSession } from '../api/session.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { useTitle } from '../kit/title.ts';

export function AboutPage() {
  useTitle('About');
  const version = currentSession()?.server.version ?? '';
  return (
    <>
      <h1>About this server</h1>
      <dl class="facts">
        <dt>Version</dt>
        <dd>
          Slipway {version} <CopyButton text={version} />
        </dd>
        <dt>Documentation</dt>
        <dd>
          <a href={addressOf('/api/docs')}>The API, chapter by chapter</a>
        </dd>
        <dt>Licence</dt>
        <dd>Apache License, Version 2.0</dd>
      </dl>
    </>
  );
}
