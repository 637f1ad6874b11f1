// The access tokens of all users, for administrators.
import { useApi } from '../api/queries.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { Empty, Loaded } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { ALL_TOKENS, TOKENS_VERSION, type TokenList } from './token.ts';
import { TokenTable } from './token-table.tsx';

const TITLE = 'Access tokens of all users';

export function AllTokensPage() {
  useTitle(TITLE);
  return (
    <AdminsOnly title={TITLE}>
      <AllTokens />
    </AdminsOnly>
  );
}

function AllTokens() {
  const read = useApi<TokenList>(`${ALL_TOKENS}?filter=all`, TOKENS_VERSION, { everyMs: 30_000 });
  return (
    <>
      <h1>{TITLE}</h1>
      <Loaded read={read}>
        {({ _embedded: { access_tokens: tokens } }) =>
          tokens.length === 0 ? (
            <Empty text="No user has an access token yet.">
              <Link href={pageOf.tokens()} class="button">
                Your own tokens
              </Link>
            </Empty>
          ) : (
            <TokenTable tokens={tokens} address={ALL_TOKENS} hasUsers />
          )
        }
      </Loaded>
    </>
  );
}
