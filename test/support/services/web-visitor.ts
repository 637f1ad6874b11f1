// A browser without scripts: it keeps cookies for each origin and follows redirects as far as it is told to.
export interface Visit {
  readonly status: number;
  readonly url: URL;
  /** The address to which the visitor is sent next. */
  readonly location: URL | undefined;
  readonly text: string;
}

const MAX_REDIRECTS = 20;

export class WebVisitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Sends one request, without following where it leads. */
  async go(address: string | URL, form?: Readonly<Record<string, string>>): Promise<Visit> {
    const url = new URL(address);
    const jar = this.#cookies.getOrInsertComputed(url.origin, () => new Map());
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie !== '' && { cookie }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) keep(jar, line);
    const to = answer.headers.get('location');
    return { status: answer.status, url, location: to === null ? undefined : new URL(to, url), text: await answer.text() };
  }

  /** Follows redirects until one leads to an address that `isEnd` wants to see first, or there are none any more. */
  async follow(address: string | URL, isEnd: (url: URL) => boolean = () => false, form?: Readonly<Record<string, string>>): Promise<Visit> {
    let visit = await this.go(address, form);
    for (let redirects = 0; visit.location && !isEnd(visit.location); redirects++) {
      if (redirects === MAX_REDIRECTS) throw new Error(`${address} leads from one address to the next.`);
      visit = await this.go(visit.location);
    }
    return visit;
  }

  cookies(origin: string): ReadonlyMap<string, string> {
    return this.#cookies.get(origin) ?? new Map();
  }

  setCookie(origin: string, name: string, value: string): void {
    this.#cookies.getOrInsertComputed(origin, () => new Map()).set(name, value);
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const equals = pair.indexOf('=');
  const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
  const isGone = value === '' || attributes.some((one) => /^\s*(?:max-age=0|expires=thu, 01 jan 1970)/i.test(one));
  if (isGone) jar.delete(name);
  else jar.set(name, value);
}
