// The tokens of one user, and making another one.
import { useState } from 'preact/hooks';
import { useApi } from '../api/queries.ts';
import { Empty, Loaded } from '../kit/states.tsx';
import { CreateToken, NewSecret } from './create-token.tsx';
import { type NewToken, TOKENS_VERSION, type TokenList } from './token.ts';
import { TokenTable } from './token-table.tsx';

interface TokenSectionProps {
  readonly title: string;
  readonly level: 1 | 2;
  readonly address: string;
  /** The text where there is no token. */
  readonly empty: string;
  /** The command line that makes a token. */
  readonly command?: string;
}

export function TokenSection({ title, level, address, empty, command }: TokenSectionProps) {
  const [wanted, setWanted] = useState<readonly string[]>();
  const [made, setMade] = useState<NewToken>();
  const read = useApi<TokenList>(`${address}?filter=all`, TOKENS_VERSION, { everyMs: 30_000 });
  const Heading = level === 1 ? 'h1' : 'h2';
  const create = (
    <button type="button" class="button is-primary" onClick={() => setWanted([])}>
      Create a token
    </button>
  );
  return (
    <>
      <div class="page-header">
        <Heading>{title}</Heading>
        {read.data !== undefined && read.data._embedded.access_tokens.length > 0 && create}
      </div>
      <Loaded read={read}>
        {({ _embedded: { access_tokens: tokens } }) =>
          tokens.length === 0 ? (
            <Empty text={empty} {...(command !== undefined && { command })}>
              {create}
            </Empty>
          ) : (
            <TokenTable tokens={tokens} address={address} onRestrictScopes={setWanted} onMade={setMade} />
          )
        }
      </Loaded>
      {wanted !== undefined && <CreateToken address={address} scopes={wanted} onClose={() => setWanted(undefined)} onMade={setMade} />}
      {made !== undefined && <NewSecret token={made} onClose={() => setMade(undefined)} />}
    </>
  );
}
