// Credentials of a user besides the password: access tokens for programs, and sessions of browsers.
import { urlOf } from '../api/address.ts';
import { currentSession } from '../api/session.ts';
import { shellQuote } from '../kit/text/text.ts';
import { useTitle } from '../kit/title.ts';
import { Sessions } from './sessions.tsx';
import { OWN_TOKENS } from './token.ts';
import { TokenSection } from './token-section.tsx';

export function TokensPage() {
  useTitle('Access tokens');
  return (
    <>
      <TokenSection
        title="Access tokens"
        level={1}
        address={OWN_TOKENS}
        empty="You have no access token yet. Programs sign in with one instead of your password."
        command={commandToCreate()}
      />
      <Sessions />
    </>
  );
}

function commandToCreate(): string {
  return [
    `curl --user ${shellQuote(currentSession()?.login_name ?? 'NAME')} ${urlOf(OWN_TOKENS)} \\`,
    "  --header 'Accept: application/vnd.svc.v1+json' --header 'Content-Type: application/json' \\",
    `  --data '{"description": "my shell"}'`,
  ].join('\n');
}
