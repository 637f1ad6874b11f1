// Removes the passwords from URLs in typed values, for drafts in the browser.
import { isObject, type Json } from '../../api/json.ts';

/** `https://user:password@host`, from the user on. */
const USER_INFO = /(?<=:\/\/)[^\s/?#]*@/g;
/** `https://user:pass/word@host`: the text after the colon is no port, so it is a password that should have been escaped. */
const UNESCAPED = /(?<=https?:\/\/)[^\s/?#@:[]*:(?!\d*[/?#])\S*@/gi;
/** Stands for a stored password; a client that sends it back keeps that. */
const MASK = '******';

export function withoutPasswords(value: Json): Json {
  if (typeof value === 'string') return textWithoutPasswords(value);
  if (Array.isArray(value)) return value.map((item: Json) => withoutPasswords(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutPasswords(member)]));
}

function textWithoutPasswords(text: string): string {
  if (!text.includes('://')) return text;
  const without = (userInfo: string, at: number, whole: string): string => {
    const [, user = '', password] = /^([^:]*)(?::(.*))?@$/s.exec(userInfo) ?? [];
    if (password === undefined ? user === MASK || isOverSsh(whole, at) : password === MASK) return userInfo;
    // A lone name over HTTP is a token.
    return password === undefined || user === '' ? '' : `${user}@`;
  };
  return text.replace(USER_INFO, without).replace(UNESCAPED, without);
}

function isOverSsh(whole: string, at: number): boolean {
  return /ssh(?:\+[a-z]+)?:\/\/$/i.test(whole.slice(Math.max(0, at - 20), at));
}
