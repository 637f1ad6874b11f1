// What lets somebody in besides the password: access tokens for programs, and sessions of browsers.
import { useState } from 'preact/hooks';
import { urlOf } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { Empty, Shown } from '../kit/states.tsx';
import { shellWord } from '../kit/text/text.ts';
import { useTitle } from '../kit/title.ts';
import { CreateToken, NewSecret } from './create-token.tsx';
import { Sessions } from './sessions.tsx';
import { type NewToken, OWN_TOKENS, TOKENS_VERSION, type TokenList } from './token.ts';
import { TokenTable } from './token-table.tsx';

export function TokensPage() {
  useTitle('Access tokens');
  const [isCreating, setIsCreating] = useState(false);
  const [made, setMade] = useState<NewToken>();
  const read = useApi<TokenList>(`${OWN_TOKENS}?filter=all`, TOKENS_VERSION, { everyMs: 30_000 });
  const create = (
    <button type="button" class="button is-primary" onClick={() => setIsCreating(true)}>
      Create a token
    </button>
  );
  return (
    <>
      <div class="page-header">
        <h1>Access tokens</h1>
        {read.data !== undefined && read.data._embedded.access_tokens.length > 0 && create}
      </div>
      <Shown read={read}>
        {({ _embedded: { access_tokens: tokens } }) =>
          tokens.length === 0 ? (
            <Empty text="You have no access token yet. Programs sign in with one instead of your password." command={commandToCreate()}>
              {create}
            </Empty>
          ) : (
            <TokenTable tokens={tokens} address={OWN_TOKENS} />
          )
        }
      </Shown>
      <Sessions />
      {isCreating && <CreateToken onClose={() => setIsCreating(false)} onMade={setMade} />}
      {made !== undefined && <NewSecret token={made} onClose={() => setMade(undefined)} />}
    </>
  );
}

function commandToCreate(): string {
  return [
    `curl --user ${shellWord(currentSession()?.login_name ?? 'NAME')} ${urlOf(OWN_TOKENS)} \\`,
    "  --header 'Accept: application/vnd.svc.v1+json' --header 'Content-Type: application/json' \\",
    `  --data '{"description": "my shell"}'`,
  ].join('\n');
}
