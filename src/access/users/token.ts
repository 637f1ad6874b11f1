// A personal access token, as it is stored.
import type { TokenRow } from '../../store/rows/people.ts';

export type Token = Readonly<Omit<TokenRow, 'id'>> & { readonly id: number };
